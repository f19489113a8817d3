package farm.gantry.ingest.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.reading.Bounds;
import farm.gantry.ingest.sample.Solids;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StlFileTest {
    private static final Bounds BOX = new Bounds(1, 2, 3, 11, 22, 33);

    @TempDir
    Path folder;

    private Path file = Path.of("");

    @BeforeEach
    void newFile() {
        file = folder.resolve("part.stl");
    }

    private static Scene box() throws BadFileException {
        return Scene.of("box", Solids.box(1, 2, 3, 10, 20, 30));
    }

    private void assertRefused(String why) {
        assertThatExceptionOfType(BadFileException.class)
                .isThrownBy(() -> StlFile.read(file))
                .withMessageContaining(why);
    }

    @Test
    void binaryStlIsReadAsWritten() throws IOException {
        StlFile.write(box(), file);
        Mesh read = StlFile.read(file);
        assertThat(read.triangles()).isEqualTo(12);
        assertThat(read.bounds(Transform.NONE)).isEqualTo(BOX);
    }

    @Test
    void binaryStlWhoseHeaderSaysSolidIsReadAsBinary() throws IOException {
        StlFile.write(box(), file);
        byte[] bytes = Files.readAllBytes(file);
        System.arraycopy("solid made by some CAD".getBytes(StandardCharsets.US_ASCII), 0, bytes, 0, 22);
        Files.write(file, Arrays.copyOf(bytes, bytes.length + 7));
        assertThat(StlFile.read(file).triangles()).isEqualTo(12);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n", "\r"})
    void textStlIsReadWithAnyLineEnding(String end) throws IOException {
        Files.writeString(
                file,
                Solids.text("a vertex facet", Solids.box(1, 2, 3, 10, 20, 30)).replace("\n", end));
        Mesh read = StlFile.read(file);
        assertThat(read.triangles()).isEqualTo(12);
        assertThat(read.bounds(Transform.NONE)).isEqualTo(BOX);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
                "# A comment longer than an STL header, which has 84 bytes, comes before the first vertex here\nv  -1.5 2e-3 +0.25 1.0\r\n"
            })
    void objSentAsStlIsRejectedAsObj(String text) throws IOException {
        Files.writeString(file, text);
        assertRefused("The file is an OBJ, not an STL. Export the model as STL, 3MF or STEP");
    }

    @Test
    void fileShorterThanTheHeaderIsRejected() throws IOException {
        Files.writeString(file, "vertices");
        assertRefused("The STL is cut off: it is only 8 bytes, and its header alone has 84");
    }

    @Test
    void mirroredMeshKeepsItsNormalsOutwards() throws IOException {
        Transform mirror = Objects.requireNonNull(Transform.parse("-1 0 0 0 1 0 0 0 1 0 0 0"));
        StlFile.write(box().moved(mirror), file);
        assertThat(Solids.volume(StlFile.read(file))).isEqualTo(6000);
    }

    @Test
    void pointsWithEqualCoordinatesAreMerged() throws IOException {
        Files.writeString(
                file, Solids.text("box", Solids.box(0, 0, 0, 1, 2, 3)).replaceFirst("vertex 0.0", "vertex -0.0"));
        assertThat(StlFile.read(file).points()).isEqualTo(8);
        StlFile.write(Scene.of("drum", Solids.cylinder(30, 10, 700)), file);
        Mesh read = StlFile.read(file);
        assertThat(read.points()).isEqualTo(1402);
        assertThat(read.triangles()).isEqualTo(2800);
    }

    @Test
    void inwardFacingTrianglesAreFlipped() throws IOException {
        Mesh box = Solids.box(1, 2, 3, 10, 20, 30);
        BitSet some = BitSet.valueOf(new long[] {0b1001_0000_0010});
        StlFile.write(Scene.of("box", box.flipped(some)), file);
        assertThat(Solids.volume(StlFile.read(file))).isEqualTo(6000);
        some.flip(0, 12);
        StlFile.write(Scene.of("box", box.flipped(some)), file);
        assertThat(Solids.volume(StlFile.read(file))).isEqualTo(6000);
    }

    /** A shell inside a body is the wall of a hollow when its triangles face inwards. */
    @Test
    void innerShellStaysAHollow() throws IOException {
        var hollow = new Mesh.Builder(24);
        hollow.add(Solids.box(0, 0, 0, 10, 10, 10), Transform.NONE);
        BitSet all = new BitSet();
        all.set(0, 12);
        hollow.add(Solids.box(4, 4, 4, 2, 2, 2).flipped(all), Transform.NONE);
        StlFile.write(Scene.of("hollow", hollow.build()), file);
        assertThat(Solids.volume(StlFile.read(file))).isCloseTo(992, within(0.001));
    }

    @Test
    void extraWordsAtTheEndOfALineAreIgnored() throws IOException {
        Files.writeString(
                file, Solids.text("box", Solids.box(1, 2, 3, 10, 20, 30)).replace("endfacet", "endfacet blah 7"));
        assertThat(StlFile.read(file).triangles()).isEqualTo(12);
        Files.writeString(
                file, Solids.text("box", Solids.box(1, 2, 3, 10, 20, 30)).replace("endfacet", "endfacet\nblah"));
        assertRefused("an unknown word: blah");
    }

    @Test
    void truncatedStlIsRejected() throws IOException {
        StlFile.write(box(), file);
        Files.write(file, Arrays.copyOf(Files.readAllBytes(file), 500));
        assertRefused("12 triangles and is only 500 bytes");
        Files.writeString(file, Solids.text("cut", Solids.box(0, 0, 0, 1, 1, 1)).replace("endsolid cut", ""));
        assertRefused("ends inside a solid");
        Files.writeString(file, "solid\nendsolid\n");
        assertRefused("no triangle");
    }

    @Test
    void coordinateThatIsNotAFiniteNumberIsRejected() throws IOException {
        StlFile.write(box(), file);
        byte[] bytes = Files.readAllBytes(file);
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putFloat(84 + 12, Float.NaN);
        Files.write(file, bytes);
        assertRefused("not a number");
        Files.writeString(
                file, Solids.text("x", Solids.box(1, 2, 3, 1, 1, 1)).replaceFirst("vertex \\S+", "vertex 1e30"));
        assertRefused("outside of any printer");
        Files.writeString(file, "solid x\n facet normal 0 0 1\n outer loop\n vertex a 0 0\n");
        assertRefused("is not a number: a");
    }

    @Test
    void facetWithoutThreeCornersIsRejected() throws IOException {
        Files.writeString(
                file, "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\nendfacet\n");
        assertRefused("has 2 corners");
    }
}
