package farm.gantry.ingest.threemf;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.ingest.file.PartReaders;
import farm.gantry.ingest.sample.ThreemfFiles;
import farm.gantry.part.Part;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Measures the elapsed time of reading a 3MF against that of only inflating its models, the lower bound. Elapsed time
 * counts because both run in parallel on two cores. Not part of the test run; run it with {@code mvn -pl ingest-worker
 * -am test -Dtest=ReadingBenchmark -Djvm.compiler= -Dsurefire.failIfNoSpecifiedTests=false}, because tests otherwise
 * run without the optimizing compiler of the JVM. With {@code -Dcorpus=…} it also measures every 3MF below that folder
 * whose models have at least half a megabyte.
 */
class ReadingBenchmark {
    private static final int WARM_UP = 30;
    private static final int ROUNDS = 31;
    private static final int MODEL_BYTES = 20_000_000;
    private static final int MIN_BYTES = 500_000;
    /** The allowed ratio of reading time to inflating time; the goal is 1.5. */
    private static final double MAX_VALUE = 3;

    private static final String CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02";

    @TempDir
    Path folder;

    /** Kinds of models that slicers and modellers write. */
    enum Kind {
        ONE_OBJECT {
            @Override
            ThreemfFiles file() {
                int rings = rings(MODEL_BYTES, PLAIN_BYTES);
                return ThreemfFiles.model("<resources>" + object(1, "", rings, triangle -> 0)
                        + "</resources><build><item objectid=\"1\"/></build>");
            }
        },
        MANY_OBJECTS {
            @Override
            ThreemfFiles file() {
                var resources = new StringBuilder();
                var build = new StringBuilder();
                int rings = rings(MODEL_BYTES / OBJECTS, PLAIN_BYTES);
                for (int id = 1; id < 2 * OBJECTS; id += 2) {
                    resources.append(object(id, "", rings, triangle -> 0));
                    resources.append("<object id=\"%d\" type=\"model\"><components>".formatted(id + 1));
                    resources.append("<component objectid=\"%d\"/></components></object>\n".formatted(id));
                    build.append("<item objectid=\"%d\"/>\n".formatted(id + 1));
                }
                return ThreemfFiles.model("<resources>" + resources + "</resources><build>" + build + "</build>");
            }
        },
        PAINTED {
            @Override
            ThreemfFiles file() {
                int rings = rings(MODEL_BYTES, PAINTED_BYTES);
                var random = new Random(7);
                int[] left = {0, 0};
                IntUnaryOperator patches = triangle -> {
                    if (left[0]-- == 0) {
                        left[0] = random.nextInt(400);
                        left[1] = random.nextInt(PAINTS.length);
                    }
                    return left[1];
                };
                return ThreemfFiles.production()
                        .with(
                                "3D/Objects/object_1.model",
                                "<model xmlns=\"" + CORE + "\"><resources>" + object(1, "", rings, patches)
                                        + object(2, "", rings(MIN_BYTES, PLAIN_BYTES), triangle -> 0)
                                        + "</resources><build/></model>");
            }
        },
        COLOURED {
            @Override
            ThreemfFiles file() {
                int rings = rings(MODEL_BYTES, COLOURED_BYTES);
                var random = new Random(7);
                return ThreemfFiles.model("<resources><basematerials id=\"5\">"
                        + "<base name=\"PLA\" displaycolor=\"#112233\"/>".repeat(8) + "</basematerials>"
                        + object(1, " pid=\"5\" pindex=\"0\"", rings, triangle -> PAINTS.length + random.nextInt(8))
                        + "</resources><build><item objectid=\"1\"/></build>");
            }
        };

        private static final int OBJECTS = 200;
        private static final int PLAIN_BYTES = 152;
        private static final int PAINTED_BYTES = 205;
        private static final int COLOURED_BYTES = 186;
        private static final String[] PAINTS = {
            "",
            "",
            " paint_color=\"4\"",
            " paint_color=\"8\" paint_supports=\"4\"",
            " paint_color=\"0448148841C\"",
            " paint_seam=\"88448484484843448888C4448484C\""
        };

        abstract ThreemfFiles file();

        private static int rings(int bytes, int perPoint) {
            return (int) Math.sqrt(bytes / (double) perPoint);
        }

        /** Returns a sphere with ripples and painted triangles. */
        private static String object(int id, String attributes, int rings, IntUnaryOperator paint) {
            var xml = new StringBuilder("<object id=\"%d\"%s type=\"model\">\n".formatted(id, attributes));
            xml.append("   <mesh>\n    <vertices>\n");
            for (int ring = 0; ring <= rings; ring++) {
                for (int step = 0; step <= rings; step++) {
                    double down = Math.PI * ring / rings;
                    double around = 2 * Math.PI * step / rings;
                    double radius = 40 + Math.sin(9 * down) * Math.cos(7 * around);
                    xml.append("     <vertex x=\"").append((float) (radius * Math.sin(down) * Math.cos(around)));
                    xml.append("\" y=\"").append((float) (radius * Math.sin(down) * Math.sin(around)));
                    xml.append("\" z=\"")
                            .append((float) (radius * Math.cos(down)))
                            .append("\"/>\n");
                }
            }
            xml.append("    </vertices>\n    <triangles>\n");
            for (int ring = 0; ring < rings; ring++) {
                for (int step = 0; step < rings; step++) {
                    int at = ring * (rings + 1) + step;
                    triangle(xml, at, at + rings + 1, at + 1, paint.applyAsInt(2 * at));
                    triangle(xml, at + 1, at + rings + 1, at + rings + 2, paint.applyAsInt(2 * at + 1));
                }
            }
            return xml.append("    </triangles>\n   </mesh>\n  </object>\n").toString();
        }

        private static void triangle(StringBuilder xml, int one, int two, int three, int paint) {
            xml.append("     <triangle v1=\"").append(one);
            xml.append("\" v2=\"").append(two);
            xml.append("\" v3=\"").append(three).append('"');
            if (paint < PAINTS.length) {
                xml.append(PAINTS[paint]);
            } else {
                xml.append(" pid=\"5\" p1=\"").append(paint - PAINTS.length).append('"');
            }
            xml.append("/>\n");
        }
    }

    @FunctionalInterface
    private interface Work {
        void run() throws IOException;
    }

    @ParameterizedTest
    @EnumSource
    void readingTakesLittleLongerThanInflating(Kind kind) throws IOException {
        assertThat(measure(
                        kind.toString(),
                        kind.file()
                                .with("Metadata/plate_1.png", ThreemfFiles.PNG)
                                .write(folder)))
                .isLessThan(MAX_VALUE);
    }

    @Test
    void realFilesAreMeasured() throws IOException {
        Path corpus = Path.of(System.getProperty("corpus", folder.toString()));
        List<Path> files = new ArrayList<>();
        try (var below = Files.walk(corpus)) {
            for (Path file : below.filter(path -> path.toString().endsWith(".3mf"))
                    .sorted()
                    .toList()) {
                if (isRead(file)) {
                    files.add(file);
                }
            }
        }
        for (Path file : files) {
            measure(file.getFileName().toString(), file);
        }
    }

    private static boolean isRead(Path file) throws IOException {
        try {
            long bytes = models(file, false);
            PartReaders.read(file, Part.Type.THREE_MF);
            return bytes > MIN_BYTES;
        } catch (IOException refused) {
            return false;
        }
    }

    /** Measures both by turns, and returns the ratio of reading time to inflating time. */
    private static double measure(String name, Path file) throws IOException {
        long bytes = models(file, true);
        double[] inflating = new double[ROUNDS];
        double[] reading = new double[ROUNDS];
        for (int round = -WARM_UP; round < ROUNDS; round++) {
            double inflated = millis(() -> models(file, true));
            double read = millis(() -> PartReaders.read(file, Part.Type.THREE_MF));
            if (round >= 0) {
                inflating[round] = inflated;
                reading[round] = read;
            }
        }
        Arrays.sort(inflating);
        Arrays.sort(reading);
        int middle = ROUNDS / 2;
        System.out.printf(
                "%s, %.1f MB of models: inflating %.1f ms (median %.1f), reading %.1f ms (median %.1f): %.2f (%.2f)%n",
                name,
                bytes / 1e6,
                inflating[0],
                inflating[middle],
                reading[0],
                reading[middle],
                reading[0] / inflating[0],
                reading[middle] / inflating[middle]);
        return reading[0] / inflating[0];
    }

    private static double millis(Work work) throws IOException {
        long start = System.nanoTime();
        work.run();
        return (System.nanoTime() - start) / 1e6;
    }

    /** Inflates all models without reading them. */
    private static long models(Path file, boolean inflate) throws IOException {
        byte[] buffer = new byte[1 << 16];
        long bytes = 0;
        try (var zip = new ZipFile(file.toFile())) {
            for (ZipEntry entry : zip.stream()
                    .filter(entry -> entry.getName().endsWith(".model"))
                    .toList()) {
                bytes += entry.getSize();
                if (inflate) {
                    try (InputStream in = zip.getInputStream(entry)) {
                        while (in.read(buffer) >= 0) {}
                    }
                }
            }
        }
        return bytes;
    }
}
