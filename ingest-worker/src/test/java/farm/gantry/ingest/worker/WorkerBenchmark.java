package farm.gantry.ingest.worker;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.ingest.drawing.SceneRenderer;
import farm.gantry.ingest.file.FolderFiles;
import farm.gantry.ingest.file.PartReaders;
import farm.gantry.ingest.mesh.Mesh;
import farm.gantry.ingest.mesh.Scene;
import farm.gantry.ingest.sample.GcodeFiles;
import farm.gantry.ingest.sample.Solids;
import farm.gantry.ingest.threemf.ThreemfReader;
import farm.gantry.part.Part;
import farm.gantry.wire.IngestRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Measures how fast parts are read, drawn and ingested. Not part of the test run; run it with {@code mvn -pl
 * ingest-worker -am test -Dtest=WorkerBenchmark -Dsurefire.failIfNoSpecifiedTests=false -Dcorpus=…}. The system
 * property {@code beside} is a command, such as {@code python3 metadata.py -f}, that runs with each file for
 * comparison; {@code meshes} is a list of 3MF files whose triangles are measured, for comparison with a program that
 * uses lib3mf.
 */
class WorkerBenchmark {
    private static final int ROUNDS = 15;
    private static final int PARTS = 600;

    @TempDir
    Path folder;

    @FunctionalInterface
    private interface Work {
        void run() throws Exception;
    }

    private static double median(Work work) throws Exception {
        double[] millis = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            long start = System.nanoTime();
            work.run();
            millis[round] = (System.nanoTime() - start) / 1e6;
        }
        Arrays.sort(millis);
        return millis[ROUNDS / 2];
    }

    @Test
    void largestCorpusFilesAreReadBesideAnotherReader() throws Exception {
        String corpus = System.getProperty("corpus", "");
        for (String kind : List.of("project3mf", "gcode3mf", "gcode")) {
            Path files = Path.of(corpus, "files", kind);
            if (corpus.isEmpty() || !Files.isDirectory(files)) {
                System.out.println("no corpus of " + kind);
                continue;
            }
            Part.Type type = kind.equals("gcode") ? Part.Type.gcode : Part.Type.THREE_MF;
            try (var list = Files.list(files)) {
                for (Path file : list.sorted(Comparator.comparingLong(
                                        (Path path) -> path.toFile().length())
                                .reversed())
                        .limit(3)
                        .toList()) {
                    measure(file, type);
                }
            }
        }
    }

    private static void measure(Path file, Part.Type type) throws Exception {
        boolean archive = type == Part.Type.THREE_MF;
        var reader = new ThreemfReader(type);
        double metadata = median(() -> {
            if (archive) {
                reader.readMetadata(file);
            } else {
                PartReaders.read(file, type);
            }
        });
        String checked = archive
                ? String.format(", %.1f ms with every mesh checked", median(() -> PartReaders.read(file, type)))
                : "";
        String beside = System.getProperty("beside", "");
        String other = "";
        if (!beside.isEmpty()) {
            List<String> command = new ArrayList<>(List.of(beside.split(" ", -1)));
            command.add(file.toString());
            double process = median(() -> new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor());
            other = String.format("; beside it %.0f ms, %.0f times as long", process, process / metadata);
        }
        System.out.printf(
                "%s (%d KB): %.1f ms%s%s%n", file.getFileName(), Files.size(file) >> 10, metadata, checked, other);
    }

    @Test
    void meshesAreMeasured() throws Exception {
        String meshes = System.getProperty("meshes", "");
        for (String name : meshes.isEmpty() ? List.<String>of() : List.of(meshes.split(",", -1))) {
            Path file = Path.of(name);
            var reader = new ThreemfReader(Part.Type.THREE_MF);
            Scene scene = reader.plates(file).firstEntry().getValue();
            double millis = median(() -> reader.plates(file).values().forEach(Scene::bounds));
            System.out.printf("%s: %d triangles measured in %.1f ms%n", name, Solids.triangles(scene), millis);
        }
    }

    @Test
    void thumbnailOfManyTrianglesIsDrawn() throws Exception {
        Scene ball = Scene.of("ball", ball(336));
        double millis = median(() -> SceneRenderer.renderPng(ball, List.of("#00AE42"), 512));
        System.out.printf("%d triangles at 512²: %.0f ms%n", Solids.triangles(ball), millis);
        assertThat(millis).isLessThan(400);
    }

    /** A sphere with ripples, so that no triangle hides another's work. */
    private static Mesh ball(int rings) throws IOException {
        var mesh = new Mesh.Builder(4 * rings * rings);
        for (int ring = 0; ring <= rings; ring++) {
            for (int step = 0; step <= rings; step++) {
                double down = Math.PI * ring / rings;
                double around = 2 * Math.PI * step / rings;
                double radius = 40 + Math.sin(9 * down) * Math.cos(7 * around);
                mesh.point(
                        (float) (radius * Math.sin(down) * Math.cos(around)),
                        (float) (radius * Math.sin(down) * Math.sin(around)),
                        (float) (radius * Math.cos(down)));
            }
        }
        for (int ring = 0; ring < rings; ring++) {
            for (int step = 0; step < rings; step++) {
                int at = ring * (rings + 1) + step;
                mesh.triangle(at, at + rings + 1, at + 1);
                mesh.triangle(at + 1, at + rings + 1, at + rings + 2);
            }
        }
        return mesh.build();
    }

    @Test
    void smallPartsAreIngested() throws Exception {
        var files = new FolderFiles(folder.resolve("kept"));
        List<IngestRequest> requests = new ArrayList<>();
        Path gcode = GcodeFiles.write(folder, GcodeFiles.PRUSA);
        for (int part = 0; part < PARTS; part++) {
            requests.add(IngestedPart.request(files, gcode, Part.Type.gcode));
        }
        var worker = new Worker(files, folder.resolve("work"), IngestedPart.toolchain(IngestedPart.TOOLS));
        requests.subList(0, PARTS / 3).forEach(request -> worker.ingest(request, report -> {}));
        long start = System.nanoTime();
        try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
            List<Callable<Void>> work = new ArrayList<>();
            for (IngestRequest request : requests) {
                work.add(() -> {
                    worker.ingest(request, report -> {});
                    return null;
                });
            }
            pool.invokeAll(work).forEach(done -> assertThat(done.isDone()).isTrue());
            pool.shutdown();
            assertThat(pool.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        }
        double perSecond = PARTS / ((System.nanoTime() - start) / 1e9);
        System.out.printf("%.0f small parts a second%n", perSecond);
        assertThat(perSecond).isGreaterThan(200);
    }
}
