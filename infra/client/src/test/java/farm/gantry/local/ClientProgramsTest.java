package farm.gantry.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs one program for each generated client against a farm with a simulated printer: it uploads, prints, waits for the end
 * and verifies a delivery.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ClientProgramsTest {
    private static final Path GENERATED = Path.of(System.getProperty("gantry.generated"));
    private static final int PRINT_SECONDS = 60;
    private static final int MAX_MINUTES = 5;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Path folder;
    private final HttpServer receiver =
            HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    private final BlockingQueue<Map<String, String>> deliveries = new LinkedBlockingQueue<>();
    private final Farm farm =
            Farm.start(Map.of("gantry.webhooks.allow-insecure-local-receivers-for-development", "true"));
    private final FarmPrinter machine = farm.addPrinter("printer of the clients");
    private final String secret;

    ClientProgramsTest(@TempDir Path folder) throws IOException {
        this.folder = folder;
        receiver.createContext("/", exchange -> {
            Headers headers = exchange.getRequestHeaders();
            deliveries.add(Map.of(
                    "id",
                    headers.getFirst("webhook-id"),
                    "timestamp",
                    headers.getFirst("webhook-timestamp"),
                    "signature",
                    headers.getFirst("webhook-signature"),
                    "body",
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        receiver.start();
        Map<String, String> destination = Map.of(
                "webhookUrl",
                "http://127.0.0.1:" + receiver.getAddress().getPort() + "/",
                "apiKey",
                "0123456789".repeat(4));
        this.secret = FarmRequests.text(
                farm.api()
                        .post("/v1/settings/notifications", Map.of("channel", "webhook", "data", destination))
                        .get("data"),
                "signingSecret");
        farm.api().patch("/v1/settings/notifications/webhook/events", Map.of("onJobSucceeded", true));
    }

    @AfterAll
    void close() throws IOException {
        receiver.stop(0);
        machine.close();
        farm.close();
    }

    @BeforeEach
    void clearBed() throws IOException {
        machine.confirmBed();
    }

    @Test
    void javaClientPrintsAndVerifies() throws Exception {
        run(
                Map.of(),
                System.getProperty("java.home") + "/bin/java",
                "-cp",
                System.getProperty("java.class.path"),
                "farm.gantry.customer.Customer");
    }

    @Test
    void typeScriptClientPrintsAndVerifies() throws Exception {
        assumeTrue(succeeds("node", "--version"), "Node.js is not installed");
        Path compiler = compiler();
        Path sources = folder.resolve("sources");
        Files.createDirectories(sources);
        Files.createSymbolicLink(
                sources.resolve("client"), GENERATED.resolve("typescript").toAbsolutePath());
        Files.copy(Path.of("src/test/typescript/customer.ts"), sources.resolve("customer.ts"));
        Path compiled = folder.resolve("compiled");
        assertThat(output(
                        "node",
                        compiler.resolve("_tsc.js").toString(),
                        "--strict",
                        "--target",
                        "es2022",
                        "--module",
                        "commonjs",
                        "--lib",
                        "es2022,dom,dom.iterable",
                        "--outDir",
                        compiled.toString(),
                        "--preserveSymlinks",
                        sources.resolve("customer.ts").toString()))
                .isEmpty();
        run(Map.of(), "node", compiled.resolve("customer.js").toString());
    }

    @Test
    void pythonClientPrintsAndVerifies() throws Exception {
        assumeTrue(
                succeeds("python3", "-c", "import dateutil, pydantic, typing_extensions, urllib3"),
                "Python 3 with the libraries of the generated client is not installed");
        run(
                Map.of(
                        "PYTHONPATH",
                        GENERATED.resolve("python").toAbsolutePath().toString()),
                "python3",
                "src/test/python/customer.py");
    }

    private static String read(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void run(Map<String, String> more, String... command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment()
                .putAll(Map.of(
                        "URL",
                        farm.url(),
                        "KEY",
                        farm.key(),
                        "FILE",
                        PrintFiles.gcode(folder, "customer", PRINT_SECONDS).toString(),
                        "SECRET",
                        secret));
        builder.environment().putAll(more);
        Path log = Files.createTempFile(folder, "program", ".log");
        Process program = builder.redirectError(log.toFile()).start();
        Map<String, String> genuine = Objects.requireNonNull(
                deliveries.poll(MAX_MINUTES, TimeUnit.MINUTES), () -> "no delivery: " + read(log));
        List<String> lines = new ArrayList<>();
        String sent = Objects.requireNonNull(genuine.get("body"));
        for (String body : List.of(sent, sent.replace("onJob", "onOther"))) {
            Map<String, String> delivery = new TreeMap<>(genuine);
            delivery.put("body", body);
            lines.add(MAPPER.writeValueAsString(delivery) + "\n");
        }
        try (var input = program.outputWriter(StandardCharsets.UTF_8)) {
            input.write(String.join("", lines));
        }
        String printed = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(program.waitFor()).as(read(log)).isZero();
        assertThat(printed.lines()).containsExactly("Completed", "genuine", "forged");
    }

    private static boolean succeeds(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static String output(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** Returns the folder of TypeScript's compiler and libraries, from a webjar. */
    private Path compiler() throws IOException {
        Path compiler = Files.createDirectories(folder.resolve("typescript"));
        URL url = Objects.requireNonNull(
                getClass().getResource("/META-INF/resources/webjars/typescript/5.9.3/lib/_tsc.js"));
        try (JarFile jar = ((JarURLConnection) url.openConnection()).getJarFile()) {
            for (JarEntry entry : Collections.list(jar.entries())) {
                String name = entry.getName().substring(entry.getName().lastIndexOf('/') + 1);
                if (name.equals("_tsc.js") || name.matches("lib\\..*\\.d\\.ts")) {
                    Files.write(
                            compiler.resolve(name), jar.getInputStream(entry).readAllBytes());
                }
            }
        }
        return compiler;
    }
}
