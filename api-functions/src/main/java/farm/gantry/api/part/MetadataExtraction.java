package farm.gantry.api.part;

import farm.gantry.Permission;
import farm.gantry.annotation.Example;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.file.FileStorage;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.file.FileUri;
import farm.gantry.ingest.file.ThreemfExtract;
import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.reading.FileTree;
import farm.gantry.ingest.reading.GcodeMetadata;
import farm.gantry.part.Part;
import farm.gantry.part.PartMetadata;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.NotBlank;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Extracts metadata of a staged 3MF without creating a part. */
@Controller("/v1/parts/extract-3mf-metadata")
@Blocking
final class MetadataExtraction {
    private static final String PATH = "path";
    /** Maximum number of concurrent extractions; each may use some hundred MB of heap. */
    private static final int MAX_CONCURRENT = 2;

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final Semaphore readers = new Semaphore(MAX_CONCURRENT);
    private final FileStorage files;
    private final RecordReader reader;

    MetadataExtraction(FileStorage files, RecordReader reader) {
        this.files = files;
        this.reader = reader;
    }

    /** {@code path} is a path returned by signed-upload-urls. */
    @Serdeable
    @Example("""
            {"path": "uploads:0mwqsome0store0id0here00/0mwqsome0upload0id0here0/hinge.3mf"}""")
    record Extract3MFMetadataRequest(@NotBlank String path) {}

    /** {@code gcode} is of the first sliced plate. Images are data URLs. */
    @Serdeable
    record Extract3MFMetadataResponse(
            PartMetadata metadata,
            List<Part.PartMaterial> materials,
            @Nullable Gcode gcode) {}

    @Serdeable
    record Gcode(
            String printerModel,
            @Nullable Long estimatedPrintTimeSeconds,
            List<Double> filamentUsedGrams,
            @Nullable Double layerHeight,
            @Nullable Integer layerCount,
            List<String> thumbnails) {}

    /** Extracts the metadata of an uploaded 3MF. No part is created. */
    @Post
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.PART_CREATE)
    Extract3MFMetadataResponse extract(Caller caller, @Body @BodyType(Extract3MFMetadataRequest.class) JsonNode body)
            throws IOException {
        Extract3MFMetadataRequest request = reader.read(Extract3MFMetadataRequest.class, body);
        FileUri uri = FileUri.parse(request.path())
                .filter(path -> path.area() == FileUri.Area.uploads)
                .filter(path -> path.storeId().equals(caller.store().value()))
                .filter(files::exists)
                .orElseThrow(() -> rejection("not_found", "no file was uploaded at '" + request.path() + "'"));
        if (!readers.tryAcquire()) {
            throw new ProblemException(
                    new Problem.Unavailable("too many files are being read at once; retry", RETRY_AFTER));
        }
        try {
            return extract(request, uri);
        } finally {
            readers.release();
        }
    }

    private Extract3MFMetadataResponse extract(Extract3MFMetadataRequest request, FileUri uri) throws IOException {
        Path folder = Files.createTempDirectory("extract-");
        try {
            Path file = folder.resolve("upload");
            files.fetch(uri, file);
            return answer(ThreemfExtract.of(file, Files.createDirectory(folder.resolve("pictures"))));
        } catch (NoSuchFileException absent) {
            throw rejection("not_found", "no file was uploaded at '" + request.path() + "'");
        } catch (BadFileException bad) {
            throw rejection("unreadable", Objects.requireNonNullElse(bad.getMessage(), "the file cannot be read"));
        } finally {
            FileTree.delete(folder);
        }
    }

    private static ProblemException rejection(String code, String why) {
        return ProblemException.invalid(PATH, code, why);
    }

    private static Extract3MFMetadataResponse answer(ThreemfExtract extract) {
        GcodeMetadata facts = extract.gcode();
        return new Extract3MFMetadataResponse(
                extract.metadata(),
                extract.materials(),
                facts == null
                        ? null
                        : new Gcode(
                                facts.machine().model(),
                                facts.estimatedSeconds(),
                                IntStream.range(0, facts.filaments().count())
                                        .mapToObj(tool -> facts.filaments().grams(tool))
                                        .toList(),
                                facts.layers().height(),
                                facts.layers().count(),
                                extract.thumbnails()));
    }
}
