package farm.gantry.ingest.worker;

import farm.gantry.Id;
import farm.gantry.file.FileUri;
import farm.gantry.ingest.bundle.ProfileBundles;
import farm.gantry.ingest.file.FolderFiles;
import farm.gantry.ingest.file.PartFileStorage;
import farm.gantry.ingest.stage.RunLimits;
import farm.gantry.ingest.stage.Toolchain;
import farm.gantry.ingest.tool.ToolLimits;
import farm.gantry.ingest.tool.Tools;
import farm.gantry.part.Part;
import farm.gantry.part.Processing.StageKey;
import farm.gantry.wire.IngestRequest;
import farm.gantry.wire.StageReport;
import farm.gantry.wire.StageReport.Findings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A part file that a worker ingested, with the reports of its stages. */
public record IngestedPart(PartFileStorage files, Path work, IngestRequest request, List<StageReport> reports) {
    static final Clock NOON = Clock.fixed(Instant.parse("2026-05-04T12:00:00Z"), ZoneOffset.UTC);
    static final RunLimits LIMITS = new RunLimits(64 << 20, 3, Duration.ZERO);

    /** Tools without a slicer, for which most tests need not wait. */
    public static final Tools TOOLS = Tools.configured(
            Map.of("prusaSlicer", "no-slicer-today"),
            new ToolLimits(Duration.ofSeconds(30), 4L << 30, 256 << 20),
            Duration.ofSeconds(30),
            false);

    public static final String STORE = "s".repeat(24);

    static IngestedPart of(Path root, Path part, Part.Type type) throws IOException {
        var files = new FolderFiles(root.resolve("kept"));
        return of(root, files, request(files, part, type));
    }

    static IngestedPart of(Path root, PartFileStorage files, IngestRequest request) {
        return of(root, files, request, TOOLS);
    }

    static IngestedPart of(Path root, PartFileStorage files, IngestRequest request, Tools tools) {
        List<StageReport> reports = new ArrayList<>();
        Path work = root.resolve("work");
        new Worker(files, work, toolchain(tools)).ingest(request, reports::add);
        return new IngestedPart(files, work, request, reports);
    }

    public static Toolchain toolchain(Tools tools) {
        return Toolchain.of(LIMITS, tools, () -> new ProfileBundles(Map.of()), NOON);
    }

    public static IngestRequest request(PartFileStorage files, Path part, Part.Type type) throws IOException {
        FileUri uri = FileUri.file(STORE, Id.next(), "part");
        files.put(uri, part);
        return new IngestRequest(
                STORE,
                Id.next(),
                Id.next(),
                1,
                type,
                List.of(uri.toString()),
                List.of(sha256(part)),
                List.of(),
                null,
                false,
                List.of());
    }

    private static String sha256(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(in.readAllBytes()));
        } catch (NoSuchAlgorithmException everyJdkHasIt) {
            throw new IllegalStateException(everyJdkHasIt);
        }
    }

    StageReport last() {
        return reports.getLast();
    }

    /** Returns the report that ended the stage. */
    StageReport end(StageKey key) {
        return reports.stream()
                .filter(report -> report.stage().key() == key)
                .reduce((first, second) -> second)
                .orElseThrow();
    }

    Findings findings(StageKey key) {
        return Objects.requireNonNull(end(key).findings());
    }

    String error(StageKey key) {
        return Objects.requireNonNullElse(end(key).stage().error(), "");
    }
}
