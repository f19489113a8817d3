package farm.gantry.ingest.stage;

import farm.gantry.ingest.file.Sha256;
import farm.gantry.ingest.file.WorkFiles;
import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.reading.Reading;
import farm.gantry.ingest.slicer.Slicers.NoSlicerException;
import farm.gantry.ingest.slicer.Slicers.Order;
import farm.gantry.ingest.stage.PartSlices.Slice;
import farm.gantry.ingest.threemf.TextBinding;
import farm.gantry.part.Part;
import farm.gantry.wire.IngestRequest;
import farm.gantry.wire.SliceAnswer;
import farm.gantry.wire.SliceAnswer.Sliced;
import farm.gantry.wire.SliceRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One plate on its way to a job's G-code. */
public record SliceRun(SliceRequest request, WorkFiles files, Path folder, Toolchain toolchain) {
    private static final Logger LOG = LoggerFactory.getLogger(SliceRun.class);

    public SliceAnswer answer() {
        SliceAnswer answer = tried();
        RunInterruptedException.check();
        return answer;
    }

    private SliceAnswer tried() {
        for (int attempt = 1; ; attempt++) {
            try {
                return new SliceAnswer(request.storeId(), request.sliceId(), sliced(attempt), null);
            } catch (BadFileException | NoSlicerException bad) {
                return failed(bad.getMessage());
            } catch (IOException passing) {
                LOG.warn("slice {}, attempt {}", request.sliceId(), attempt, passing);
                if (attempt >= toolchain.limits().attempts()) {
                    return failed("The file store could not be reached; try again later");
                }
                toolchain.limits().await(attempt);
            } catch (OutOfMemoryError | StackOverflowError | RuntimeException bug) {
                LOG.error("slice {}", request.sliceId(), bug);
                return failed("The file could not be sliced: it is broken, or too large for the worker");
            }
        }
    }

    private SliceAnswer failed(@Nullable String why) {
        return new SliceAnswer(request.storeId(), request.sliceId(), null, why);
    }

    private Path bound(Path file, Path fresh, Set<String> warnings) throws IOException {
        return request.type() == Part.Type.THREE_MF
                ? TextBinding.bind(file, request.parameters(), fresh, warnings::add)
                : file;
    }

    private Sliced sliced(int attempt) throws IOException {
        Path fresh = Files.createDirectories(folder.resolve("attempt-" + attempt));
        var ingest = new IngestRequest(
                request.storeId(),
                request.partId(),
                request.sliceId(),
                attempt,
                request.type(),
                request.fileUris(),
                request.fileHashes(),
                request.parameters(),
                request.setup(),
                true);
        var stages = new Stages(ingest, files, fresh, toolchain);
        Set<String> warnings = new LinkedHashSet<>();
        Path file = bound(stages.fetch().result(), fresh, warnings);
        Reading reading = stages.readMetadata(file).result();
        var slices = new PartSlices(ingest, files, fresh, toolchain.slicers());
        Order order = slices.order(file, reading);
        Slice slice = slices.one(file, reading, order, request.plateId());
        return new Sliced(
                slice.uri().toString(),
                Sha256.of(slice.gcode()),
                Files.size(slice.gcode()),
                slice.inputHash(),
                slice.cached(),
                Estimates.ofSlices(
                        new TreeMap<>(Map.of(0, slice.facts())),
                        order.recipe().profiles(),
                        toolchain.clock().instant()),
                warnings.isEmpty() ? null : List.copyOf(warnings));
    }
}
