package farm.gantry.ingest.worker;

import static farm.gantry.part.Processing.StageKey.READ_METADATA;
import static farm.gantry.part.Processing.StageKey.fetch;
import static farm.gantry.part.Processing.StageKey.thumbnails;
import static farm.gantry.part.Processing.StageStatus.done;
import static farm.gantry.part.Processing.StageStatus.failed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import farm.gantry.Id;
import farm.gantry.RecordBuilder;
import farm.gantry.file.FileUri;
import farm.gantry.ingest.file.FolderFiles;
import farm.gantry.ingest.mesh.Mesh;
import farm.gantry.ingest.mesh.Scene;
import farm.gantry.ingest.mesh.Stl;
import farm.gantry.ingest.mesh.Transform;
import farm.gantry.ingest.reading.Bounds;
import farm.gantry.ingest.reading.FileHash;
import farm.gantry.ingest.sample.Solids;
import farm.gantry.ingest.sample.StepBalls;
import farm.gantry.ingest.tool.Sandbox;
import farm.gantry.ingest.tool.Tool;
import farm.gantry.ingest.tool.ToolLimits;
import farm.gantry.ingest.tool.Tools;
import farm.gantry.part.Part;
import farm.gantry.part.PartParameter;
import farm.gantry.wire.IngestRequest;
import farm.gantry.wire.StageReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ingests OpenSCAD, Python and STEP models with the tools that are installed on this machine. */
class CadTest {
    private static final String BOX = """
            width = 20; // [10:100]
            cube([width, 10, 5]);
            """;

    @TempDir
    Path folder;

    private static void assumeOpenscad() {
        assumeTrue(Tools.DEFAULTS.openscad().isInstalled(), "OpenSCAD is not installed");
    }

    private static void assumePrusaSlicer() {
        assumeTrue(Tools.DEFAULTS.prusaSlicer().isInstalled(), "PrusaSlicer is not installed");
    }

    private Path scad(String text) throws IOException {
        return Files.writeString(folder.resolve("model.scad"), text);
    }

    private static StageReport.Mesh mesh(IngestedPart ingest) {
        return Objects.requireNonNull(ingest.findings(READ_METADATA).mesh());
    }

    private static Bounds bounds(IngestedPart ingest) throws IOException {
        FileUri uri = FileUri.parse(Objects.requireNonNull(mesh(ingest).uri())).orElseThrow();
        return Stl.read(((FolderFiles) ingest.files()).path(uri)).bounds(Transform.NONE);
    }

    @Test
    void openscadModelIsRenderedAndDrawn() throws IOException {
        assumeOpenscad();
        IngestedPart ingest = IngestedPart.of(folder, scad(BOX), Part.Type.scad);
        assertThat(bounds(ingest)).isEqualTo(new Bounds(0, 0, 0, 20, 10, 5));
        assertThat(mesh(ingest).sourceHash())
                .isEqualTo(ingest.request().fileHashes().getFirst());
        assertThat(ingest.findings(READ_METADATA).parameters())
                .extracting(PartParameter::name)
                .containsExactly("width");
        assertThat(ingest.findings(thumbnails).thumbnailUri()).endsWith(".png");
    }

    @Test
    void openscadModelIsRenderedWithTheParameterValues() throws IOException {
        assumeOpenscad();
        var files = new FolderFiles(folder.resolve("kept"));
        IngestRequest plain = IngestedPart.request(files, scad(BOX), Part.Type.scad);
        PartParameter width = Objects.requireNonNull(IngestedPart.of(folder, files, plain)
                        .findings(READ_METADATA)
                        .parameters())
                .getFirst()
                .withValue(44.5);
        IngestedPart wide = IngestedPart.of(
                folder,
                files,
                new IngestRequest(
                        plain.storeId(),
                        plain.partId(),
                        plain.workflowKey(),
                        2,
                        plain.type(),
                        plain.fileUris(),
                        plain.fileHashes(),
                        List.of(width),
                        null,
                        false,
                        List.of()));
        assertThat(bounds(wide).width()).isEqualTo(44.5);
        assertThat(wide.findings(READ_METADATA).parameters()).containsExactly(width);
    }

    @Test
    void parameterValueOfTheWrongTypeIsIgnored() throws IOException {
        assumeOpenscad();
        var files = new FolderFiles(folder.resolve("kept"));
        IngestRequest request = RecordBuilder.copyOf(IngestedPart.request(files, scad(BOX), Part.Type.scad))
                .with(
                        IngestRequest::parameters,
                        List.of(RecordBuilder.of(PartParameter.class)
                                .with(PartParameter::name, "width")
                                .with(PartParameter::type, PartParameter.Type.string)
                                .with(PartParameter::value, "wide")
                                .build()))
                .build();
        IngestedPart ingest = IngestedPart.of(folder, files, request);
        assertThat(bounds(ingest).width()).isEqualTo(20);
        assertThat(ingest.findings(READ_METADATA).parameters())
                .singleElement()
                .satisfies(width -> assertThat(width.faults()).isEmpty());
    }

    private static final PartParameter LOGO = RecordBuilder.of(PartParameter.class)
            .with(PartParameter::name, "logo")
            .with(PartParameter::type, PartParameter.Type.file)
            .build();

    /** Ingests a model that imports the file of the parameter {@code logo}. */
    private IngestedPart withLogo(FolderFiles files, Part.Type type, PartParameter logo) throws IOException {
        IngestRequest plain = IngestedPart.request(files, scad("logo = \"\";\nimport(logo);\n"), type);
        return IngestedPart.of(
                folder,
                files,
                RecordBuilder.copyOf(plain)
                        .with(IngestRequest::parameters, List.of(logo))
                        .build());
    }

    private FileUri box(FolderFiles files, double width) throws IOException {
        FileUri uri = FileUri.file(IngestedPart.STORE, Id.next(), Id.next() + "/a box.stl");
        Path box = folder.resolve("box.stl");
        Stl.write(Scene.of("box", Solids.box(0, 0, 0, width, 8, 9)), box);
        files.put(uri, box);
        return uri;
    }

    @Test
    void modelReadsTheFileOfAParameter() throws IOException {
        assumeOpenscad();
        var files = new FolderFiles(folder.resolve("kept"));
        String one = box(files, 7).toString();
        IngestedPart given = withLogo(files, Part.Type.scad, LOGO.withValue(one));
        assertThat(bounds(given)).isEqualTo(new Bounds(0, 0, 0, 7, 8, 9));
        assertThat(given.findings(READ_METADATA).parameters()).containsExactly(LOGO.withValue(one));
        PartParameter fallback = RecordBuilder.copyOf(LOGO)
                .with(PartParameter::defaultUri, box(files, 11).toString())
                .build();
        assertThat(bounds(withLogo(files, Part.Type.scad, fallback)).width()).isEqualTo(11);
        assertThat(bounds(withLogo(files, Part.Type.scad, fallback.withValue(one))).width())
                .isEqualTo(7);
    }

    @Test
    void modelFailsWithoutTheFileOfAParameter() throws IOException {
        assumeOpenscad();
        var files = new FolderFiles(folder.resolve("kept"));
        FileUri gone = FileUri.file(IngestedPart.STORE, Id.next(), "gone.stl");
        assertThat(withLogo(files, Part.Type.scad, LOGO.withValue(gone.toString())).error(fetch))
                .startsWith("The file for 'logo' is not there");
        String foreign = box(files, 7).toString().replace(IngestedPart.STORE, "t".repeat(24));
        assertThat(withLogo(files, Part.Type.scad, LOGO.withValue(foreign)).error(fetch))
                .startsWith("The value of 'logo' is not the address of a kept file");
        assertThat(withLogo(files, Part.Type.scad, LOGO.withValue("/etc/passwd")).error(fetch))
                .startsWith("The value of 'logo' is not the address of a kept file");
    }

    /** Ingests the model with another file beside it. */
    private IngestedPart withFileBeside(Path model, Part.Type type, String name, String content, Tools tools)
            throws IOException {
        var files = new FolderFiles(folder.resolve("kept"));
        IngestRequest plain = IngestedPart.request(files, model, type);
        FileUri uri = FileUri.file(IngestedPart.STORE, plain.partId(), "upload/" + name);
        Path beside = Files.writeString(folder.resolve("beside"), content);
        files.put(uri, beside);
        return IngestedPart.of(
                folder,
                files,
                new IngestRequest(
                        plain.storeId(),
                        plain.partId(),
                        plain.workflowKey(),
                        1,
                        type,
                        List.of(plain.fileUris().getFirst(), uri.toString()),
                        List.of(plain.fileHashes().getFirst(), FileHash.of(beside)),
                        List.of(),
                        null,
                        false,
                        List.of()),
                tools);
    }

    @Test
    void modelIncludesAdditionalFiles() throws IOException {
        assumeOpenscad();
        Path model = scad("use <sizes.scad>\ncube([wide(), 1, 1]);\n");
        IngestedPart ingest =
                withFileBeside(model, Part.Type.scad, "sizes.scad", "function wide() = 37;", IngestedPart.TOOLS);
        assertThat(bounds(ingest).width()).isEqualTo(37);
        IngestedPart wider =
                withFileBeside(model, Part.Type.scad, "sizes.scad", "function wide() = 73;", IngestedPart.TOOLS);
        assertThat(bounds(wider).width()).isEqualTo(73);
        IngestedPart taken = withFileBeside(model, Part.Type.scad, "in.scad", "cube(1);", IngestedPart.TOOLS);
        assertThat(taken.error(fetch)).isEqualTo("No file beside the model may be called in.scad");
    }

    @Test
    void modelCannotReadFilesOfTheMachine() throws IOException {
        assumeOpenscad();
        IngestedPart ingest = IngestedPart.of(folder, scad("include </etc/passwd>\ncube(2);\n"), Part.Type.scad);
        assertThat(ingest.error(READ_METADATA)).contains("passwd").doesNotContain("passwd\", line");
    }

    @ParameterizedTest
    @EnumSource(names = {"scad", "cadquery", "build123d"})
    void modelThatIsAProgramIsRejectedWithoutASandbox(Part.Type type) throws IOException {
        Path secret = Files.writeString(folder.resolve("owner.key"), "the_owners_key");
        Path include = Files.writeString(folder.resolve("inc.txt"), "x = include <" + secret + "> ;\n");
        Path model = scad("include <" + include + ">\ny = rands(0, 1, 900000000);\n");
        Map<String, String> commands = Map.of("cadquery", "cat", "build123d", "cat");
        Tools open = Tools.configured(commands, ToolLimits.DEFAULTS, Tools.CAD_TIME, false, Sandbox.none());
        var files = new FolderFiles(folder.resolve("kept"));
        IngestRequest request = IngestedPart.request(files, model, type);
        IngestedPart ingest = IngestedPart.of(folder, files, request, open);
        assertThat(ingest.error(READ_METADATA))
                .contains("models are programs and are not run here", "bubblewrap", "gantry.worker.trust-models=true")
                .doesNotContain("the_owners_key");
        Tools trusted = Tools.configured(commands, ToolLimits.DEFAULTS, Tools.CAD_TIME, true, Sandbox.none());
        assertThat(IngestedPart.of(folder, files, request, trusted).error(READ_METADATA))
                .doesNotContain("models are programs", "the_owners_key");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "import(\"lid.stl\");",
                "linear_extrude(1) import(\"lid.svg\");",
                "linear_extrude(1) import(\"lid.dxf\");",
                "surface(file = \"lid.dat\");",
                "include <lid.scad>",
                "use <lid.scad>"
            })
    void modelFailsWithoutAFileThatItIncludes(String statement) throws IOException {
        assumeOpenscad();
        IngestedPart ingest = IngestedPart.of(folder, scad("cube(2);\n" + statement + "\n"), Part.Type.scad);
        assertThat(ingest.error(READ_METADATA)).matches("The model needs the file 'lid\\.\\w+', which is not there");
    }

    @Test
    void pythonModelImportsAdditionalFiles() throws IOException {
        Path model = Files.writeString(folder.resolve("model.py"), "import sizes\n");
        Tool listing = new Tool(
                "CadQuery",
                List.of("sh", "-c", "[ \"$(cat sizes.py)\" = 'WIDE = 37' ] && exit 11"),
                ToolLimits.DEFAULTS);
        Tools tools = new Tools(
                Tools.DEFAULTS.openscad(),
                Tools.DEFAULTS.tessellator(),
                IngestedPart.TOOLS.prusaSlicer(),
                listing,
                null,
                null,
                null,
                null,
                false);
        IngestedPart ingest = withFileBeside(model, Part.Type.cadquery, "sizes.py", "WIDE = 37", tools);
        assertThat(ingest.error(READ_METADATA)).contains("could not read the file");
    }

    @Test
    void modelThatCannotBeRenderedFailsWithTheCause() throws IOException {
        assumeOpenscad();
        IngestedPart ingest = IngestedPart.of(folder, scad("width = 3;\ncube(;\n"), Part.Type.scad);
        assertThat(ingest.last().stage().status()).isEqualTo(failed);
        assertThat(ingest.error(READ_METADATA))
                .isEqualTo("OpenSCAD could not read the file: the syntax is wrong in line 2");
        assertThat(mesh(ingest))
                .isEqualTo(new StageReport.Mesh(
                        null, ingest.request().fileHashes().getFirst(), ingest.error(READ_METADATA)));
    }

    @Test
    void modelRenderingTimesOut() throws IOException {
        assumeOpenscad();
        var tools = new Tools(
                new Tool(
                        "OpenSCAD",
                        Tools.DEFAULTS.openscad().command(),
                        new ToolLimits(Duration.ofSeconds(1), 1L << 30, 1 << 20)),
                Tools.DEFAULTS.tessellator(),
                IngestedPart.TOOLS.prusaSlicer(),
                null,
                null,
                null,
                null,
                null,
                false);
        Path bomb = scad("minkowski() { sphere(9, $fn = 300); sphere(8, $fn = 300); }\n");
        var files = new FolderFiles(folder.resolve("kept"));
        IngestedPart ingest = IngestedPart.of(folder, files, IngestedPart.request(files, bomb, Part.Type.scad), tools);
        assertThat(ingest.error(READ_METADATA)).contains("OpenSCAD did not finish within 1 seconds");
    }

    @Test
    void pythonModelFailsWithoutAConfiguredCommand() throws IOException {
        Path model = Files.writeString(folder.resolve("model.py"), "import cadquery as cq\n");
        IngestedPart ingest = IngestedPart.of(folder, model, Part.Type.cadquery);
        assertThat(ingest.end(READ_METADATA).stage().status()).isEqualTo(failed);
        assertThat(ingest.error(READ_METADATA)).contains("the operator has set no command");
    }

    @Test
    @EnabledIfSystemProperty(named = "corpus", matches = ".+", disabledReason = "the corpus is not given (-Dcorpus=…)")
    void stepModelIsTessellated() throws IOException {
        assumePrusaSlicer();
        Path step = Path.of(System.getProperty("corpus", "")).resolve("files/step/cube.step");
        IngestedPart ingest = IngestedPart.of(folder, step, Part.Type.step);
        assertThat(ingest.end(READ_METADATA).stage().status()).isEqualTo(done);
        assertThat(bounds(ingest).width()).isPositive();
        assertThat(ingest.findings(thumbnails).thumbnailUri()).endsWith(".png");
    }

    /** A shell script replaces the command: it returns the STEP inside the model, and checks the parameters. */
    @Test
    @EnabledIfSystemProperty(named = "corpus", matches = ".+", disabledReason = "the corpus is not given (-Dcorpus=…)")
    void configuredCommandConvertsAPythonModelToStep() throws IOException {
        assumePrusaSlicer();
        String step = Files.readString(Path.of(System.getProperty("corpus", "")).resolve("files/step/cube.step"));
        Path model = Files.writeString(folder.resolve("model.py"), "# made of\n" + step);
        Tool command = new Tool(
                "build123d",
                List.of("sh", "-c", "[ \"$(cat $1)\" = '{}' ] && tail -n +2 $0 > $2"),
                ToolLimits.DEFAULTS);
        Tools tools = new Tools(
                Tools.DEFAULTS.openscad(),
                Tools.DEFAULTS.tessellator(),
                IngestedPart.TOOLS.prusaSlicer(),
                null,
                command,
                null,
                null,
                null,
                false);
        var files = new FolderFiles(folder.resolve("kept"));
        IngestedPart ingest =
                IngestedPart.of(folder, files, IngestedPart.request(files, model, Part.Type.build123d), tools);
        assertThat(ingest.error(READ_METADATA)).isEmpty();
        assertThat(bounds(ingest).width()).isPositive();
    }

    private String errorOfStep(Mesh tessellation) throws IOException {
        return errorOfStep("ISO-10303-21;\nEND-ISO-10303-21;\n", tessellation);
    }

    private String errorOfStep(String text, Mesh tessellation) throws IOException {
        Path made = folder.resolve("made.stl");
        Stl.write(Scene.of("part", tessellation), made);
        Path script = Files.writeString(folder.resolve("tessellate.sh"), "cp " + made + " out.stl");
        Tools tools = Tools.configured(
                Map.of("tessellator", "sh " + script), ToolLimits.DEFAULTS, Tools.CAD_TIME, false, Sandbox.none());
        Path step = Files.writeString(folder.resolve("model.step"), text);
        var files = new FolderFiles(folder.resolve("kept"));
        IngestRequest request = IngestedPart.request(files, step, Part.Type.step);
        return IngestedPart.of(folder, files, request, tools).error(READ_METADATA);
    }

    @Test
    void stepModelWithAnOpenTessellationIsRejected() throws IOException {
        Mesh box = Solids.box(0, 0, 0, 10, 20, 30);
        assertThat(errorOfStep(box)).isEmpty();
        assertThat(errorOfStep(box.range(0, 11))).startsWith("The surface of the model is not closed");
    }

    @Test
    void stepModelWhoseTessellationHasAnotherShapeIsRejected() throws IOException {
        String half = StepBalls.half(20);
        assertThat(errorOfStep(half, StepBalls.halfMesh(20))).isEmpty();
        assertThat(errorOfStep(half, StepBalls.wholeMesh(20))).contains("so that another shape would print");
        assertThat(errorOfStep(StepBalls.dome(20), StepBalls.wholeMesh(20))).startsWith("The model holds surfaces");
    }

    /** The tessellator must not return the whole ball. */
    @Test
    void stepHalfBallIsTessellatedCorrectly() throws IOException {
        assumePrusaSlicer();
        Path step = Files.writeString(folder.resolve("half.step"), StepBalls.half(20));
        IngestedPart ingest = IngestedPart.of(folder, step, Part.Type.step);
        assertThat(ingest.error(READ_METADATA)).isEmpty();
    }

    @Test
    void stepAssemblyWithoutPartsIsReportedAsNoSolid() throws IOException {
        assertThat(errorOfStep(Solids.box(0, 0, 0, 1, 1, 1).range(0, 0))).startsWith("The model holds no solid");
    }

    private IngestedPart ofPython(String script, String tessellation) throws IOException {
        Path model = Files.writeString(folder.resolve("model.py"), "import cadquery as cq\n");
        Tools tools = new Tools(
                Tools.DEFAULTS.openscad(),
                new Tool("The reader of STEP", List.of("sh", "-c", tessellation), ToolLimits.DEFAULTS),
                IngestedPart.TOOLS.prusaSlicer(),
                new Tool("CadQuery", List.of("sh", "-c", script + "; echo > out.step"), ToolLimits.DEFAULTS),
                null,
                null,
                null,
                null,
                false);
        var files = new FolderFiles(folder.resolve("kept"));
        return IngestedPart.of(folder, files, IngestedPart.request(files, model, Part.Type.cadquery), tools);
    }

    @Test
    void linkLeftByAModelIsNotFollowed() throws IOException {
        String box = Solids.text("box", Solids.box(0, 0, 0, 20, 20, 10));
        Path foreign = Files.writeString(folder.resolve("foreign.stl"), box);
        assertThat(ofPython("ln -s " + foreign + " out.stl", "true").error(READ_METADATA))
                .isEqualTo("The model is empty: nothing was made of it");
        ofPython("ln -s " + foreign + " mesh.stl", "cat > out.stl <<E\n" + box + "\nE\n");
        assertThat(foreign).hasContent(box);
    }
}
