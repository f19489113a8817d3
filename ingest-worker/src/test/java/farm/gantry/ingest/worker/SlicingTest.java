package farm.gantry.ingest.worker;

import static farm.gantry.part.Processing.StageKey.estimate;
import static farm.gantry.part.Processing.StageStatus.done;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import farm.gantry.RecordBuilder;
import farm.gantry.file.FileUri;
import farm.gantry.ingest.bundle.ProfileBundles;
import farm.gantry.ingest.file.FolderFiles;
import farm.gantry.ingest.file.PartFileStorage;
import farm.gantry.ingest.gcode.GcodeReader;
import farm.gantry.ingest.mesh.BuildItem;
import farm.gantry.ingest.mesh.Scene;
import farm.gantry.ingest.mesh.StlFile;
import farm.gantry.ingest.mesh.Transform;
import farm.gantry.ingest.mesh.Volume;
import farm.gantry.ingest.reading.GcodeMetadata;
import farm.gantry.ingest.sample.Solids;
import farm.gantry.ingest.sample.ThreemfFiles;
import farm.gantry.ingest.slicer.SliceSettingsResolver;
import farm.gantry.ingest.slicer.Slicers;
import farm.gantry.ingest.slicer.Slicers.SliceJob;
import farm.gantry.ingest.threemf.PrusaProject;
import farm.gantry.ingest.threemf.ThreemfReader;
import farm.gantry.ingest.tool.Sandbox;
import farm.gantry.ingest.tool.Tool;
import farm.gantry.ingest.tool.ToolLimits;
import farm.gantry.ingest.tool.Tools;
import farm.gantry.part.Part;
import farm.gantry.part.PartParameter;
import farm.gantry.part.SlicingEstimate;
import farm.gantry.wire.IngestRequest;
import farm.gantry.wire.SliceRequest;
import farm.gantry.wire.SliceResult;
import farm.gantry.wire.SliceSetup;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlicingTest {
    private static final SliceSetup.Profile MACHINE = new SliceSetup.Profile(
            "m".repeat(24),
            "Box printer",
            "",
            Map.of("bed_shape", List.of("0x0", "200x0", "200x200", "0x200"), "nozzle_diameter", "0.4,0.4"),
            null);
    private static final SliceSetup.Profile PROCESS = new SliceSetup.Profile(
            "p".repeat(24), "Coarse", "", Map.of("layer_height", 0.25, "first_layer_height", 0.25), null);
    private static final List<SliceSetup.Profile> FILAMENTS =
            List.of(filament("PETG", 1.27, 240, 85), filament("PLA", 1.24, 215, 60));

    @TempDir
    Path folder;

    private static SliceSetup.Profile filament(String type, double density, int nozzle, int bed) {
        return new SliceSetup.Profile(
                "f".repeat(24),
                type,
                "",
                Map.of(
                        "filament_type",
                        type,
                        "filament_density",
                        density,
                        "first_layer_temperature",
                        nozzle,
                        "first_layer_bed_temperature",
                        bed),
                null);
    }

    private static SliceSetup setup(boolean arrangeable) {
        return new SliceSetup(MACHINE, null, PROCESS, FILAMENTS, false, arrangeable, null);
    }

    private static void assumePrusaSlicer() {
        assumeTrue(Tools.DEFAULTS.prusaSlicer().isInstalled(), "PrusaSlicer is not installed");
    }

    private Path box() throws IOException {
        return Files.writeString(folder.resolve("box.stl"), Solids.text("box", Solids.box(0, 0, 0, 20, 20, 10)));
    }

    private IngestedPart ingest(Path part, Part.Type type, @Nullable SliceSetup setup, Tools tools) throws IOException {
        var files = new FolderFiles(folder.resolve("kept"));
        IngestRequest plain = IngestedPart.request(files, part, type);
        return IngestedPart.of(
                folder,
                files,
                new IngestRequest(
                        plain.storeId(),
                        plain.partId(),
                        plain.workflowKey(),
                        1,
                        type,
                        plain.fileUris(),
                        plain.fileHashes(),
                        List.of(),
                        setup,
                        false,
                        List.of()),
                tools);
    }

    private static SlicingEstimate estimated(IngestedPart ingest) {
        assertThat(ingest.error(estimate)).isEmpty();
        return Objects.requireNonNull(ingest.findings(estimate).slicingEstimate());
    }

    @Test
    void estimateOfAModelComesFromItsGcode() throws IOException {
        assumePrusaSlicer();
        SlicingEstimate made = estimated(ingest(box(), Part.Type.stl, setup(true), Tools.DEFAULTS));
        assertThat(made.estimatedPrintTimeSeconds()).isBetween(60L, 3600L);
        assertThat(made.slicerVersion()).startsWith("slicer3 ");
        assertThat(made.layerCount()).isEqualTo(40);
        assertThat(made.firstLayer()).isEqualTo(new SlicingEstimate.FirstLayer(85.0, 240.0));
        assertThat(made.materials()).hasSize(1);
        assertThat(made.materials().getFirst().materialType()).isEqualTo("PETG");
        assertThat(made.totalWeightGrams())
                .isEqualTo(made.materials().getFirst().usedGrams())
                .isPositive();
        assertThat(made.profiles())
                .isEqualTo(new SlicingEstimate.Profiles(
                        List.of("f".repeat(24), "f".repeat(24)),
                        List.of("PETG", "PLA"),
                        "m".repeat(24),
                        "Box printer",
                        "p".repeat(24),
                        "Coarse"));
    }

    @Test
    void eachPlateIsSlicedWithTheFilamentsOfItsVolumes() throws IOException {
        assumePrusaSlicer();
        IngestedPart ingest =
                ingest(ThreemfFiles.production().write(folder), Part.Type.THREE_MF, setup(false), Tools.DEFAULTS);
        List<SlicingEstimate.Plate> plates =
                Objects.requireNonNull(estimated(ingest).plates());
        assertThat(plates).extracting(SlicingEstimate.Plate::plateId).containsExactly(1, 2);
        assertThat(plates.getFirst().materials())
                .extracting(SlicingEstimate.Material::index, SlicingEstimate.Material::materialType)
                .containsExactly(tuple(1, "PLA"));
        assertThat(estimated(ingest).estimatedPrintTimeSeconds())
                .isEqualTo(plates.stream()
                        .mapToLong(SlicingEstimate.Plate::estimatedPrintTimeSeconds)
                        .sum());
    }

    private SliceRequest request(
            FolderFiles files, Path part, Part.Type type, SliceSetup setup, @Nullable Integer plate)
            throws IOException {
        IngestRequest plain = IngestedPart.request(files, part, type);
        return new SliceRequest(
                plain.storeId(),
                "j".repeat(24),
                plain.partId(),
                type,
                plain.fileUris(),
                plain.fileHashes(),
                plate,
                List.of(),
                setup,
                true);
    }

    private SliceResult slice(PartFileStorage files, SliceRequest request, Tools tools) {
        return new Worker(files, folder.resolve("work"), IngestedPart.toolchain(tools)).slice(request);
    }

    private static String gcode(FolderFiles files, SliceResult answer) throws IOException {
        assertThat(answer.error()).isNull();
        String uri = Objects.requireNonNull(answer.sliced()).gcodeUri();
        return Files.readString(files.path(FileUri.parse(uri).orElseThrow()));
    }

    @Test
    void plateIsSlicedOnceForTheSameInput() throws IOException {
        assumePrusaSlicer();
        var files = new FolderFiles(folder.resolve("kept"));
        SliceRequest request = request(files, box(), Part.Type.stl, setup(true), null);
        SliceResult first = slice(files, request, Tools.DEFAULTS);
        String gcode = gcode(files, first);
        SliceResult.Sliced made = Objects.requireNonNull(first.sliced());
        assertThat(made.cached()).isFalse();
        assertThat(made.size()).isEqualTo(gcode.length());

        SliceResult.Sliced again =
                Objects.requireNonNull(slice(files, request, Tools.DEFAULTS).sliced());
        assertThat(again.cached()).isTrue();
        assertThat(again.gcodeUri()).isEqualTo(made.gcodeUri());
        assertThat(again.estimate()).isEqualTo(made.estimate());

        SliceRequest other = new SliceRequest(
                request.storeId(),
                request.sliceId(),
                request.partId(),
                request.type(),
                request.fileUris(),
                request.fileHashes(),
                null,
                List.of(),
                setup(false),
                true);
        assertThat(Objects.requireNonNull(slice(files, other, Tools.DEFAULTS).sliced())
                        .inputHash())
                .isNotEqualTo(made.inputHash());
    }

    @Test
    void jobWithoutAFilamentProfileIsRejected() throws IOException {
        assumePrusaSlicer();
        var files = new FolderFiles(folder.resolve("kept"));
        var cold = new SliceSetup(MACHINE, null, PROCESS, List.of(), false, true, null);
        assertThat(slice(files, request(files, box(), Part.Type.stl, cold, null), Tools.DEFAULTS)
                        .error())
                .startsWith("No filament profile says at which temperatures to print");
    }

    @Test
    void projectOfTwoFilamentsIsSlicedWithOneOnlyWhenAccepted() throws IOException {
        assumePrusaSlicer();
        var files = new FolderFiles(folder.resolve("kept"));
        Path project = ThreemfFiles.production()
                .replace("Metadata/model_settings.config", text -> text.replace("modifier_part", "normal_part"))
                .write(folder);
        SliceRequest chosen = request(files, project, Part.Type.THREE_MF, setup(true), 2);
        SliceRequest notAccepted = RecordBuilder.copyOf(chosen)
                .with(SliceRequest::acceptsOneFilament, false)
                .build();
        assertThat(slice(files, notAccepted, Tools.DEFAULTS).error())
                .startsWith("The plate prints with 2 filaments, and PrusaSlicer slices it for this printer with 1");
        assertThat(slice(files, chosen, Tools.DEFAULTS).error()).isNull();
    }

    private IngestedPart ingest(Path part, SliceSetup setup, List<SliceSetup> others) throws IOException {
        var files = new FolderFiles(folder.resolve("kept"));
        IngestRequest request = RecordBuilder.copyOf(IngestedPart.request(files, part, Part.Type.stl))
                .with(IngestRequest::setup, setup)
                .with(IngestRequest::otherSetups, others)
                .build();
        return IngestedPart.of(folder, files, request, Tools.DEFAULTS);
    }

    private static SliceSetup onMachine(String name, int bed, double layerHeight) {
        String side = String.valueOf(bed);
        var machine = new SliceSetup.Profile(
                name,
                name,
                "",
                Map.of(
                        "bed_shape",
                        List.of("0x0", side + "x0", side + "x" + side, "0x" + side),
                        "nozzle_diameter",
                        "0.4"),
                null);
        var process = new SliceSetup.Profile(
                "p".repeat(24), "P", "", Map.of("layer_height", layerHeight, "first_layer_height", 0.2), null);
        return new SliceSetup(machine, null, process, FILAMENTS, false, true, null);
    }

    @Test
    void estimateHasTheRangeOverSuitablePrinters() throws IOException {
        assumePrusaSlicer();
        SlicingEstimate made =
                estimated(ingest(box(), onMachine("Common", 200, 0.2), List.of(onMachine("Fine", 200, 0.1))));
        SlicingEstimate.Range range = Objects.requireNonNull(made.range());
        assertThat(Objects.requireNonNull(made.profiles()).machineProfileName()).isEqualTo("Common");
        assertThat(range.machineProfileNames()).containsExactly("Common", "Fine");
        assertThat(range.minPrintTimeSeconds()).isEqualTo(made.estimatedPrintTimeSeconds());
        assertThat(range.maxPrintTimeSeconds()).isGreaterThan(made.estimatedPrintTimeSeconds());
    }

    @Test
    void partThatFitsOnlyTheLargerPrinterIsEstimatedForIt() throws IOException {
        assumePrusaSlicer();
        Path bar = Files.writeString(folder.resolve("bar.stl"), Solids.text("bar", Solids.box(0, 0, 0, 215, 20, 10)));
        SlicingEstimate made =
                estimated(ingest(bar, onMachine("Small", 180, 0.2), List.of(onMachine("Large", 300, 0.2))));
        assertThat(Objects.requireNonNull(made.profiles()).machineProfileName()).isEqualTo("Large");
        assertThat(estimated(ingest(bar, SliceSetup.PLAIN, List.of())).estimatedPrintTimeSeconds())
                .isPositive();
    }

    @Test
    void estimateWithoutAFilamentProfileHasNoColour() throws IOException {
        assumePrusaSlicer();
        SlicingEstimate made = estimated(ingest(box(), Part.Type.stl, null, Tools.DEFAULTS));
        assertThat(made.materials().getFirst().color()).isNull();
    }

    /** Returns the middle between the smallest and the largest X of the print's first layer. */
    private static double middleX(String gcode) {
        var moves = gcode.lines()
                .filter(line -> line.startsWith("G1 X") && line.contains(" E"))
                .mapToDouble(line -> Double.parseDouble(line.substring(4, line.indexOf(' ', 4))))
                .summaryStatistics();
        return (moves.getMin() + moves.getMax()) / 2;
    }

    @Test
    void objectsOfANonArrangeablePlateKeepTheirPositions() throws IOException {
        assumePrusaSlicer();
        var files = new FolderFiles(folder.resolve("kept"));
        Path project = ThreemfFiles.production().write(folder);
        String unchanged = gcode(
                files, slice(files, request(files, project, Part.Type.THREE_MF, setup(false), 2), Tools.DEFAULTS));
        assertThat(middleX(unchanged)).isCloseTo(25, within(1.0));
        String arranged =
                gcode(files, slice(files, request(files, project, Part.Type.THREE_MF, setup(true), 2), Tools.DEFAULTS));
        assertThat(middleX(arranged)).isCloseTo(100, within(2.0));
    }

    @Test
    @EnabledIfSystemProperty(named = "corpus", matches = ".+", disabledReason = "the corpus is not given (-Dcorpus=…)")
    void projectOfANewerSlicerIsSlicedWithItsEmbeddedProcess() throws IOException {
        assumePrusaSlicer();
        Path project = Path.of(System.getProperty("corpus", "")).resolve("files/project3mf/Shape-Box.3mf");
        SliceSetup own = new SliceSetup(null, null, null, List.of(), true, true, null);
        SlicingEstimate made = estimated(ingest(project, Part.Type.THREE_MF, own, Tools.DEFAULTS));
        assertThat(Objects.requireNonNull(made.profiles()).processProfileName()).isEqualTo("embedded in the file");
        assertThat(made.firstLayer()).isNotEqualTo(new SlicingEstimate.FirstLayer(0.0, 200.0));
    }

    /** Slices a project that embeds these settings of PrusaSlicer, in a folder that the slicer may write to. */
    private Path slicedWith(String embedded, SliceSetup setup) throws IOException {
        Path project = ThreemfFiles.production()
                .with("Metadata/Slic3r_PE.config", embedded)
                .write(folder);
        var slicers = new Slicers(Tools.DEFAULTS, new SliceSettingsResolver(() -> new ProfileBundles(Map.of())));
        SliceJob job = slicers.prepare(setup, "slicer3", ThreemfReader.readEmbeddedSettings(project), null);
        Scene scene = Objects.requireNonNull(
                new ThreemfReader(Part.Type.THREE_MF).plates(project).get(1));
        Path slicing = Files.createTempDirectory(folder, "slice-");
        assertThat(slicers.slice(job, scene, project, 1, slicing)).isNotEmptyFile();
        return slicing;
    }

    @Test
    void projectSettingThatRunsAProgramIsIgnored() throws IOException {
        assumePrusaSlicer();
        SliceSetup own = new SliceSetup(null, null, null, List.of(), true, true, null);
        assertThat(slicedWith("; use_relative_e_distances = 1\n; post_process  = /usr/bin/touch ran\n", own)
                        .resolve("ran"))
                .doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"post_process ", " post_process", "layer_height = 0.2\npost_process"})
    void profileSettingThatRunsAProgramIsIgnored(String key) throws IOException {
        assumePrusaSlicer();
        var process = new SliceSetup.Profile("p".repeat(24), "Evil", "", Map.of(key, "/usr/bin/touch ran"), null);
        SliceSetup own = new SliceSetup(null, process, null, List.of(), false, true, null);
        assertThat(slicedWith("", own).resolve("ran")).doesNotExist();
    }

    @Test
    void charactersMissingFromTheFontAreWarnedAboutInTheAnswer() throws IOException {
        assumePrusaSlicer();
        var files = new FolderFiles(folder.resolve("kept"));
        Path tag = ThreemfFiles.production()
                .replace(
                        "Metadata/model_settings.config",
                        text -> text.replace(
                                "<part id=\"2\" subtype=\"modifier_part\">",
                                "<part id=\"2\" subtype=\"normal_part\"><text_info text=\"NAME\""
                                        + " font_version=\"2.0\"/>"))
                .write(folder);
        String key = Objects.requireNonNull(Objects.requireNonNull(
                                new ThreemfReader(Part.Type.THREE_MF).read(tag).metadata())
                        .textSlots())
                .getFirst()
                .key();
        SliceRequest plain = request(files, tag, Part.Type.THREE_MF, setup(true), 2);
        assertThat(Objects.requireNonNull(slice(files, plain, Tools.DEFAULTS).sliced())
                        .warnings())
                .isNull();
        SliceRequest lettered = new SliceRequest(
                plain.storeId(),
                plain.sliceId(),
                plain.partId(),
                plain.type(),
                plain.fileUris(),
                plain.fileHashes(),
                2,
                List.of(new PartParameter(
                        key,
                        PartParameter.Type.string,
                        "Ilse 木",
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null)),
                plain.setup(),
                true);
        SliceResult answer = slice(files, lettered, Tools.DEFAULTS);
        assertThat(answer.error()).isNull();
        assertThat(Objects.requireNonNull(answer.sliced()).warnings())
                .singleElement(STRING)
                .contains("木");
    }

    /** Returns a plate on a pillar; supports are generated only where they are painted. */
    private Path overhang(String paint) throws IOException {
        String roof = Solids.object("1", Solids.box(0, 0, 20, 30, 30, 2))
                .replace("<triangle v1", "<triangle" + paint + " v1");
        return ThreemfFiles.production()
                .with(
                        "3D/Objects/object_1.model",
                        "<model xmlns=\"http://schemas.microsoft.com/3dmanufacturing/core/2015/02\"><resources>"
                                + roof + Solids.object("2", Solids.box(0, 0, 0, 6, 6, 21))
                                + "</resources><build/></model>")
                .replace("Metadata/model_settings.config", text -> text.replace("modifier_part", "normal_part"))
                .write(folder);
    }

    @Test
    void paintedSupportsOfBambuStudioAreSlicedByPrusaSlicer() throws IOException {
        assumePrusaSlicer();
        var files = new FolderFiles(folder.resolve("kept"));
        var process = new SliceSetup.Profile(
                "p".repeat(24), "Supports", "", Map.of("support_material", "1", "support_material_auto", "0"), null);
        var setup = new SliceSetup(MACHINE, process, null, FILAMENTS, false, false, null);
        String held = ";TYPE:Support material";
        assertThat(gcode(
                        files,
                        slice(files, request(files, overhang(""), Part.Type.THREE_MF, setup, 2), Tools.DEFAULTS)))
                .doesNotContain(held);
        assertThat(gcode(
                        files,
                        slice(
                                files,
                                request(files, overhang(" paint_supports=\"4\""), Part.Type.THREE_MF, setup, 2),
                                Tools.DEFAULTS)))
                .contains(held);
    }

    @Test
    void stlOfUnjoinedTrianglesIsSlicedAsByPrusaSlicerDirectly() throws IOException {
        assumePrusaSlicer();
        Path drum = folder.resolve("drum.stl");
        StlFile.write(Scene.of("drum", Solids.cylinder(30, 10, 700)), drum);
        assertSlicedAsDirectly(drum, Part.Type.stl);
    }

    @ParameterizedTest
    @ValueSource(strings = {"stl/20mmbox-LF.stl", "stl/Prusa.stl", "step/cube.step"})
    @EnabledIfSystemProperty(named = "corpus", matches = ".+", disabledReason = "the corpus is not given (-Dcorpus=…)")
    void workerSlicesAsPrusaSlicerDoesDirectly(String file) throws IOException {
        assertSlicedAsDirectly(file);
    }

    /** PrusaSlicer's STEP reader loses the conical face of this model and leaves a hole. */
    @Test
    @EnabledIfSystemProperty(named = "corpus", matches = ".+", disabledReason = "the corpus is not given (-Dcorpus=…)")
    void stepModelThatLosesAFaceIsRejected() throws IOException {
        assumePrusaSlicer();
        IngestedPart part =
                ingest(corpusFile("step/conical-surface.step"), Part.Type.step, SliceSetup.PLAIN, Tools.DEFAULTS);
        assertThat(part.last().stage().error()).contains("is not closed");
    }

    /** PrusaSlicer takes twenty seconds for this model, and slices it twice. */
    @Test
    @Tag("full")
    @EnabledIfSystemProperty(named = "corpus", matches = ".+", disabledReason = "the corpus is not given (-Dcorpus=…)")
    void workerSlicesALargeModelAsPrusaSlicerDoesDirectly() throws IOException {
        assertSlicedAsDirectly("step/SpeedTest_orca.step");
    }

    private void assertSlicedAsDirectly(String file) throws IOException {
        assumePrusaSlicer();
        assertSlicedAsDirectly(corpusFile(file), file.endsWith("stl") ? Part.Type.stl : Part.Type.step);
    }

    private static Path corpusFile(String file) {
        return Path.of(System.getProperty("corpus", "")).resolve("files").resolve(file);
    }

    private void assertSlicedAsDirectly(Path file, Part.Type type) throws IOException {
        SlicingEstimate ours = estimated(ingest(file, type, SliceSetup.PLAIN, Tools.DEFAULTS));
        Path direct = Files.createDirectories(folder.resolve("direct"));
        Files.copy(file, direct.resolve("in." + type));
        List<String> settings = List.of("--filament-density", "1.24", "--filament-type", "PLA");
        Tools.DEFAULTS
                .prusaSlicer()
                .run(
                        direct,
                        Stream.concat(
                                        settings.stream(),
                                        Stream.of("--export-gcode", "--output", "out.gcode", "in." + type))
                                .toList());
        GcodeMetadata theirs = GcodeReader.readMetadata(direct.resolve("out.gcode"));
        assertThat((double) ours.estimatedPrintTimeSeconds())
                .isCloseTo(Objects.requireNonNull(theirs.estimatedSeconds()), withinPercentage(1));
        assertThat(ours.totalWeightGrams()).isCloseTo(theirs.filaments().grams(0), withinPercentage(1));
    }

    @Test
    void sliceRequestForAMissingPlateIsRejected() throws IOException {
        assumePrusaSlicer();
        var files = new FolderFiles(folder.resolve("kept"));
        SliceRequest request =
                request(files, ThreemfFiles.production().write(folder), Part.Type.THREE_MF, setup(true), 7);
        assertThat(slice(files, request, Tools.DEFAULTS).error()).isEqualTo("The part has no plate 7");
    }

    @Test
    void missingSlicerIsReportedForEstimatesAndJobs() throws IOException {
        var files = new FolderFiles(folder.resolve("kept"));
        SliceResult answer = slice(files, request(files, box(), Part.Type.stl, setup(true), null), IngestedPart.TOOLS);
        assertThat(answer.error()).isEqualTo("PrusaSlicer is not installed on the worker that slices parts");
        SliceSetup wish = new SliceSetup(null, null, null, List.of(), false, true, "slicer1");
        assertThat(ingest(box(), Part.Type.stl, wish, Tools.DEFAULTS).error(estimate))
                .isEqualTo("OrcaSlicer is not installed on the worker that slices parts");
    }

    private static final SliceSetup.Profile ORCA_MACHINE =
            new SliceSetup.Profile("m".repeat(24), "Orca box", "", Map.of("machine_start_gcode", "G28"), "slicer1");

    private Tools withOrca(String script) {
        return withOrca(new Tool("OrcaSlicer", List.of("sh", "-c", script, "orca"), ToolLimits.DEFAULTS));
    }

    private Tools withOrca(Tool orca) {
        return new Tools(
                Tools.DEFAULTS.openscad(),
                Tools.DEFAULTS.tessellator(),
                Tools.DEFAULTS.prusaSlicer(),
                null,
                null,
                orca,
                null,
                null,
                false);
    }

    @Test
    void modelIsSlicedByTheSlicerOfItsProfiles() throws IOException {
        assumePrusaSlicer();
        var files = new FolderFiles(folder.resolve("kept"));
        var setup = new SliceSetup(ORCA_MACHINE, null, null, FILAMENTS, false, true, null);
        SliceRequest request = request(files, box(), Part.Type.stl, setup, null);
        assertThat(slice(files, request, withOrca("echo 'The print is empty.' >&2; exit 1"))
                        .error())
                .isEqualTo("OrcaSlicer could not slice the part: no wall of the part is thick enough to be printed with"
                        + " these settings");
        assertThat(slice(files, request, Tools.DEFAULTS).error())
                .isEqualTo("OrcaSlicer is not installed on the worker that slices parts");
    }

    @ParameterizedTest
    @ValueSource(strings = {"slicer1", "slicer3"})
    void ambiguousProfileNameResolvesToTheSlicerOfTheMachine(String machineSlicer) throws IOException {
        assumePrusaSlicer();
        Map<String, Path> folders = new HashMap<>();
        for (String slicer : List.of("slicer1", "slicer3")) {
            Path bundle = Files.createDirectories(folder.resolve(slicer));
            Files.writeString(bundle.resolve("Maker.ini"), "[print:Fine]\nfrom = " + slicer + "\n");
            folders.put(slicer, bundle);
        }
        var slicers = new Slicers(withOrca("exit 1"), new SliceSettingsResolver(() -> new ProfileBundles(folders)));
        var machine = new SliceSetup.Profile("m".repeat(24), "Box", "", Map.of(), machineSlicer);
        var process = new SliceSetup.Profile("p".repeat(24), "Mine", "Fine", Map.of(), null);
        SliceJob job = slicers.prepare(
                new SliceSetup(machine, process, null, List.of(), false, true, null), null, Map.of(), null);
        assertThat(job.engine()).isEqualTo(machineSlicer);
        assertThat(job.settings().process()).isEqualTo(Map.of("from", machineSlicer));
    }

    @Test
    void profileOfAnotherSlicerFamilyIsRejected() throws IOException {
        assumePrusaSlicer();
        var files = new FolderFiles(folder.resolve("kept"));
        var wish = new SliceSetup(ORCA_MACHINE, null, null, List.of(), false, true, "slicer3");
        assertThat(slice(files, request(files, box(), Part.Type.stl, wish, null), Tools.DEFAULTS)
                        .error())
                .isEqualTo("The machine profile 'Orca box' is for OrcaSlicer, and PrusaSlicer cannot slice with it");
        var mixed = new SliceSetup(
                ORCA_MACHINE,
                null,
                new SliceSetup.Profile("p".repeat(24), "Fine", "", Map.of(), "slicer4"),
                List.of(),
                false,
                true,
                null);
        assertThat(slice(files, request(files, box(), Part.Type.stl, mixed, null), withOrca("exit 1"))
                        .error())
                .isEqualTo("The process profile 'Fine' is for SuperSlicer, and OrcaSlicer cannot slice with it");
    }

    /** Returns a fake slicer that records its arguments, and fails. */
    private Tool recorder() {
        String script = "(echo \"$@\"; cat machine.json process.json filament_1.json) > " + folder + "/call; exit 1";
        return new Tool("OrcaSlicer", List.of("sh", "-c", script, "orca"), ToolLimits.DEFAULTS, Sandbox.none());
    }

    @Test
    void orcaSlicerIsCalledWithItsOwnOptions() throws IOException {
        var files = new FolderFiles(folder.resolve("kept"));
        Tools tools = new Tools(
                Tools.DEFAULTS.openscad(),
                Tools.DEFAULTS.tessellator(),
                IngestedPart.TOOLS.prusaSlicer(),
                null,
                null,
                recorder(),
                null,
                null,
                false);
        SliceSetup wish = new SliceSetup(MACHINE, PROCESS, null, FILAMENTS, true, false, "slicer1");
        slice(files, request(files, ThreemfFiles.production().write(folder), Part.Type.THREE_MF, wish, 2), tools);
        assertThat(folder.resolve("call"))
                .content()
                .contains("--load-settings machine.json;process.json --load-filaments filament_0.json;filament_1.json")
                .contains("--arrange 0 --slice 2 --export-3mf out.gcode.3mf in.3mf")
                .contains("\"layer_height\":\"0.25\"")
                .contains("\"filament_type\":\"PLA\"");
    }

    @Test
    void embeddedProcessIsLeftToTheSlicerThatReadsIt() throws IOException {
        var files = new FolderFiles(folder.resolve("kept"));
        Path project = ThreemfFiles.production()
                .with(
                        "Metadata/slice_info.config",
                        "<config><header><header_item key=\"OrcaSlicer-Version\" value=\"2.3.0\"/></header></config>")
                .write(folder);
        Tools orca = withOrca(recorder());
        var own = new SliceSetup(MACHINE, null, PROCESS, FILAMENTS, true, false, "slicer1");
        slice(files, request(files, project, Part.Type.THREE_MF, own, 2), orca);
        assertThat(folder.resolve("call")).content().contains("--load-settings machine.json --load-filaments");
        var printers = new SliceSetup(MACHINE, null, PROCESS, FILAMENTS, false, false, "slicer1");
        slice(files, request(files, project, Part.Type.THREE_MF, printers, 2), orca);
        assertThat(folder.resolve("call"))
                .content()
                .contains("--load-settings machine.json;process.json --load-filaments");
    }

    @Test
    void embeddedProcessThatTheSlicerCannotReadRaisesAWarning() throws IOException {
        assumePrusaSlicer();
        var files = new FolderFiles(folder.resolve("kept"));
        Path project = ThreemfFiles.production().write(folder);
        var own = new SliceSetup(MACHINE, null, PROCESS, FILAMENTS, true, true, null);
        SliceResult answer = slice(files, request(files, project, Part.Type.THREE_MF, own, 2), Tools.DEFAULTS);
        assertThat(Objects.requireNonNull(answer.sliced()).warnings())
                .containsExactly("The process inside the file is not used, for PrusaSlicer cannot read it");
    }

    /**
     * Returns a PrusaSlicer project: a box of 10 mm height at 60, 70, with a modifier inside, and these settings and
     * entries.
     */
    private Path prusaProject(String ofObject, String ofModifier, Map<String, String> entries) throws IOException {
        Path project = folder.resolve("project.3mf");
        Transform place = Transform.translation(60, 70, 0);
        Volume body = new Volume("1", "Body", Volume.Kind.PART, 0, Solids.box(0, 0, 0, 20, 20, 10), place);
        Volume modifier = new Volume(
                "2", "Inside", Volume.Kind.MODIFIER, Volume.AS_AROUND, Solids.box(5, 5, 0, 10, 10, 10), place);
        PrusaProject.writeScene(new Scene(List.of(new BuildItem("1", "Box", List.of(body, modifier)))), project);
        try (FileSystem archive = FileSystems.newFileSystem(project)) {
            Path settings = archive.getPath("Metadata/Slic3r_PE_model.config");
            String modifierType = "value=\"ParameterModifier\"/>";
            Files.writeString(
                    settings,
                    Files.readString(settings)
                            .replace("value=\"Box\"/>", "value=\"Box\"/>" + ofObject)
                            .replace(modifierType, modifierType + ofModifier));
            for (var entry : entries.entrySet()) {
                Files.writeString(archive.getPath("Metadata/" + entry.getKey()), entry.getValue());
            }
        }
        return project;
    }

    /** Slices the project, checks its position and that there are no warnings, and returns the G-code. */
    private String whole(Path project) throws IOException {
        var files = new FolderFiles(folder.resolve("kept"));
        SliceResult answer =
                slice(files, request(files, project, Part.Type.THREE_MF, setup(false), null), Tools.DEFAULTS);
        String gcode = gcode(files, answer);
        assertThat(Objects.requireNonNull(answer.sliced()).warnings()).isNull();
        assertThat(middleX(gcode)).isCloseTo(70, within(1.0));
        return gcode;
    }

    private static long count(String gcode, String line) {
        return gcode.lines().filter(line::equals).count();
    }

    private static String setting(String type, String key, String value) {
        return "<metadata type=\"" + type + "\" key=\"" + key + "\" value=\"" + value + "\"/>";
    }

    @Test
    void prusaSlicerProjectKeepsItsObjectModifierAndHeightSettings() throws IOException {
        assumePrusaSlicer();
        String plain = whole(prusaProject("", "", Map.of()));
        assertThat(count(plain, ";LAYER_CHANGE")).isEqualTo(40);
        assertThat(count(plain, ";TYPE:Perimeter")).isEqualTo(40);
        String fine = whole(prusaProject(setting("object", "layer_height", "0.1"), "", Map.of()));
        assertThat(count(fine, ";LAYER_CHANGE")).isBetween(98L, 100L);
        String thick = whole(prusaProject("", setting("volume", "perimeters", "6"), Map.of()));
        assertThat(count(thick, ";TYPE:Perimeter")).isEqualTo(3 * 40);
        String ranges = whole(prusaProject("", "", Map.of("Prusa_Slicer_layer_config_ranges.xml", """
                <objects><object id="1"><range min_z="2" max_z="6">
                <option opt_key="extruder">0</option><option opt_key="layer_height">0.1</option></range></object></objects>
                """)));
        assertThat(count(ranges, ";LAYER_CHANGE")).isBetween(60L, 70L);
        String paused = whole(prusaProject("", "", Map.of("Prusa_Slicer_custom_gcode_per_print_z.xml", """
                <custom_gcodes_per_print_z><code print_z="4" type="1" extruder="1" color="" extra="" gcode="M601"/>
                <mode value="SingleExtruder"/></custom_gcodes_per_print_z>
                """)));
        assertThat(count(paused, "M601")).isEqualTo(1);
    }

    @Test
    void globalSettingsOfAPrusaSlicerProjectAreIgnored() throws IOException {
        assumePrusaSlicer();
        String gcode = whole(prusaProject(
                setting("object", "post_process", "/bin/false"),
                "",
                Map.of(
                        "Slic3r_PE.config",
                        "; start_gcode = M300 P7\n; post_process = /bin/false\n; perimeters = 9\n")));
        assertThat(gcode).doesNotContain("M300 P7", "/bin/false", "perimeters = 9");
    }

    @Test
    void lostObjectSettingsRaiseAWarning() throws IOException {
        assumePrusaSlicer();
        var files = new FolderFiles(folder.resolve("kept"));
        Path project = ThreemfFiles.production()
                .replace(
                        "Metadata/model_settings.config",
                        text -> text.replace(
                                "<part id=\"2\" subtype=\"modifier_part\">",
                                "<part id=\"2\" subtype=\"modifier_part\">"
                                        + "<metadata key=\"sparse_infill_density\" value=\"80%\"/>"))
                .with("Metadata/custom_gcode_per_layer.xml", "<custom_gcodes_per_layer/>")
                .write(folder);
        SliceResult answer = slice(files, request(files, project, Part.Type.THREE_MF, setup(true), 2), Tools.DEFAULTS);
        assertThat(Objects.requireNonNull(answer.sliced()).warnings())
                .containsExactly("These settings of single objects, modifiers and heights in the file are not used:"
                        + " custom G-code, sparse_infill_density");
    }

    @Test
    void gcodeIsExtractedFromTheArchiveOfOrcaSlicer() throws IOException {
        Path made = ThreemfFiles.sliced().write(folder);
        Tools tools = new Tools(
                Tools.DEFAULTS.openscad(),
                Tools.DEFAULTS.tessellator(),
                IngestedPart.TOOLS.prusaSlicer(),
                null,
                null,
                new Tool(
                        "OrcaSlicer",
                        List.of("sh", "-c", "base64 -d > out.gcode.3mf <<E\n" + base64(made) + "\nE\n", "orca"),
                        ToolLimits.DEFAULTS),
                null,
                null,
                false);
        IngestedPart ingest = ingest(box(), Part.Type.stl, null, tools);
        assertThat(ingest.end(estimate).stage().status()).isEqualTo(done);
        assertThat(estimated(ingest).estimatedPrintTimeSeconds()).isEqualTo(1216);
    }

    private static String base64(Path file) throws IOException {
        return Base64.getEncoder().encodeToString(Files.readAllBytes(file));
    }
}
