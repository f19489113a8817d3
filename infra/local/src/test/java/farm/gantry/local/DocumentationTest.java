package farm.gantry.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import farm.gantry.simulator.klipper.MoonrakerSimulator;
import farm.gantry.simulator.printer.SimulationSpeed;
import io.micronaut.json.tree.JsonNode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Runs the shell blocks of the guides against a farm with a simulated printer, and compares what they print with the
 * block that follows. {@link PrintedOutput} says what may differ. Blocks marked {@code sh no-run} do not run.
 */
@Tag("full")
@ResourceLock(OwnFarm.FIRST)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DocumentationTest {
    private static final Path DOCS = Path.of("../docs");
    private static final List<String> OTHER_GUIDES =
            List.of("orders.md", "costs.md", "planning.md", "notifications.md");
    private static final int PRINT_SECONDS = 60;
    private static final SimulationSpeed SPEED = new SimulationSpeed(60, null);
    private static final Map<String, String> SETTINGS = Map.of(
            "gantry.rate-limit.per-minute",
            "600",
            "gantry.webhooks.allow-insecure-local-receivers-for-development",
            "true");

    private final Farm farm = Farm.start(SETTINGS);
    private final MoonrakerSimulator printer = new MoonrakerSimulator(0, SPEED, null);
    private final WebhookReceiver receiver = new WebhookReceiver();
    private final Path folder = farm.createFolder();
    private final PageShell shell = new PageShell(
            folder,
            Map.of(
                    "URL", farm.url(),
                    "KEY", farm.key(),
                    "FILE", PrintFiles.gcode(folder, "hinge", PRINT_SECONDS).toString(),
                    "PRINTER_HOST", "127.0.0.1",
                    "PRINTER_PORT", String.valueOf(printer.port()),
                    "RECEIVER", receiver.url()));

    DocumentationTest() throws IOException {}

    @AfterAll
    void close() throws IOException {
        farm.close();
        printer.close();
        receiver.close();
    }

    @TestFactory
    Stream<DynamicTest> shellBlocksPrintWhatThePageShows() throws IOException {
        for (String program : List.of("bash", "curl", "jq", "openssl")) {
            assumeTrue(isInstalled(program), "no " + program + " is installed here");
        }
        Eventually.see(
                "the agent is connected",
                () -> farm.api().get("/v1/agents?isOnline=true"),
                agents -> agents.size() > 0);
        Stream<DynamicTest> pages = pages().map(
                        page -> DynamicTest.dynamicTest(DOCS.relativize(page).toString(), () -> runPage(page)));
        MarkdownPage webhooks = MarkdownPage.read(DOCS.resolve("api/webhooks.md"));
        Stream<DynamicTest> receivers = Stream.of(
                        new DocumentedReceiver("Python", "python", "receiver.py", "python3"),
                        new DocumentedReceiver("JavaScript", "js", "receiver.mjs", "node"),
                        new DocumentedReceiver(
                                "Java", "java", "Receiver.java", System.getProperty("java.home") + "/bin/java"))
                .map(each -> DynamicTest.dynamicTest("receiver in " + each.name(), () -> runReceiver(webhooks, each)));
        return Stream.of(
                        pages,
                        Stream.of(DynamicTest.dynamicTest("delivery of webhooks.md", () -> compareDelivery(webhooks))),
                        receivers)
                .flatMap(each -> each);
    }

    /** A receiver of webhooks on the page: its language, the info string of its block, its file and its program. */
    private record DocumentedReceiver(String name, String info, String file, String program) {}

    private static Stream<Path> pages() throws IOException {
        try (Stream<Path> api = Files.list(DOCS.resolve("api"))) {
            List<Path> guides =
                    api.filter(page -> page.toString().endsWith(".md")).sorted().toList();
            return Stream.of(
                            Stream.of(DOCS.resolve("getting-started.md")),
                            guides.stream(),
                            OTHER_GUIDES.stream().map(DOCS::resolve))
                    .flatMap(each -> each);
        }
    }

    private void runPage(Path file) throws IOException, InterruptedException {
        List<MarkdownPage.Step> steps = MarkdownPage.read(file).steps();
        List<String> printed = shell.run(steps);
        for (int i = 0; i < steps.size(); i++) {
            MarkdownPage.Step step = steps.get(i);
            if (step.output().isPresent()) {
                MarkdownPage.Block output = step.output().get();
                assertThat(PrintedOutput.normalize(output.info(), printed.get(i)))
                        .as(
                                "the block in line %d of %s prints%n%s",
                                step.shell().line(), file, printed.get(i))
                        .isEqualTo(PrintedOutput.normalize(output.info(), output.text()));
            }
        }
    }

    /** Compares the delivery on the page with a real one: the names of its headers, and its body. */
    private void compareDelivery(MarkdownPage page) throws IOException, InterruptedException {
        direct(receiver.url());
        WebhookReceiver.Delivery delivery = receiver.next();
        String[] shown = page.text("http").split("\n\n", 2);
        List<String> headers = shown[0].lines()
                .skip(1)
                .map(line -> line.split(":", 2)[0].toLowerCase(Locale.ROOT))
                .toList();
        assertThat(delivery.headers()).containsExactlyInAnyOrderElementsOf(headers);
        assertThat(PrintedOutput.normalize("json", delivery.body()))
                .isEqualTo(PrintedOutput.normalize("json", shown[1]));
    }

    /** Runs a receiver of the page, which must accept a delivery of the farm and reject a forged one. */
    private void runReceiver(MarkdownPage page, DocumentedReceiver documented) throws Exception {
        assumeTrue(
                isInstalled(documented.program()),
                "no " + documented.program() + " for " + documented.name() + " is installed here");
        Path file = Files.writeString(folder.resolve(documented.file()), page.text(documented.info()));
        try (ReceiverProcess process =
                ReceiverProcess.start(documented.program(), file, shell.variable("SIGNING_SECRET"))) {
            assertThat(direct(process.url()).get("statusCode").getIntValue()).isEqualTo(204);
            assertThat(process.statusOfForgedDelivery()).isEqualTo(401);
        }
    }

    /** Directs the store's webhook to the address, and returns the attempt of a test delivery. */
    private JsonNode direct(String address) throws IOException {
        farm.api()
                .post(
                        "/v1/settings/notifications",
                        Map.of(
                                "channel",
                                "webhook",
                                "data",
                                Map.of("webhookUrl", address, "apiKey", shell.variable("RECEIVER_KEY"))));
        receiver.clear();
        return farm.api().post("/v1/settings/notifications/webhook/test", Map.of());
    }

    private static boolean isInstalled(String program) {
        return Files.isExecutable(Path.of(program))
                || Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
    }
}
