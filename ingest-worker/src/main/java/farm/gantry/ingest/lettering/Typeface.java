package farm.gantry.ingest.lettering;

import java.awt.Font;
import java.awt.GraphicsEnvironment;
import java.awt.font.FontRenderContext;
import java.awt.geom.AffineTransform;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.locationtech.jts.awt.ShapeReader;
import org.locationtech.jts.geom.Geometry;
import org.locationtech.jts.geom.GeometryFactory;

/** A font as it was asked for; {@code warning} says when another stands in for it. */
public record Typeface(Font font, @Nullable String warning) {
    private static final int SIZE = 100;
    private static final double FLATNESS = 0.2;
    private static final FontRenderContext FINE = new FontRenderContext(null, true, true);

    /** Looked up once: fonts are not installed into a running worker. */
    private static final class Installed {
        static final Set<String> FAMILIES = Arrays.stream(
                        GraphicsEnvironment.getLocalGraphicsEnvironment().getAvailableFontFamilyNames(Locale.ROOT))
                .map(name -> name.toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());

        private Installed() {}
    }

    public static Typeface of(@Nullable String family, boolean bold, boolean italic) {
        int style = (bold ? Font.BOLD : Font.PLAIN) | (italic ? Font.ITALIC : Font.PLAIN);
        if (family != null && Installed.FAMILIES.contains(family.toLowerCase(Locale.ROOT))) {
            return new Typeface(new Font(family, style, SIZE), null);
        }
        String warning =
                family == null ? null : "The font " + family + " is not installed, so another one stands in for it";
        return new Typeface(new Font(Font.SANS_SERIF, style, SIZE), warning);
    }

    /** The letters' outlines, upright, with their first line's beginning at 0. */
    Geometry outline(String text) {
        var shape = font.createGlyphVector(FINE, text).getOutline();
        var upright = new AffineTransform(1, 0, 0, -1, 0, 0).createTransformedShape(shape);
        return ShapeReader.read(upright.getPathIterator(null, FLATNESS), new GeometryFactory())
                .buffer(0);
    }
}
