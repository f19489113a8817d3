package farm.gantry.ingest.lettering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import farm.gantry.ingest.Solids;
import farm.gantry.ingest.mesh.Bounds;
import farm.gantry.ingest.mesh.Mesh;
import farm.gantry.ingest.mesh.Transform;
import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.part.PartParameter.Sizing;
import java.util.HashMap;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class LetteringTest {
    private static final Offset<Double> NEARLY = within(1e-4);
    private static final Typeface FACE = Typeface.of(null, false, false);

    private static Mesh plate() throws BadFileException {
        return Solids.box(10, 20, 0, 60, 12, 2);
    }

    private static Bounds bounds(String text, Sizing sizing) throws BadFileException {
        return Lettering.mesh(text, "NAME", FACE, plate(), sizing).bounds(Transform.NONE);
    }

    @Test
    void stretchedLettersFillTheOldOnesPlace() throws BadFileException {
        Bounds bounds = bounds("Ilse", Sizing.stretch);
        assertThat(bounds.minX()).isCloseTo(10, NEARLY);
        assertThat(bounds.maxX()).isCloseTo(70, NEARLY);
        assertThat(bounds.minY()).isCloseTo(20, NEARLY);
        assertThat(bounds.maxY()).isCloseTo(32, NEARLY);
        assertThat(bounds.minZ()).isZero();
        assertThat(bounds.maxZ()).isEqualTo(2);
    }

    @Test
    void fittedLettersKeepTheirShapeAndStayInside() throws BadFileException {
        Bounds wide = bounds("A very much longer name", Sizing.fit);
        assertThat(wide.width()).isCloseTo(60, NEARLY);
        assertThat(wide.depth()).isLessThan(12);
        assertThat(wide.middleX()).isCloseTo(40, NEARLY);
        Bounds narrow = bounds("I", Sizing.fit);
        assertThat(narrow.depth()).isCloseTo(12, within(0.5));
        assertThat(narrow.width()).isLessThan(6);
    }

    @Test
    void unconstrainedLettersKeepTheirSizeWhereverTheyReach() throws BadFileException {
        Bounds bounds = bounds("A very much longer NAME", Sizing.unconstrained);
        assertThat(bounds.width()).isGreaterThan(80);
        assertThat(bounds.depth()).isGreaterThan(12);
    }

    /** Each edge is walked once in each direction, so that inside and outside are told apart everywhere. */
    @Test
    void lettersAreSolid() throws BadFileException {
        Mesh mesh = Lettering.mesh("B8 &Ö", "NAME", FACE, plate(), Sizing.fit);
        Map<Long, Integer> edges = new HashMap<>();
        for (int triangle = 0; triangle < mesh.triangles(); triangle++) {
            for (int corner = 0; corner < 3; corner++) {
                int from = mesh.corner(triangle, corner);
                int to = mesh.corner(triangle, (corner + 1) % 3);
                edges.merge(((long) Math.min(from, to) << 32) | Math.max(from, to), from < to ? 1 : -1, Integer::sum);
            }
        }
        assertThat(edges.values()).containsOnly(0);
        assertThat(Solids.volume(mesh)).isPositive();
    }

    @Test
    void lettersOnAWallStandOnTheWall() throws BadFileException {
        Mesh wall = Solids.box(0, 5, 0, 40, 1, 10);
        Mesh mesh = Lettering.mesh("WALL", "NAME", FACE, wall, Sizing.stretch);
        Bounds bounds = mesh.bounds(Transform.NONE);
        assertThat(bounds.minY()).isEqualTo(5);
        assertThat(bounds.maxY()).isEqualTo(6);
        assertThat(bounds.height()).isCloseTo(10, NEARLY);
        assertThat(Solids.volume(mesh)).isPositive();
    }

    @Test
    void aMissingFontIsReplacedWithAWarning() {
        assertThat(Typeface.of("Unheard Of Grotesk", false, true).warning()).contains("Unheard Of Grotesk");
        assertThat(FACE.warning()).isNull();
    }

    @Test
    void nothingCannotBePrinted() {
        assertThatExceptionOfType(BadFileException.class)
                .isThrownBy(() -> bounds("   ", Sizing.fit))
                .withMessageContaining("no letters");
    }
}
