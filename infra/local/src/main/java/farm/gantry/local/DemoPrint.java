package farm.gantry.local;

import com.sun.net.httpserver.HttpServer;
import farm.gantry.Id;
import farm.gantry.ingest.slicer.SlicerNames;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The demo: uploads a part file, prints it on every printer, and waits for the webhook events. */
final class DemoPrint {
    private static final String FILE = "block.gcode";
    private static final int LOOK_EVERY_MS = 1000;

    private final FarmApiClient api;
    private final List<String> printers;
    private final TerminalDisplay display = new TerminalDisplay();

    DemoPrint(FarmApiClient api, List<String> printers) {
        this.api = api;
        this.printers = printers;
    }

    void run() throws IOException, InterruptedException {
        BlockingQueue<String> deliveries = new LinkedBlockingQueue<>();
        HttpServer receiver = startReceiver(deliveries);
        try {
            subscribe(receiver.getAddress().getPort());
            String partId = createPart();
            awaitPrinters();
            api.patch("/v1/printers/confirm-ready", Map.of("ids", printers, "ready", true));
            JsonNode build = api.post(
                            "/v2/builds",
                            Map.of("parts", List.of(Map.of("partId", partId, "quantity", printers.size()))))
                    .get("partBuilds")
                    .get(0);
            System.out.println("Build " + build.get("id").getStringValue() + " queued " + printers.size() + " copies");
            watch(build.get("id").getStringValue());
            showDeliveries(deliveries);
        } finally {
            receiver.stop(0);
        }
    }

    private static HttpServer startReceiver(BlockingQueue<String> deliveries) throws IOException {
        HttpServer receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
            deliveries.add(body);
        });
        receiver.start();
        return receiver;
    }

    private void subscribe(int port) throws IOException {
        api.post(
                "/v1/settings/notifications",
                Map.of(
                        "channel",
                        "webhook",
                        "data",
                        Map.of("webhookUrl", "http://127.0.0.1:" + port + "/", "apiKey", Id.random(32))));
        api.patch("/v1/settings/notifications/webhook/events", Map.of("onJobSucceeded", true, "onJobFailed", true));
    }

    /** Uploads the file, creates a part and waits until it is ready. */
    private String createPart() throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("gantry-demo");
        Path file = folder.resolve(FILE);
        try (InputStream bytes = Objects.requireNonNull(DemoPrint.class.getResourceAsStream(FILE))) {
            Files.copy(bytes, file);
        }
        String upload = api.upload(file);
        Files.delete(file);
        Files.delete(folder);
        String id = api.post("/v1/parts", Map.of("name", "Demo block", "type", "gcode", "fileUris", List.of(upload)))
                .get("id")
                .getStringValue();
        JsonNode part = api.get("/v1/parts/" + id);
        while (!part.get("processingStatus").isNull()) {
            if (part.get("processingStatus").getStringValue().equals("failed")) {
                throw new IOException("the demo's part was refused: "
                        + part.get("processing").get("error").getStringValue());
            }
            pauseBetweenPolls();
            part = api.get("/v1/parts/" + id);
        }
        JsonNode estimate = part.get("slicingEstimate");
        System.out.printf(
                Locale.ROOT,
                "Part %s was read: %s, %d s, %.1f g of %s%n",
                id,
                productAndVersion(estimate.get("slicerVersion").getStringValue()),
                estimate.get("estimatedPrintTimeSeconds").getLongValue(),
                estimate.get("totalWeightGrams").getDoubleValue(),
                part.get("metadata").get("filamentType").get(0).getStringValue());
        return id;
    }

    /** Replaces the wire name of the slicer, as in {@code slicer3 2.5.0}, by its product name. */
    private static String productAndVersion(String slicerVersion) {
        String[] parts = slicerVersion.split(" ", 2);
        parts[0] = SlicerNames.name(parts[0]);
        return String.join(" ", parts);
    }

    private void awaitPrinters() throws IOException, InterruptedException {
        for (String id : printers) {
            while (!api.get("/v1/printers/" + id).get("isOnline").getBooleanValue()) {
                pauseBetweenPolls();
            }
        }
    }

    /** Shows each printer's state until every job of the build has ended. */
    private void watch(String buildId) throws IOException, InterruptedException {
        while (true) {
            JsonNode jobs = api.get("/v1/print-jobs?partBuildId=" + buildId + "&fields=id,status,errorMessage");
            List<String> lines = new ArrayList<>();
            for (String id : printers) {
                lines.add(TerminalDisplay.formatLine(
                        api.get("/v1/printers/" + id).get("name").getStringValue(),
                        api.get("/v1/printers/" + id + "/state")));
            }
            display.show(lines);
            boolean over = true;
            for (JsonNode job : jobs.values()) {
                over &= List.of("Completed", "Failed", "Cancelled")
                        .contains(job.get("status").getStringValue());
            }
            if (over) {
                for (JsonNode job : jobs.values()) {
                    System.out.println("Job " + job.get("id").getStringValue() + ": "
                            + job.get("status").getStringValue());
                }
                return;
            }
            pauseBetweenPolls();
        }
    }

    private void showDeliveries(BlockingQueue<String> deliveries) throws IOException, InterruptedException {
        for (int i = 0; i < printers.size(); i++) {
            String body = deliveries.poll(30, TimeUnit.SECONDS);
            if (body == null) {
                throw new IOException("no webhook event arrived; see the log of the API");
            }
            JsonNode event = api.parse(body);
            JsonNode data = event.get("data");
            System.out.println("Webhook " + event.get("event").getStringValue() + " at "
                    + event.get("timestamp").getStringValue() + ": job "
                    + data.get("printJob").get("id").getStringValue() + " on "
                    + data.get("printer").get("name").getStringValue());
        }
    }

    private static void pauseBetweenPolls() throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MS);
    }
}
