package farm.gantry.edge.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LayerIndexTest {
    @TempDir
    Path folder;

    static Stream<Arguments> slicers() {
        return Stream.of(
                Arguments.of(
                        "PrusaSlicer", ";LAYER_CHANGE\n;Z:0.2\n;HEIGHT:0.2\n", ";LAYER_CHANGE\n;Z:.4\n;HEIGHT:0.2\n"),
                Arguments.of(
                        "Bambu Studio", "; CHANGE_LAYER\n; Z_HEIGHT: 0.2\n", "; CHANGE_LAYER\r\n; Z_HEIGHT: 0.4\r\n"),
                Arguments.of("Cura", ";LAYER:0\nG0 F3000 X1 Y2 Z0.2\n", ";LAYER:1\nG0 X1 Y2 Z0.4\n"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("slicers")
    void layerIsFoundByFilePositionAndByHeight(String slicer, String first, String second) throws Exception {
        String head = "; by " + slicer + "\nG28\nG1 Z5\n;LAYER_COUNT:2\n";
        String between = "G1 X1 E1\nG1 Z0.6 F600\nG1 X2 E2\n";
        LayerIndex layers = read(head + first + between + second + between);
        long begin = head.length();
        long next = begin + first.length() + between.length();
        assertThat(layers.all())
                .containsExactly(new LayerIndex.LayerStart(begin, 0.2), new LayerIndex.LayerStart(next, 0.4));
        assertThat(List.of(0L, begin - 1, begin, next - 1, next, next * 9))
                .extracting(layers::layerAtByte)
                .containsExactly(0, 0, 1, 1, 2, 2);
        assertThat(List.of(0.0, 0.2, 0.39, 0.4, 7.0))
                .extracting(layers::layerAtHeight)
                .containsExactly(0, 1, 2, 2, 2);
    }

    @Test
    void fileWithoutLayerCommentsHasNoLayers() throws Exception {
        LayerIndex layers = read("G28\nG1 Z0.2\n; a remark\n");
        assertThat(layers.layerCount()).isZero();
        assertThat(layers.layerAtHeight(1)).isNull();
    }

    private LayerIndex read(String gcode) throws Exception {
        return LayerIndex.read(Files.writeString(folder.resolve("a.gcode"), gcode));
    }
}
