package farm.gantry.ingest.file;

import com.code_intelligence.jazzer.junit.FuzzTest;
import farm.gantry.ingest.cad.CadMesher;
import farm.gantry.ingest.mesh.Scene;
import farm.gantry.ingest.mesh.StlFile;
import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.reading.FileTree;
import farm.gantry.ingest.reading.ImageConversion;
import farm.gantry.ingest.reading.ReadResult;
import farm.gantry.ingest.sample.GcodeFiles;
import farm.gantry.ingest.sample.Solids;
import farm.gantry.ingest.sample.ThreemfFiles;
import farm.gantry.part.Part;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks that readers read or reject arbitrary bytes. The test run uses only the seeds; to fuzz, run {@code
 * JAZZER_FUZZ=1 mvn -o -pl ingest-worker -am test -Dtest='PartReadersFuzzTest#mesh*'
 * -Dsurefire.failIfNoSpecifiedTests=false}.
 */
class PartReadersFuzzTest {
    private static final String ONE_LOOK = "1m";

    private Path folder = Path.of("");

    @BeforeEach
    void makeRoom() throws IOException {
        folder = Files.createTempDirectory("fuzz-");
    }

    @AfterEach
    void clear() throws IOException {
        FileTree.delete(folder);
    }

    static Stream<byte[]> gcodes() {
        return Stream.of(GcodeFiles.PRUSA, GcodeFiles.BAMBU, GcodeFiles.CURA, GcodeFiles.ORCA_FLASHFORGE)
                .map(text -> text.getBytes(StandardCharsets.UTF_8));
    }

    static Stream<byte[]> archives() throws IOException {
        Path room = Files.createTempDirectory("seeds-");
        return Stream.of(
                Files.readAllBytes(ThreemfFiles.production().write(room)),
                Files.readAllBytes(ThreemfFiles.sliced().write(room)));
    }

    static Stream<byte[]> meshes() throws IOException {
        Path binary = Files.createTempFile("seed-", ".stl");
        StlFile.write(Scene.of("box", Solids.box(0, 0, 0, 1, 2, 3)), binary);
        return Stream.of(
                Files.readAllBytes(binary),
                Solids.text("box", Solids.box(0, 0, 0, 1, 2, 3)).getBytes(StandardCharsets.UTF_8));
    }

    static Stream<byte[]> models() {
        return Stream.of("/* [Size] */\n// wide\nwidth = 20; // [10:0.5:100]\ns = \"a\"; // [a, b:Bee]\n"
                .getBytes(StandardCharsets.UTF_8));
    }

    static Stream<byte[]> pictures() {
        return Stream.of(
                Base64.getDecoder().decode(GcodeFiles.PNG),
                "qoif\0\0\0\1\0\0\0\1\4\0".getBytes(StandardCharsets.UTF_8));
    }

    static Stream<byte[]> binaries() {
        return Stream.of("GCDE\1\0\0\0\0\0\0\0\0\0\3\0\0\0\0\0a=b\1\0\0\0\4\0\0\0\0\0G28\n"
                .getBytes(StandardCharsets.ISO_8859_1));
    }

    private void read(byte[] bytes, Part.Type type) throws IOException {
        Path file = Files.write(folder.resolve("part"), bytes);
        try {
            ReadResult reading = PartReaders.read(file, type);
            PartReaders.summarizeToolpaths(file, reading);
            PartReaders.extractPictures(file, reading.type(), folder);
            PartReaders.chooseReader(file, reading.type()).split(file, folder);
        } catch (BadFileException refused) {
            if (refused.getMessage() == null) {
                throw new AssertionError("refused without a word", refused);
            }
        }
    }

    @MethodSource("gcodes")
    @FuzzTest(maxDuration = ONE_LOOK)
    void gcodeIsReadOrRejected(byte[] bytes) throws IOException {
        read(bytes, Part.Type.gcode);
    }

    @MethodSource("binaries")
    @FuzzTest(maxDuration = ONE_LOOK)
    void binaryGcodeIsReadOrRejected(byte[] bytes) throws IOException {
        read(bytes, Part.Type.gcode);
    }

    @MethodSource("archives")
    @FuzzTest(maxDuration = ONE_LOOK)
    void archiveIsReadOrRejected(byte[] bytes) throws IOException {
        read(bytes, Part.Type.THREE_MF);
    }

    @MethodSource("meshes")
    @FuzzTest(maxDuration = ONE_LOOK)
    void meshIsReadOrRejected(byte[] bytes) throws IOException {
        read(bytes, Part.Type.stl);
    }

    @MethodSource("models")
    @FuzzTest(maxDuration = ONE_LOOK)
    void customizerParametersAreRead(byte[] bytes) throws IOException {
        CadMesher.readParameters(Part.Type.scad, Files.write(folder.resolve("part"), bytes));
    }

    @MethodSource("pictures")
    @FuzzTest(maxDuration = ONE_LOOK)
    void imageIsConvertedOrIgnored(byte[] bytes) {
        ImageConversion.toPng(bytes);
    }
}
