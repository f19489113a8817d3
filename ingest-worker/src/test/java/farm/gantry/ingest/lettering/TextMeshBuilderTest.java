package farm.gantry.ingest.lettering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import farm.gantry.ingest.mesh.Mesh;
import farm.gantry.ingest.mesh.Transform;
import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.reading.Bounds;
import farm.gantry.ingest.sample.Solids;
import farm.gantry.part.PartParameter.Sizing;
import java.awt.Graphics2D;
import java.awt.Rectangle;
import java.awt.RenderingHints;
import java.awt.Shape;
import java.awt.font.FontRenderContext;
import java.awt.geom.Path2D;
import java.awt.image.BufferedImage;
import java.awt.image.DataBufferByte;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class TextMeshBuilderTest {
    private static final Offset<Double> NEARLY = within(1e-4);
    private static final Typeface FACE = Typeface.find(null, false, false);

    private static Mesh plate() throws BadFileException {
        return Solids.box(10, 20, 0, 60, 12, 2);
    }

    private static Bounds bounds(String text, Sizing sizing) throws BadFileException {
        return TextMeshBuilder.build(text, "NAME", FACE, plate(), sizing).bounds(Transform.NONE);
    }

    @Test
    void stretchedTextFillsTheBoundsOfTheOldText() throws BadFileException {
        Bounds bounds = bounds("Ilse", Sizing.stretch);
        assertThat(bounds.minX()).isCloseTo(10, NEARLY);
        assertThat(bounds.maxX()).isCloseTo(70, NEARLY);
        assertThat(bounds.minY()).isCloseTo(20, NEARLY);
        assertThat(bounds.maxY()).isCloseTo(32, NEARLY);
        assertThat(bounds.minZ()).isZero();
        assertThat(bounds.maxZ()).isEqualTo(2);
    }

    @Test
    void fittedTextKeepsItsProportionsInsideTheOldBounds() throws BadFileException {
        Bounds wide = bounds("A very much longer name", Sizing.fit);
        assertThat(wide.width()).isCloseTo(60, NEARLY);
        assertThat(wide.depth()).isLessThan(12);
        assertThat(wide.middleX()).isCloseTo(40, NEARLY);
        Bounds narrow = bounds("I", Sizing.fit);
        assertThat(narrow.depth()).isCloseTo(12, within(0.5));
        assertThat(narrow.width()).isLessThan(6);
    }

    @Test
    void unconstrainedTextKeepsItsSizeBeyondTheOldBounds() throws BadFileException {
        Bounds bounds = bounds("A very much longer NAME", Sizing.unconstrained);
        assertThat(bounds.width()).isGreaterThan(80);
        assertThat(bounds.depth()).isGreaterThan(12);
    }

    /** In a closed mesh each edge occurs once in each direction. */
    @Test
    void textMeshIsClosed() throws BadFileException {
        Mesh mesh = TextMeshBuilder.build("B8 &Öu\u0308", "NAME", FACE, plate(), Sizing.fit);
        assertThat(openEdges(mesh)).isZero();
        assertThat(Solids.volume(mesh)).isPositive();
    }

    private static long openEdges(Mesh mesh) {
        Map<Long, Integer> edges = new HashMap<>();
        for (int triangle = 0; triangle < mesh.triangles(); triangle++) {
            for (int corner = 0; corner < 3; corner++) {
                int from = mesh.corner(triangle, corner);
                int to = mesh.corner(triangle, (corner + 1) % 3);
                edges.merge(((long) Math.min(from, to) << 32) | Math.max(from, to), from < to ? 1 : -1, Integer::sum);
            }
        }
        return edges.values().stream().filter(sum -> sum != 0).count();
    }

    @Test
    void pointContoursAreDroppedAndCrossingContoursAreMerged() {
        var ink = new Path2D.Double(Path2D.WIND_NON_ZERO);
        ink.append(new Rectangle(2, 2, 4, 4), false);
        ink.append(new Rectangle(4, 4, 4, 4), false);
        ink.moveTo(20, 20);
        ink.closePath();
        ink.moveTo(30, 30);
        ink.lineTo(31, 31);
        ink.closePath();
        assertThat(Typeface.polygons(ink).getArea()).isEqualTo(28);
    }

    @Test
    void everyCharacterOfTheBundledFontHasAClosedMesh() throws BadFileException {
        List<String> broken = new ArrayList<>();
        int solid = 0;
        for (int letter = ' '; letter < Character.MIN_SURROGATE; letter++) {
            String text = Character.toString(letter);
            var ink = FACE.font().createGlyphVector(new FontRenderContext(null, true, true), text);
            if (FACE.font().canDisplay(letter) && area(ink.getOutline()) > 1) {
                Mesh mesh = TextMeshBuilder.build(text, "H", FACE, plate(), Sizing.unconstrained);
                double inked = area(ink.getOutline()) * Math.pow(12 / height("H"), 2) * 2;
                if (openEdges(mesh) > 0 || Math.abs(Solids.volume(mesh) / inked - 1) > 0.05) {
                    broken.add(text + " " + Solids.volume(mesh) + " for " + inked);
                }
                solid++;
            }
        }
        assertThat(broken).isEmpty();
        assertThat(solid).isGreaterThan(2000);
    }

    private static double height(String text) {
        return FACE.outline(text).getEnvelopeInternal().getHeight();
    }

    /** Returns the filled area, estimated from the pixels of a drawing. */
    private static double area(Shape ink) {
        var box = ink.getBounds2D();
        if (box.isEmpty()) {
            return 0;
        }
        int across = 150;
        var image = new BufferedImage(across, across, BufferedImage.TYPE_BYTE_GRAY);
        Graphics2D graphics = image.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
        graphics.scale(across / box.getWidth(), across / box.getHeight());
        graphics.translate(-box.getX(), -box.getY());
        graphics.fill(ink);
        graphics.dispose();
        double sum = 0;
        for (byte grey : ((DataBufferByte) image.getRaster().getDataBuffer()).getData()) {
            sum += Byte.toUnsignedInt(grey);
        }
        return sum / 255 / across / across * box.getWidth() * box.getHeight();
    }

    @Test
    void combiningMarkIsPlacedOnItsLetter() throws BadFileException {
        assertThat(bounds("u\u0308", Sizing.unconstrained).depth())
                .isCloseTo(bounds("ü", Sizing.unconstrained).depth(), within(0.3))
                .isGreaterThan(bounds("u", Sizing.unconstrained).depth() + 1);
        assertThat(bounds("u\u0308", Sizing.unconstrained).width())
                .isCloseTo(bounds("u", Sizing.unconstrained).width(), within(0.1));
    }

    @Test
    void textOnAWallStaysOnTheWall() throws BadFileException {
        Mesh wall = Solids.box(0, 5, 0, 40, 1, 10);
        Mesh mesh = TextMeshBuilder.build("WALL", "NAME", FACE, wall, Sizing.stretch);
        Bounds bounds = mesh.bounds(Transform.NONE);
        assertThat(bounds.minY()).isEqualTo(5);
        assertThat(bounds.maxY()).isEqualTo(6);
        assertThat(bounds.height()).isCloseTo(10, NEARLY);
        assertThat(Solids.volume(mesh)).isPositive();
    }

    @Test
    void missingFontIsReplacedWithAWarning() {
        assertThat(Typeface.find("Unheard Of Grotesk", false, true).warning()).contains("Unheard Of Grotesk");
        assertThat(FACE.warning()).isNull();
    }

    @Test
    void bundledFontsAreAlwaysAvailable() {
        assertThat(FACE.font().getFamily()).isEqualTo("Liberation Sans");
        assertThat(Typeface.find("liberation mono", true, true))
                .extracting(Typeface::warning, face -> face.font().getFontName())
                .containsExactly(null, "Liberation Mono Bold Italic");
        assertThat(Typeface.find("SansSerif", false, false).warning())
                .as("Java's word for whatever there is")
                .isNotNull();
    }

    @Test
    void charactersMissingFromTheFontAreNamedAndLeftOut() throws BadFileException {
        assertThat(FACE.warnings("Ada 漢字漢 \uD83D\uDE00\uFE0F"))
                .containsExactly("The font Liberation Sans has no letters for 漢 字 \uD83D\uDE00, so they are left out of"
                        + " the text 'Ada 漢字漢 \uD83D\uDE00\uFE0F'");
        assertThat(FACE.warnings("Ada")).isEmpty();
        assertThat(bounds("Ada漢", Sizing.unconstrained)).isEqualTo(bounds("Ada", Sizing.unconstrained));
        assertThatExceptionOfType(BadFileException.class)
                .isThrownBy(() -> bounds("漢字", Sizing.fit))
                .withMessageContaining("no letters");
    }

    @Test
    void blankTextIsRejected() {
        assertThatExceptionOfType(BadFileException.class)
                .isThrownBy(() -> bounds("   ", Sizing.fit))
                .withMessageContaining("no letters");
    }
}
