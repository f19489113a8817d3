package farm.gantry.ingest.threemf.model;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.ingest.mesh.Mesh;
import farm.gantry.ingest.mesh.PaintLayer;
import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.sample.ThreemfFiles;
import farm.gantry.ingest.threemf.archive.ThreemfArchive;
import farm.gantry.ingest.threemf.model.ModelFile.MeshObject;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks with random models that the parser for plain meshes yields the same as the XML reader. A line break in place
 * of a space in each element leaves that element to the XML reader.
 */
class PlainMeshPropertyTest {
    private static final int MODELS = Integer.getInteger("models", 400);
    private static final long SEED = Long.getLong("seed", 1);
    private static final String MODEL = "3D/3dmodel.model";
    private static final List<String> NUMBERS = List.of(
            "0",
            "-0",
            "1.5",
            "-12.3456789",
            "0.499000013",
            "100000.125",
            "16777217",
            "1.00000005960465",
            "0012.50",
            "1e3",
            "-1.5E-05",
            "1.25e+2",
            "1e-400",
            "1e99",
            "1e",
            "1e5p",
            "1.5e123456789",
            "+1",
            ".5",
            "5.",
            "-",
            "",
            "NaN",
            "1f",
            "0x1p3",
            " 1",
            "1 ",
            "1,5",
            "1..5",
            "1.5.5",
            "12345678",
            "123456789.5",
            "1234567.12345678",
            "99999999999999999",
            "0.0000000000001",
            "&#49;",
            "١",
            "1p",
            "1.2q");
    private static final List<String> CORNERS =
            List.of("0", "1", "2", "3", "07", "-1", "9", "1234567", "12345678", "99999999999", "", "1.0", "&#50;", "p");
    private static final List<String> EXTRAS = List.of(
            " pid=\"5\"",
            " pid=\"05\"",
            " pid=\"6\"",
            " pid=\"9\"",
            " p1=\"0\"",
            " p1=\"0\" p2=\"1\" p3=\"0\"",
            " p1=\"x\"",
            " paint_color=\"4\"",
            " paint_color=\"0448148841C\"",
            " paint_color=\"\"",
            " paint_color='8'",
            " mmu_segmentation=\"8\"",
            " s:custom_supports=\"4\"",
            " slic3rpe:custom_seam=\"4C\"",
            " paint_seam=\"&#65;\"",
            " unheard=\"x\"",
            " x=\"/>\"");
    private static final List<String> BETWEEN = List.of(
            "",
            "",
            "",
            "\n     ",
            "\r\n\t",
            " ",
            "text",
            "é",
            "<!-- <vertex x=\"1\" y=\"2\" z=\"3\"/> -->",
            "<![CDATA[<vertex x=\"1\" y=\"2\" z=\"3\"/>]]>",
            "<?a <triangle v1=\"0\" v2=\"1\" v3=\"2\"/>?>",
            "<b:ball/>",
            "\u0001",
            "<vertices>",
            "&amp;",
            "&none;",
            "<");

    @TempDir
    Path folder;

    @Test
    void plainMeshParserAgreesWithTheXmlReader() throws IOException {
        int read = 0;
        for (int model = 0; model < MODELS; model++) {
            var random = new Random(SEED + model);
            String xml = model(random);
            Charset charset = pick(
                    random,
                    List.of(
                            StandardCharsets.UTF_8,
                            StandardCharsets.UTF_8,
                            StandardCharsets.UTF_8,
                            StandardCharsets.UTF_16));
            String plain = read(xml, charset);
            String odd = read(xml.replace("<vertex ", "<vertex\n").replace("<triangle ", "<triangle\n"), charset);
            assertThat(plain).as("seed %d: %s", SEED + model, xml).isEqualTo(odd);
            read += plain.startsWith("refused") ? 0 : 1;
        }
        assertThat(read).isBetween(MODELS / 5, MODELS * 4 / 5);
    }

    /** Returns the content of a model, or the reason for its rejection. */
    private String read(String xml, Charset charset) throws IOException {
        Path file = ThreemfFiles.model("").with(MODEL, xml.getBytes(charset)).write(folder);
        try (ThreemfArchive archive = ThreemfArchive.open(file)) {
            var read = new StringBuilder();
            ModelParser.parse(archive, MODEL, true).objects().forEach((id, shape) -> {
                read.append(id).append(": ");
                if (shape instanceof MeshObject meshed) {
                    tell(meshed.mesh(), read);
                }
            });
            return read.toString();
        } catch (BadFileException refused) {
            return "refused: " + refused.getMessage();
        } finally {
            Files.delete(file);
        }
    }

    private static void tell(Mesh mesh, StringBuilder text) {
        for (int point = 0; point < mesh.points(); point++) {
            text.append(mesh.x(point))
                    .append(' ')
                    .append(mesh.y(point))
                    .append(' ')
                    .append(mesh.z(point))
                    .append(", ");
        }
        for (int triangle = 0; triangle < mesh.triangles(); triangle++) {
            for (int corner = 0; corner < 3; corner++) {
                text.append(mesh.corner(triangle, corner)).append(' ');
            }
            for (PaintLayer brush : PaintLayer.values()) {
                text.append(mesh.paint(brush, triangle)).append(' ');
            }
        }
    }

    /** Returns a random model; {@code odd} percent of its parts have an unusual form. */
    private static String model(Random random) {
        int odd = pick(random, List.of(0, 0, 1, 3, 20));
        var xml = new StringBuilder("<model xmlns=\"http://schemas.microsoft.com/3dmanufacturing/core/2015/02\"");
        xml.append(random.nextBoolean() ? " unit=\"inch\"" : "");
        xml.append(" xmlns:b=\"b\" xmlns:s=\"s\"").append(random.nextBoolean() ? " xmlns:slic3rpe=\"p\"" : "");
        xml.append("><resources><basematerials id=\"5\"/><basematerials id=\"6\"/><object id=\"1\"><mesh><vertices>");
        int points = 4 + random.nextInt(pick(random, List.of(20, 20, 3000)));
        for (int point = 0; point < points; point++) {
            List<String> attributes = new ArrayList<>();
            for (String axis : List.of("x", "y", "z")) {
                attributes.add(attribute(
                        random, odd, axis, random.nextInt(100) < odd ? pick(random, NUMBERS) : number(random)));
            }
            element(random, odd, xml, "vertex", attributes);
        }
        xml.append("</vertices><triangles>");
        for (int triangle = random.nextInt(2 * points); triangle > 0; triangle--) {
            List<String> attributes = new ArrayList<>();
            for (String corner : List.of("v1", "v2", "v3")) {
                String number = Integer.toString(random.nextInt(points));
                attributes.add(
                        attribute(random, odd, corner, random.nextInt(100) < odd ? pick(random, CORNERS) : number));
            }
            for (int extra = random.nextInt(3); extra > 0 && odd > 0; extra--) {
                attributes.add(pick(random, EXTRAS.subList(0, random.nextInt(100) < odd ? EXTRAS.size() : 1)));
            }
            element(random, odd, xml, "triangle", attributes.stream().distinct().toList());
        }
        return xml.append("</triangles></mesh></object></resources><build/></model>")
                .toString();
    }

    private static String number(Random random) {
        return Float.toString((float) (random.nextInt(2000) - 1000) / pick(random, List.of(1, 3, 8, 1000, 70000)));
    }

    private static String attribute(Random random, int odd, String name, String value) {
        boolean single = random.nextInt(300) < odd;
        return " " + name + (single ? " = '" + value + "'" : "=\"" + value + "\"");
    }

    private static void element(Random random, int odd, StringBuilder xml, String name, List<String> attributes) {
        List<String> order = new ArrayList<>(attributes);
        if (random.nextInt(300) < odd) {
            Collections.shuffle(order, random);
        }
        xml.append(random.nextInt(2000) < odd ? "<b:" + name : "<" + name);
        xml.append(random.nextInt(300) < odd ? " " : "").append(String.join("", order));
        xml.append(random.nextInt(10) == 0 ? " />" : random.nextInt(300) < odd ? "></" + name + ">" : "/>");
        xml.append(pick(random, random.nextInt(300) < odd ? BETWEEN : BETWEEN.subList(0, 6)));
    }

    private static <T> T pick(Random random, List<T> of) {
        return of.get(random.nextInt(of.size()));
    }
}
