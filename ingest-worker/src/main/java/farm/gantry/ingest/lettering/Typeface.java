package farm.gantry.ingest.lettering;

import java.awt.Font;
import java.awt.FontFormatException;
import java.awt.GraphicsEnvironment;
import java.awt.Shape;
import java.awt.font.FontRenderContext;
import java.awt.font.TextLayout;
import java.awt.geom.AffineTransform;
import java.awt.geom.Area;
import java.awt.geom.Path2D;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.locationtech.jts.awt.ShapeReader;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFactory;
import org.locationtech.jts.operation.polygonize.Polygonizer;

/**
 * A font by family and style; {@code warning} says when another is substituted. The project bundles a family,
 * so that the same text gives the same letters on every machine.
 */
public record Typeface(Font font, @Nullable String warning) {
    private static final int SIZE = 100;
    private static final double FLATNESS = 0.2;
    private static final FontRenderContext FINE = new FontRenderContext(null, true, true);
    private static final GeometryFactory GEOMETRIES = new GeometryFactory();

    /** The families that come with the project, and how their files' names begin. */
    private static final Map<String, String> OWN = Map.of(
            "liberation sans", "LiberationSans",
            "liberation serif", "LiberationSerif",
            "liberation mono", "LiberationMono");

    private static final String USUAL = "LiberationSans";
    private static final List<String> STYLES = List.of("Regular", "Bold", "Italic", "BoldItalic");

    private static final Map<String, Font> LOADED = new ConcurrentHashMap<>();

    /** The installed families, read once. Java's logical names match any font and are excluded. */
    private static final class InstalledFonts {
        private static final Set<String> LOGICAL = Set.of("dialog", "dialoginput", "monospaced", "sansserif", "serif");

        static final Set<String> FAMILIES = Arrays.stream(
                        GraphicsEnvironment.getLocalGraphicsEnvironment().getAvailableFontFamilyNames(Locale.ROOT))
                .map(name -> name.toLowerCase(Locale.ROOT))
                .filter(name -> !LOGICAL.contains(name))
                .collect(Collectors.toSet());

        private InstalledFonts() {}
    }

    public static Typeface find(@Nullable String family, boolean bold, boolean italic) {
        int style = (bold ? Font.BOLD : Font.PLAIN) | (italic ? Font.ITALIC : Font.PLAIN);
        if (family == null) {
            return new Typeface(bundledFont(USUAL, style), null);
        }
        String known = family.toLowerCase(Locale.ROOT);
        String own = OWN.get(known);
        if (own != null) {
            return new Typeface(bundledFont(own, style), null);
        }
        return InstalledFonts.FAMILIES.contains(known)
                ? new Typeface(new Font(family, style, SIZE), null)
                : new Typeface(
                        bundledFont(USUAL, style), "The font " + family + " is not installed, so another font is used");
    }

    private static Font bundledFont(String family, int style) {
        return LOADED.computeIfAbsent("/liberation/" + family + "-" + STYLES.get(style) + ".ttf", Typeface::loadFont);
    }

    private static Font loadFont(String file) {
        try (InputStream in = Objects.requireNonNull(Typeface.class.getResourceAsStream(file), file)) {
            return Font.createFont(Font.TRUETYPE_FONT, in).deriveFont((float) SIZE);
        } catch (FontFormatException broken) {
            throw new IllegalStateException(file, broken);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Returns the characters of the text that the font lacks, each once. The outline omits them. */
    private List<String> missingCharacters(String text) {
        return text.codePoints()
                .filter(letter -> !font.canDisplay(letter) && !isInvisible(letter))
                .distinct()
                .mapToObj(Character::toString)
                .toList();
    }

    /** Returns whether a character only changes its neighbours: joiners, direction marks and variation selectors. */
    private static boolean isInvisible(int letter) {
        return Character.getType(letter) == Character.FORMAT || (letter >= 0xFE00 && letter <= 0xFE0F);
    }

    /** Warnings about this text in this font. */
    public List<String> warnings(String text) {
        List<String> warnings = new ArrayList<>();
        if (warning != null) {
            warnings.add(warning);
        }
        List<String> lacking = missingCharacters(text);
        if (!lacking.isEmpty()) {
            warnings.add("The font " + font.getFamily() + " has no letters for " + String.join(" ", lacking)
                    + ", so they are left out of the text '" + text + "'");
        }
        return warnings;
    }

    /** Returns the outlines of the letters, upright, with the first line starting at 0. */
    Geometry outline(String text) {
        String known = text.codePoints()
                .filter(font::canDisplay)
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
        if (known.isEmpty()) {
            return GEOMETRIES.createPolygon();
        }
        Shape letters = new TextLayout(known, font, FINE).getOutline(AffineTransform.getScaleInstance(1, -1));
        return polygons(letters);
    }

    /** Converts the contours of a font to polygons with holes. Contours may cross each other or be a single point. */
    static Geometry polygons(Shape ink) {
        var flat = new Path2D.Double(Path2D.WIND_NON_ZERO);
        flat.append(ink.getPathIterator(null, FLATNESS), false);
        var polygons = new Polygonizer(true);
        for (Object contour : ShapeReader.toCoordinates(new Area(flat).getPathIterator(null))) {
            if (contour instanceof Coordinate[] corners && corners.length > 3) {
                polygons.add(GEOMETRIES.createLinearRing(corners));
            }
        }
        return polygons.getGeometry();
    }
}
