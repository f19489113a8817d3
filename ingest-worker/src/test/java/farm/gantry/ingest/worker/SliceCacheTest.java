package farm.gantry.ingest.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import farm.gantry.RecordBuilder;
import farm.gantry.file.FileUri;
import farm.gantry.ingest.file.FolderFiles;
import farm.gantry.ingest.file.WorkFiles;
import farm.gantry.ingest.reading.FileHash;
import farm.gantry.ingest.sample.Solids;
import farm.gantry.ingest.sample.ThreemfFiles;
import farm.gantry.ingest.tool.Tool;
import farm.gantry.ingest.tool.ToolLimits;
import farm.gantry.ingest.tool.Tools;
import farm.gantry.part.Part;
import farm.gantry.part.PartParameter;
import farm.gantry.wire.SliceResult;
import farm.gantry.wire.SliceRequest;
import farm.gantry.wire.SliceSetup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests for which requests an earlier slice is reused. */
class SliceCacheTest {
    private static final String PART = "p".repeat(24);
    private static final SliceSetup SETUP = new SliceSetup(
            null,
            null,
            null,
            List.of(new SliceSetup.Profile("f".repeat(24), "PLA", "", Map.of("nozzle_temperature", 210), "slicer1")),
            false,
            false,
            "slicer1");

    @TempDir
    Path folder;

    private FolderFiles files() {
        return new FolderFiles(folder.resolve("kept"));
    }

    /** Returns a fake slicer that writes the same archive for every input. */
    private Tools slicer(ThreemfFiles made) throws IOException {
        String archive = Base64.getEncoder().encodeToString(Files.readAllBytes(made.write(folder)));
        return new Tools(
                Tools.DEFAULTS.openscad(),
                Tools.DEFAULTS.tessellator(),
                IngestedPart.TOOLS.prusaSlicer(),
                null,
                null,
                new Tool(
                        "OrcaSlicer",
                        List.of("sh", "-c", "base64 -d > out.gcode.3mf <<E\n" + archive + "\nE\n", "orca"),
                        ToolLimits.DEFAULTS),
                null,
                null,
                false);
    }

    private SliceRequest request(Part.Type type, List<FileUri> sources, List<PartParameter> parameters)
            throws IOException {
        List<String> hashes = new ArrayList<>();
        for (FileUri source : sources) {
            hashes.add(FileHash.of(files().path(source)));
        }
        return new SliceRequest(
                IngestedPart.STORE,
                "j".repeat(24),
                PART,
                type,
                sources.stream().map(FileUri::toString).toList(),
                hashes,
                null,
                parameters,
                SETUP,
                true);
    }

    private FileUri kept(String name, Path content) throws IOException {
        FileUri uri = FileUri.file(IngestedPart.STORE, PART, name);
        files().put(uri, content);
        return uri;
    }

    private FileUri kept(String name, String content) throws IOException {
        return kept(name, Files.writeString(folder.resolve("source"), content));
    }

    private SliceResult.Sliced slice(WorkFiles files, SliceRequest request, Tools tools) {
        SliceResult answer = new Worker(files, folder.resolve("work"), IngestedPart.toolchain(tools)).slice(request);
        assertThat(answer.error()).isNull();
        return Objects.requireNonNull(answer.sliced());
    }

    private SliceResult.Sliced slice(SliceRequest request) throws IOException {
        return slice(files(), request, slicer(ThreemfFiles.sliced()));
    }

    private static PartParameter parameter(String name, PartParameter.Type type, Object value) {
        return RecordBuilder.of(PartParameter.class)
                .with(PartParameter::name, name)
                .with(PartParameter::type, type)
                .with(PartParameter::value, value)
                .build();
    }

    /** File storage as another worker that began at the same time sees it: nothing is sliced yet. */
    private record FilesBeforeSlicing(FolderFiles files) implements WorkFiles {
        @Override
        public void fetch(FileUri uri, Path to) throws IOException {
            if (uri.name().startsWith("made/")) {
                throw new NoSuchFileException(uri.toString());
            }
            files.fetch(uri, to);
        }

        @Override
        public void put(FileUri uri, Path from) throws IOException {
            files.put(uri, from);
        }
    }

    @Test
    void gcodeOfAJobIsKeptWhenAnotherWorkerSlicesTheSameInput() throws IOException {
        FileUri box = kept("1/box.stl", Solids.text("box", Solids.box(0, 0, 0, 20, 20, 10)));
        SliceRequest request = request(Part.Type.stl, List.of(box), List.of());
        SliceResult.Sliced first = slice(request);
        Tools later = slicer(
                ThreemfFiles.sliced().replace("Metadata/plate_1.gcode", gcode -> gcode + "; made a second later\n"));
        SliceResult.Sliced second = slice(new FilesBeforeSlicing(files()), request, later);
        assertThat(second.sha256()).isNotEqualTo(first.sha256());
        assertThat(List.of(first, second))
                .allSatisfy(sliced -> assertThat(FileHash.of(
                                files().path(FileUri.parse(sliced.gcodeUri()).orElseThrow())))
                        .isEqualTo(sliced.sha256()));
        SliceResult.Sliced third = slice(request);
        assertThat(third.cached()).isTrue();
        assertThat(third.gcodeUri()).isEqualTo(second.gcodeUri());
        assertThat(third.sha256()).isEqualTo(second.sha256());
    }

    @Test
    void changedTextSizingIsSlicedAgain() throws IOException {
        FileUri tag = kept("1/tag.3mf", ThreemfFiles.production().write(folder));
        PartParameter name = parameter("name", PartParameter.Type.string, "Ilse");
        PartParameter stretched = RecordBuilder.copyOf(name)
                .with(PartParameter::sizing, PartParameter.Sizing.stretch)
                .build();
        SliceResult.Sliced fit = slice(request(Part.Type.THREE_MF, List.of(tag), List.of(name)));
        SliceResult.Sliced wide = slice(request(Part.Type.THREE_MF, List.of(tag), List.of(stretched)));
        assertThat(wide.inputHash()).isNotEqualTo(fit.inputHash());
        assertThat(wide.cached()).isFalse();
    }

    @Test
    void modelWithRenamedIncludesIsSlicedAgain() throws IOException {
        assumeTrue(Tools.DEFAULTS.openscad().isInstalled(), "OpenSCAD is not installed");
        FileUri model = kept("1/model.scad", "include <size.scad>\ncube([width, 10, 5]);\n");
        SliceResult.Sliced narrow = slice(request(
                Part.Type.scad,
                List.of(model, kept("2/size.scad", "width = 10;"), kept("3/other.scad", "width = 20;")),
                List.of()));
        SliceResult.Sliced wide = slice(request(
                Part.Type.scad,
                List.of(model, kept("4/other.scad", "width = 10;"), kept("5/size.scad", "width = 20;")),
                List.of()));
        assertThat(wide.inputHash()).isNotEqualTo(narrow.inputHash());
        assertThat(wide.cached()).isFalse();
    }

    @Test
    void numberAndEqualTextAreSlicedSeparately() throws IOException {
        assumeTrue(Tools.DEFAULTS.openscad().isInstalled(), "OpenSCAD is not installed");
        FileUri model = kept("1/model.scad", "size = 4;\ncube(is_string(size) ? 10 : size);\n");
        SliceResult.Sliced number = slice(
                request(Part.Type.scad, List.of(model), List.of(parameter("size", PartParameter.Type.number, 6))));
        SliceResult.Sliced text = slice(
                request(Part.Type.scad, List.of(model), List.of(parameter("size", PartParameter.Type.string, "6"))));
        assertThat(text.inputHash()).isNotEqualTo(number.inputHash());
        assertThat(meshes()).isEqualTo(2);
    }

    private long meshes() throws IOException {
        try (Stream<Path> all = Files.walk(files().root())) {
            return all.filter(path -> path.endsWith("mesh.stl")).count();
        }
    }
}
