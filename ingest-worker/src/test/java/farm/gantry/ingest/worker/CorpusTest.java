package farm.gantry.ingest.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import farm.gantry.ingest.file.PartReaders;
import farm.gantry.ingest.reading.GcodeMetadata;
import farm.gantry.ingest.reading.ReadResult;
import farm.gantry.ingest.reading.ToolpathSummary;
import farm.gantry.ingest.tool.Tools;
import farm.gantry.part.Part;
import farm.gantry.part.PartMetadata;
import farm.gantry.part.PartMetadata.Plate;
import farm.gantry.part.PartMetadata.Sliced;
import farm.gantry.part.Processing.StageKey;
import farm.gantry.part.Processing.StageStatus;
import farm.gantry.printer.BedSize;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Compares what the worker reads from real files with the results of independent readers, where those are right. */
@EnabledIfSystemProperty(
        named = "corpus",
        matches = ".+",
        disabledReason = "no real files to read: give their folder with -Dcorpus=…")
class CorpusTest {
    private static final Path CORPUS = Path.of(System.getProperty("corpus", ""));
    private static final Set<String> LIFTED = Set.of("PrusaSlicer", "SuperSlicer", "Slic3r");
    private static final JsonMapper JSON = JsonMapper.createDefault();

    @TempDir
    Path folder;

    @TestFactory
    Stream<DynamicTest> everyProjectAgreesWithIndependentReaders() throws IOException {
        return expected("expected-3mf.jsonl")
                .map(line -> DynamicTest.dynamicTest(text(line, "file"), () -> {
                    ReadResult reading = PartReaders.read(file(line), Part.Type.THREE_MF);
                    PartMetadata metadata = Objects.requireNonNull(reading.metadata());
                    assertThat(reading.type())
                            .isEqualTo(texts(line, "gcode").isEmpty() ? Part.Type.THREE_MF : Part.Type.gcode3mf);
                    // The independent readers do not read the settings of PrusaSlicer.
                    if (text(child(line, "app"), "Application").startsWith("PrusaSlicer")) {
                        assertThat(metadata.filamentColors()).isNotEmpty();
                        return;
                    }
                    assertThat(metadata.filamentColors()).isEqualTo(texts(line, "filamentColors"));
                    assertThat(metadata.filamentType()).isEqualTo(texts(line, "filamentType"));
                    assertThat(orEmpty(metadata.filamentIds())).isEqualTo(texts(line, "filamentIds"));
                    assertThat(orEmpty(metadata.filamentDensities())).isEqualTo(numbers(line, "filamentDensities"));
                    assertThat(orEmpty(metadata.filamentDiameters())).isEqualTo(numbers(line, "filamentDiameters"));
                    assertThat(metadata.nozzleDiameter())
                            .isEqualTo(texts(line, "nozzleDiameter").stream()
                                    .findFirst()
                                    .orElse(""));
                    assertThat(metadata.printerModel()).isEqualTo(text(line, "printerModel"));
                    assertThat(metadata.profileCompat().compatible()).isEqualTo(texts(line, "compatible"));
                    assertThat(metadata.profileCompat().safe()).isEqualTo(texts(line, "safe"));
                    assertThat(metadata.profileCompat().sliced()).isEqualTo(text(line, "sliced"));
                    assertThat(metadata.slicerVersion()).isNotNull();
                    assertThat(orEmpty(metadata.textSlots()).stream()
                                    .mapToInt(PartMetadata.TextSlot::volumeCount)
                                    .sum())
                            .isEqualTo(children(line, "text").size());
                    List<JsonNode> plates = children(line, "plates");
                    assertThat(orEmpty(metadata.plates())).hasSameSizeAs(plates);
                    for (JsonNode plate : plates) {
                        assertPlate(plate, metadata);
                    }
                }));
    }

    private static void assertPlate(JsonNode expected, PartMetadata metadata) {
        Plate plate = orEmpty(metadata.plates()).stream()
                .filter(one -> Integer.toString(one.id()).equals(text(expected, "plater_id")))
                .findFirst()
                .orElseThrow();
        assertThat(plate.name()).isEqualTo(text(expected, "plater_name").replace("&amp;", "&"));
        assertThat(plate.locked()).isEqualTo(text(expected, "locked").equals("true"));
        assertThat(orBlank(plate.filamentMapMode())).isEqualTo(text(expected, "filament_map_mode"));
        assertThat(orBlank(plate.gcodeFile())).isEqualTo(text(expected, "gcode_file"));
        assertThat(orBlank(plate.thumbnailFile())).isEqualTo(text(expected, "thumbnail_file"));
        assertThat(orBlank(plate.topFile())).isEqualTo(text(expected, "top_file"));
        assertThat(orBlank(plate.pickFile())).isEqualTo(text(expected, "pick_file"));
        assertThat(orBlank(plate.patternBboxFile())).isEqualTo(text(expected, "pattern_bbox_file"));
        assertThat(orEmpty(plate.filamentMaps()).stream().map(Object::toString))
                .isEqualTo(Stream.of(text(expected, "filament_maps").split(" "))
                        .filter(map -> !map.isEmpty())
                        .toList());
        Sliced sliced = plate.sliced();
        JsonNode slice = expected.get("sliced");
        if (slice == null || slice.isNull()) {
            assertThat(sliced).isNull();
            return;
        }
        Objects.requireNonNull(sliced);
        assertThat(sliced.prediction()).isEqualTo(Double.valueOf(text(slice, "prediction")));
        assertThat(sliced.weight()).isEqualTo(Double.valueOf(text(slice, "weight")));
        assertThat(orBlank(sliced.printerModelId())).isEqualTo(text(slice, "printer_model_id"));
        assertThat(orBlank(sliced.extruderType())).isEqualTo(text(slice, "extruder_type"));
        assertThat(sliced.labelObjectEnabled())
                .isEqualTo(text(slice, "label_object_enabled").equals("true"));
        assertThat(sliced.filaments()).isEqualTo(rows(slice, "filaments"));
        assertThat(sliced.objects()).isEqualTo(rows(slice, "objects"));
        assertThat(sliced.warnings()).isEqualTo(rows(slice, "warnings"));
        assertThat(sliced.layerFilamentLists()).isEqualTo(rows(slice, "layerFilamentLists"));
        assertThat(plate.filamentIds())
                .isEqualTo(children(slice, "filaments").stream()
                        .map(filament -> text(filament, "tray_info_idx"))
                        .toList());
    }

    /**
     * Compares with Moonraker, the better of the two readers. Fields are skipped where it finds nothing or is wrong: it
     * keeps line ends, takes the end position including lifts for the object's height, and misses the header of
     * OrcaSlicer.
     */
    @TestFactory
    Stream<DynamicTest> everyGcodeAgreesWithIndependentReaders() throws IOException {
        return expected("expected-gcode.jsonl")
                .map(line -> DynamicTest.dynamicTest(text(line, "file"), () -> {
                    GcodeMetadata facts = Objects.requireNonNull(
                            PartReaders.read(file(line), Part.Type.gcode).firstGcode());
                    JsonNode moonraker = child(line, "moonraker");
                    boolean head = text(line, "file").equals("gcode/mini_cube_ascii.gcode")
                            || text(line, "file").equals("gcode/orcaslicer_v2.3.0.gcode");
                    if (!head && !text(moonraker, "slicer_version").isEmpty()) {
                        assertThat(text(moonraker, "slicer_version"))
                                .startsWith(facts.slicer().version());
                    }
                    assertNumber(moonraker, "estimated_time", facts.estimatedSeconds());
                    assertNumber(moonraker, "layer_height", facts.layers().height());
                    assertNumber(moonraker, "layer_count", facts.layers().count());
                    if (!head && !LIFTED.contains(facts.slicer().name())) {
                        assertNumber(moonraker, "object_height", facts.layers().objectHeight());
                    }
                    assertNumber(
                            moonraker,
                            "first_layer_extr_temp",
                            facts.firstLayer().nozzleTemperature());
                    assertNumber(
                            moonraker,
                            "first_layer_bed_temp",
                            facts.firstLayer().bedTemperature());
                    assertNumber(
                            moonraker, "filament_total", sum(facts.filaments().usedMillimetres()));
                    assertNumber(
                            moonraker,
                            "filament_weight_total",
                            facts.filaments().grams(0));
                    JsonNode prusa = child(line, "gcode_metadata");
                    assertNumber(
                            prusa, "filament used [mm]", sum(facts.filaments().usedMillimetres()));
                    assertNumber(
                            prusa, "filament used [g]", sum(facts.filaments().usedGrams()));
                    assertNumber(prusa, "layer_height", facts.layers().height());
                    if (prusa.get("filament_type") != null) {
                        assertThat(facts.filaments().types())
                                .containsExactly(text(prusa, "filament_type").strip());
                    }
                    if (prusa.get("printer_model") != null) {
                        assertThat(facts.machine().model())
                                .isEqualTo(text(prusa, "printer_model").strip());
                    }
                }));
    }

    @Test
    void objectHeightExcludesTheNozzleLift() throws IOException {
        GcodeMetadata facts = Objects.requireNonNull(
                PartReaders.read(CORPUS.resolve("files/gcode/prusaslicer.gcode"), Part.Type.gcode)
                        .firstGcode());
        assertThat(facts.layers().objectHeight()).isEqualTo(5.0);
        assertThat(facts.layers().count()).isEqualTo(25);
    }

    @Test
    void orcaSlicerPrintTimeIsReadFromTheHeader() throws IOException {
        GcodeMetadata facts = Objects.requireNonNull(
                PartReaders.read(CORPUS.resolve("files/gcode/orcaslicer_v2.3.0.gcode"), Part.Type.gcode)
                        .firstGcode());
        assertThat(facts.estimatedSeconds()).isEqualTo(37 * 60 + 8);
        assertThat(facts.slicer().toString()).isEqualTo("slicer1 2.3.0");
        assertThat(facts.layers().count()).isEqualTo(240);
        assertThat(facts.layers().objectHeight()).isEqualTo(48.0);
        assertThat(facts.firstLayer().bedTemperature()).isEqualTo(55.0);
    }

    @TestFactory
    Stream<DynamicTest> everyFileEndsWithAResultOrAnError() throws IOException {
        return Stream.of(
                        "hostile",
                        "malformed",
                        "mustfail",
                        "lib3mf_negative",
                        "bgcode",
                        "core3mf",
                        "mustpass",
                        "synth",
                        "project3mf",
                        "gcode3mf",
                        "gcode",
                        "step",
                        "stl")
                .flatMap(name -> list(CORPUS.resolve("files").resolve(name)))
                .map(file -> DynamicTest.dynamicTest(
                        file.getFileName().toString(),
                        () -> assertTimeoutPreemptively(Duration.ofMinutes(5), () -> {
                            IngestedPart ingest = IngestedPart.of(folder, file, type(file));
                            StageStatus end = ingest.last().stage().status();
                            assertThat(end).isIn(StageStatus.done, StageStatus.skipped, StageStatus.failed);
                            if (end == StageStatus.failed) {
                                assertThat(ingest.last().stage().error()).isNotBlank();
                            } else {
                                assertThat(ingest.last().stage().key()).isEqualTo(StageKey.estimate);
                            }
                        })));
    }

    /** Returns whether the file is a sample with two root models, which 3MF forbids. */
    private static boolean hasTwoModels(Path file) {
        return file.getFileName().toString().startsWith("CS-1111");
    }

    private static boolean isEncrypted(Path file) {
        return file.getFileName().toString().contains("keystore");
    }

    /** A cube has the same size as text and as binary G-code; skirts, purge lines and homing do not count. */
    @Test
    void everyGcodeIsCompleteAndHasItsObjectSize() throws IOException {
        Map<String, BedSize> sizes = new HashMap<>();
        for (JsonNode line : expected("expected-gcode.jsonl").toList()) {
            Path file = file(line);
            ToolpathSummary toolpath = PartReaders.summarizeToolpaths(file, PartReaders.read(file, Part.Type.gcode))
                    .get(1);
            Objects.requireNonNull(toolpath);
            assertThat(toolpath.missing()).as(text(line, "file")).isNull();
            sizes.put(file.getFileName().toString(), Objects.requireNonNull(toolpath.size()));
        }
        assertThat(sizes)
                .containsEntry("mini_cube_ascii.gcode", new BedSize(17.55, 17.55, 18.05))
                .containsEntry("mini_cube_binary.gcode", new BedSize(17.55, 17.55, 18.05))
                .containsEntry("cura.gcode", new BedSize(16.1, 17.57, 5))
                .containsEntry("kisslicer.2.0.6.gcode", new BedSize(39.8, 49.6, 5));
    }

    @TestFactory
    Stream<DynamicTest> everyValidFileIsIngested() {
        return Stream.of("bgcode", "core3mf", "mustpass", "synth", "project3mf", "gcode3mf", "gcode", "step", "stl")
                .flatMap(name -> list(CORPUS.resolve("files").resolve(name)))
                .filter(file -> !isEncrypted(file) && !hasTwoModels(file))
                .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> {
                    assumeTrue(
                            type(file) != Part.Type.step
                                    || Tools.DEFAULTS.prusaSlicer().isInstalled(),
                            "PrusaSlicer is not installed");
                    IngestedPart ingest = IngestedPart.of(folder, file, type(file));
                    String error =
                            Objects.requireNonNullElse(ingest.last().stage().error(), "");
                    assumeFalse(
                            error.contains("requires the 3MF extension implicit") || error.contains("is not closed"),
                            error);
                    assertThat(ingest.last().stage().status())
                            .describedAs(error)
                            .isNotEqualTo(StageStatus.failed);
                }));
    }

    private static Part.Type type(Path file) {
        String name = file.getFileName().toString();
        if (name.endsWith(".stl")) {
            return Part.Type.stl;
        }
        if (name.endsWith(".step")) {
            return Part.Type.step;
        }
        if (name.endsWith(".scad")) {
            return Part.Type.scad;
        }
        return name.endsWith("gcode") ? Part.Type.gcode : Part.Type.THREE_MF;
    }

    private static void assertNumber(JsonNode line, String key, @Nullable Number found) {
        JsonNode expected = line.get(key);
        if (expected != null && expected.isNumber()) {
            assertThat(found).describedAs(key).isNotNull();
            assertThat(Objects.requireNonNull(found).doubleValue())
                    .describedAs(key)
                    .isCloseTo(expected.getDoubleValue(), within(key.endsWith("time") ? 0.51 : 0.006));
        }
    }

    private static double sum(List<Double> numbers) {
        return numbers.stream().mapToDouble(Double::doubleValue).sum();
    }

    private static Stream<Path> list(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList().stream();
        } catch (IOException missing) {
            throw new IllegalStateException(missing);
        }
    }

    private static Stream<JsonNode> expected(String name) throws IOException {
        List<JsonNode> lines = new ArrayList<>();
        for (String line : Files.readAllLines(CORPUS.resolve(name))) {
            lines.add(JSON.readValue(line, JsonNode.class));
        }
        return lines.stream();
    }

    private static Path file(JsonNode line) {
        return CORPUS.resolve("files").resolve(text(line, "file"));
    }

    private static JsonNode child(JsonNode line, String key) {
        JsonNode child = line.get(key);
        return child == null ? JsonNode.nullNode() : child;
    }

    private static String text(JsonNode line, String key) {
        JsonNode value = child(line, key);
        return value.isString() ? value.getStringValue() : "";
    }

    private static List<JsonNode> children(JsonNode line, String key) {
        List<JsonNode> children = new ArrayList<>();
        if (child(line, key).isArray()) {
            child(line, key).values().forEach(children::add);
        }
        return children;
    }

    private static List<String> texts(JsonNode line, String key) {
        return children(line, key).stream().map(JsonNode::getStringValue).toList();
    }

    private static List<Double> numbers(JsonNode line, String key) {
        return texts(line, key).stream().map(Double::valueOf).toList();
    }

    private static List<Map<String, Object>> rows(JsonNode line, String key) {
        return children(line, key).stream()
                .map(row -> {
                    Map<String, Object> values = new HashMap<>();
                    row.entries()
                            .forEach(entry ->
                                    values.put(entry.getKey(), entry.getValue().getStringValue()));
                    return values;
                })
                .toList();
    }

    private static <T> List<T> orEmpty(@Nullable List<T> list) {
        return list == null ? List.of() : list;
    }

    private static String orBlank(@Nullable String text) {
        return text == null ? "" : text;
    }
}
