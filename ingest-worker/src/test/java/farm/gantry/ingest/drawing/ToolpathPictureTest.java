package farm.gantry.ingest.drawing;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.ingest.gcode.ToolpathParser;
import farm.gantry.ingest.reading.Bounds;
import farm.gantry.ingest.reading.ExtrusionListener;
import farm.gantry.ingest.reading.GcodeMetadata.Slicer;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

class ToolpathPictureTest {
    private static final int SIDE = 64;

    /** Returns the four walls of a box, 10 mm wide and 4 mm high, without top, bottom and infill. */
    private static String box(double x) {
        var gcode = new StringBuilder("M83\n;LAYER:0\n");
        for (int layer = 1; layer <= 20; layer++) {
            gcode.append("G0 X%s Y0 Z%.1f\n".formatted(x, layer * 0.2));
            gcode.append("G1 X%s E1\nG1 Y10 E1\nG1 X%s E1\nG1 Y0 E1\n".formatted(x + 10, x));
        }
        return gcode.toString();
    }

    private static Bounds follow(String gcode, ExtrusionListener extrusions) throws IOException {
        return ToolpathParser.parse(
                        new ByteArrayInputStream(gcode.getBytes(StandardCharsets.UTF_8)), Slicer.UNKNOWN, extrusions)
                .printed();
    }

    private static byte[] png(String gcode, String... colors) throws IOException {
        var drawing = new ToolpathPictureBuilder(follow(gcode, ExtrusionListener.NONE), List.of(colors), 0.5, SIDE);
        follow(gcode, drawing);
        return drawing.png();
    }

    private static BufferedImage drawn(String gcode, String... colors) throws IOException {
        return ImageIO.read(new ByteArrayInputStream(png(gcode, colors)));
    }

    private static Color at(BufferedImage image, int x, int y) {
        return new Color(image.getRGB(x, y), true);
    }

    @Test
    void boxIsDrawnWithItsFrontWallsOnATransparentBackground() throws IOException {
        BufferedImage image = drawn(box(100), "#FF0000");
        Color front = at(image, SIDE * 2 / 5, SIDE * 3 / 5 + 2);
        assertThat(front.getAlpha()).isEqualTo(255);
        assertThat(front.getRed()).isGreaterThan(3 * front.getBlue());
        assertThat(at(image, 0, 0).getAlpha()).isZero();
        assertThat(at(image, SIDE - 1, 0).getAlpha()).isZero();
    }

    @Test
    void eachToolIsDrawnInItsFilamentColour() throws IOException {
        BufferedImage image = drawn("T0\n" + box(0) + "T1\n" + box(14), "#FF0000", "#0000FF");
        Color left = at(image, SIDE / 4, SIDE / 2);
        Color right = at(image, SIDE * 3 / 4, SIDE / 2);
        assertThat(left.getRed()).isGreaterThan(3 * left.getBlue());
        assertThat(right.getBlue()).isGreaterThan(3 * right.getRed());
    }

    @Test
    void purgeLinesBeforeTheFirstLayerAreNotDrawn() throws IOException {
        String purge = "M83\nG0 X100 Y-1 Z0.2\nG1 X110 E9\n";
        assertThat(png(purge + box(100))).isEqualTo(png(box(100)));
    }

    /** Each segment alone is too short to be visible. */
    @Test
    void lineOfManyShortSegmentsIsDrawn() throws IOException {
        var gcode = new StringBuilder("M83\nG0 X0 Y0 Z0.2\n");
        for (int piece = 1; piece <= 10_000; piece++) {
            gcode.append("G1 X%.3f Y%.3f E1\n".formatted(piece * 0.01, piece * 0.01));
        }
        BufferedImage image = drawn(gcode.toString(), "#FF0000");
        for (int x = SIDE / 4; x < SIDE * 3 / 4; x++) {
            int column = x;
            assertThat(IntStream.range(0, SIDE).map(y -> at(image, column, y).getRed()))
                    .anyMatch(red -> red > 60);
        }
    }
}
