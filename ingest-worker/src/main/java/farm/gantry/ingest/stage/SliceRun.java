package farm.gantry.ingest.stage;

import farm.gantry.ingest.file.PartFileStorage;
import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.reading.FileHash;
import farm.gantry.ingest.reading.ReadResult;
import farm.gantry.ingest.slicer.Slicers.NoSlicerException;
import farm.gantry.ingest.slicer.Slicers.SliceJob;
import farm.gantry.ingest.stage.PlateSlicer.SlicedPlate;
import farm.gantry.ingest.threemf.TextSlotBinding;
import farm.gantry.part.Part;
import farm.gantry.wire.IngestRequest;
import farm.gantry.wire.SliceRequest;
import farm.gantry.wire.SliceResult;
import farm.gantry.wire.SliceResult.Sliced;
import java.io.IOException;
import java.io.UncheckedIOException;
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

/** Slices one plate for a job. */
public record SliceRun(SliceRequest request, PartFileStorage files, Path folder, Toolchain toolchain) {
    private static final Logger LOG = LoggerFactory.getLogger(SliceRun.class);

    /** Slices; throws when the files stay out of reach, and then the plate is neither sliced nor failed. */
    public SliceResult run() {
        SliceResult answer = runWithRetries();
        RunInterruptedException.check();
        return answer;
    }

    private SliceResult runWithRetries() {
        for (int attempt = 1; ; attempt++) {
            try {
                return new SliceResult(request.storeId(), request.sliceId(), slice(attempt), null);
            } catch (BadFileException | NoSlicerException bad) {
                return failed(bad.getMessage());
            } catch (IOException transientFault) {
                LOG.warn("slice {}, attempt {}", request.sliceId(), attempt, transientFault);
                if (attempt >= toolchain.limits().attempts()) {
                    throw new UncheckedIOException("the files of a slice cannot be reached", transientFault);
                }
                toolchain.limits().backOff(attempt);
            } catch (OutOfMemoryError | StackOverflowError | RuntimeException bug) {
                LOG.error("slice {}", request.sliceId(), bug);
                return failed("The file could not be sliced: it is broken, or too large for the worker");
            }
        }
    }

    private SliceResult failed(@Nullable String why) {
        return new SliceResult(request.storeId(), request.sliceId(), null, why);
    }

    private Path bindText(Path file, Path fresh, Set<String> warnings) throws IOException {
        return request.type() == Part.Type.THREE_MF
                ? TextSlotBinding.bind(file, request.parameters(), fresh, warnings::add)
                : file;
    }

    private Sliced slice(int attempt) throws IOException {
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
                true,
                List.of());
        var stages = new IngestStages(ingest, files, fresh, toolchain);
        Set<String> warnings = new LinkedHashSet<>();
        Path file = bindText(stages.fetch().result(), fresh, warnings);
        ReadResult reading = stages.readMetadata(file).result();
        var slices = new PlateSlicer(ingest, files, fresh, toolchain.slicers());
        SliceJob job = slices.prepare(file, reading);
        warnings.addAll(job.warnings());
        SlicedPlate slice = slices.one(file, reading, job, request.plateId(), request.acceptsOneFilament());
        return new Sliced(
                slice.uri().toString(),
                FileHash.of(slice.gcode()),
                Files.size(slice.gcode()),
                slice.inputHash(),
                slice.cached(),
                EstimateCalculator.combineSlices(
                        new TreeMap<>(Map.of(0, slice.facts())),
                        job.settings().profiles(),
                        toolchain.clock().instant()),
                warnings.isEmpty() ? null : List.copyOf(warnings));
    }
}
