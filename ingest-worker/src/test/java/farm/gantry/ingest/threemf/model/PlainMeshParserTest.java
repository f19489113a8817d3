package farm.gantry.ingest.threemf.model;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.ingest.mesh.PaintLayer;
import farm.gantry.ingest.threemf.model.MeshRun.Points;
import farm.gantry.ingest.threemf.model.MeshRun.Triangles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainMeshParserTest {
    private static PlainMeshParser runs(String xml) {
        return new PlainMeshParser(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
    }

    private static String rest(PlainMeshParser runs) throws IOException {
        return new String(runs.readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void plainPointsAndTrianglesAreExtractedFromTheXml() throws IOException {
        PlainMeshParser runs = runs("""
                <vertices><vertex x="1.5" y="-2" z="0.125"/>
                 <vertex x="3" y="4" z="5" /></vertices><triangles><triangle v1="0" v2="1" v3="2"/></triangles>""");
        assertThat(rest(runs))
                .isEqualTo("<vertices><vertex " + runs.mark() + "=\"0\"/></vertices><triangles><triangle " + runs.mark()
                        + "=\"1\"/></triangles>");
        assertThat(points(runs, "0")).containsExactly(1.5f, -2, 0.125f, 3, 4, 5);
        assertThat(triangles(runs, "1").corners()).containsExactly(0, 1, 2);
        assertThat(runs.take("0")).isNull();
    }

    @Test
    void coordinatesMayHaveExponents() throws IOException {
        PlainMeshParser runs = runs("<vertex x=\"-1.7484555E-7\" y=\"1e3\" z=\"2.5e+02\"/>");
        assertThat(rest(runs)).isEqualTo("<vertex " + runs.mark() + "=\"0\"/>");
        assertThat(points(runs, "0")).containsExactly(-1.7484555E-7f, 1000, 250);
    }

    private static float[] points(PlainMeshParser runs, String name) {
        return ((Points) Objects.requireNonNull(runs.take(name))).coordinates();
    }

    private static Triangles triangles(PlainMeshParser runs, String name) {
        return (Triangles) Objects.requireNonNull(runs.take(name));
    }

    @Test
    void propertiesAndPaintAreExtractedWithTheTriangles() throws IOException {
        PlainMeshParser runs = runs("""
                <triangle v1="0" v2="1" v3="2" pid="5" p1="0" p2="7"/>
                <triangle v1="0" v2="1" v3="2" slic3rpe:custom_seam="0C" pid="5" paint_color="4"/>
                <triangle v1="0" v2="1" v3="2"/>""");
        assertThat(rest(runs))
                .isEqualTo("<triangle " + runs.mark() + "=\"0\" pid=\"5\"/><triangle " + runs.mark() + "=\"1\"/>");
        Triangles grouped = triangles(runs, "0");
        assertThat(grouped.corners()).containsExactly(0, 1, 2, 0, 1, 2);
        assertThat(grouped.paint().get(PaintLayer.COLOR)).containsExactly(null, "4");
        assertThat(grouped.paint().get(PaintLayer.SEAM)).containsExactly(null, "0C");
        assertThat(triangles(runs, "1").paint()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<vertex x=\"1e\" y=\"0\" z=\"0\"/>",
                "<vertex x=\"1e+\" y=\"0\" z=\"0\"/>",
                "<vertex x=\"1e5.5\" y=\"0\" z=\"0\"/>",
                "<vertex x=\"1e5p\" y=\"0\" z=\"0\"/>",
                "<vertex x=\"e5\" y=\"0\" z=\"0\"/>",
                "<vertex x=\"\" y=\"0\" z=\"0\"/>",
                "<vertex x=\"1.\" y=\"0\" z=\"0\"/>",
                "<vertex x=\"-\" y=\"0\" z=\"0\"/>",
                "<vertex x=\"1\"y=\"0\" z=\"0\"/>",
                "<vertex x=\"1234567890123456\" y=\"0\" z=\"0\"/>",
                "<vertex y=\"1\" x=\"0\" z=\"0\"/>",
                "<vertex x=\"1\" y=\"0\" z=\"0\" w=\"0\"/>",
                "<vertex x=\"1\" y=\"0\" z=\"0\"></vertex>",
                "<vertex x=\"1\" y=\"0\" z=\"0",
                "<triangle v1=\"0\" v2=\"1\" v3=\"2\" paint_color=\"\"/>",
                "<triangle v1=\"0\" v2=\"1\" v3=\"2\" paint_color=\"&#52;\"/>",
                "<triangle v1=\"0\" v2=\"1\" v3=\"2\" paint_color=\"4\" paint_color=\"4\"/>",
                "<triangle v1=\"0\" v2=\"1\" v3=\"2\" pid=\"05\"/>",
                "<triangle v1=\"0\" v2=\"1\" v3=\"2\" pid=\"5\" pid=\"5\"/>",
                "<triangle v1=\"0\" v2=\"1\" v3=\"2\" unheard=\"5\"/>",
                "<triangle v1=\"0\" v2=\"1\" v3=\"p\"/>",
                "<vertex x=\"1q.5\" y=\"0\" z=\"0\"/>",
                "<vertex x=\"1.5:\" y=\"0\" z=\"0\"/>",
                "<vertex x=\"1.0000000000001\" y=\"0\" z=\"0\"/>",
                "<triangle v1=\"-1\" v2=\"1\" v3=\"2\"/>",
                "<triangle v1=\"0.5\" v2=\"1\" v3=\"2\"/>",
                "<m:vertex x=\"1\" y=\"0\" z=\"0\"/>",
                "<"
            })
    void unusualElementIsLeftToTheXmlReader(String xml) throws IOException {
        assertThat(rest(runs(xml))).isEqualTo(xml);
    }

    @Test
    void runsThatAreNeverTakenAreDropped() throws IOException {
        PlainMeshParser runs = runs("<vertex x=\"1\" y=\"2\" z=\"3\"/>".repeat(1_000_000));
        long markers = rest(runs).chars().filter(letter -> letter == '<').count();
        assertThat(markers).isEqualTo(977);
        assertThat(runs.take("0")).isNull();
        assertThat(points(runs, "975")).hasSize(3 * 1024);
    }
}
