package farm.gantry.ingest.drawing;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.ingest.mesh.BuildItem;
import farm.gantry.ingest.mesh.Mesh;
import farm.gantry.ingest.mesh.Scene;
import farm.gantry.ingest.mesh.Transform;
import farm.gantry.ingest.mesh.Volume;
import farm.gantry.ingest.sample.Solids;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SceneRendererTest {
    private static final int SIDE = 64;

    private static BufferedImage drawn(Scene scene, String... colors) throws IOException {
        return ImageIO.read(new ByteArrayInputStream(SceneRenderer.renderPng(scene, List.of(colors), SIDE)));
    }

    private static Color at(BufferedImage image, int x, int y) {
        return new Color(image.getRGB(x, y), true);
    }

    private static Volume body(double x, int tool, Volume.Kind kind) throws IOException {
        Mesh box = Solids.box(0, 0, 0, 10, 10, 10);
        return new Volume("1", "box", kind, tool, box, Transform.translation(x, 0, 0));
    }

    private static Scene scene(Volume... volumes) {
        return new Scene(List.of(new BuildItem("1", "boxes", List.of(volumes))));
    }

    @Test
    void partIsDrawnInFilamentColoursOnATransparentBackground() throws IOException {
        BufferedImage image =
                drawn(scene(body(-12, 0, Volume.Kind.PART), body(12, 1, Volume.Kind.PART)), "#FF0000", "#0000FF");
        Color left = at(image, SIDE / 5, SIDE / 2 - 4);
        Color right = at(image, SIDE * 3 / 4, SIDE / 2 + 4);
        assertThat(left.getRed()).isGreaterThan(3 * left.getBlue());
        assertThat(right.getBlue()).isGreaterThan(3 * right.getRed());
        assertThat(at(image, 0, 0).getAlpha()).isZero();
    }

    @Test
    void topIsLighterThanTheSides() throws IOException {
        BufferedImage image = drawn(scene(body(0, 0, Volume.Kind.PART)), "#808080");
        int top = at(image, SIDE * 2 / 5, SIDE / 5).getRed();
        int side = at(image, SIDE / 2, SIDE * 3 / 5).getRed();
        assertThat(top).isGreaterThan(side + 10);
    }

    @Test
    void modifierIsNotDrawn() throws IOException {
        assertThat(SceneRenderer.renderPng(
                        scene(body(0, 0, Volume.Kind.PART), body(30, 1, Volume.Kind.MODIFIER)), List.of(), SIDE))
                .isEqualTo(SceneRenderer.renderPng(scene(body(0, 0, Volume.Kind.PART)), List.of(), SIDE));
    }

    @Test
    void emptySceneYieldsATransparentImage() throws IOException {
        BufferedImage image = drawn(new Scene(List.of()));
        assertThat(image.getWidth()).isEqualTo(SIDE);
        assertThat(at(image, SIDE / 2, SIDE / 2).getAlpha()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"4,1", "8,2", "0C,3", "1C,4", "2C,5", "'',0", "zz,0"})
    void whollyPaintedTriangleHasItsFilament(String code, int filament) {
        assertThat(PaintCodeDecoder.dominantFilament(code)).isEqualTo(filament);
    }

    @Test
    void partlyPaintedTriangleHasTheFilamentOfItsLargestArea() {
        assertThat(PaintCodeDecoder.dominantFilament("48883")).isEqualTo(2);
        assertThat(PaintCodeDecoder.dominantFilament("3".repeat(4000))).isZero();
    }
}
