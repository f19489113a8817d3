package farm.gantry.local;

import com.sun.net.httpserver.HttpServer;
import farm.gantry.Id;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A webhook receiver that must receive one event for every completed job. */
final class ChaosWebhookReceiver implements AutoCloseable {
    private final Farm farm;
    private final ChaosReport log;
    private final HttpServer server;
    /** The ids of the events for each job. */
    private final Map<String, Set<String>> eventIds = new ConcurrentHashMap<>();

    ChaosWebhookReceiver(Farm farm, ChaosReport log) throws IOException {
        this.farm = farm;
        this.log = log;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            JsonNode job = farm.api().parse(body).get("data").get("printJob");
            eventIds.computeIfAbsent(FarmRequests.text(job, "id"), _ -> ConcurrentHashMap.newKeySet())
                    .add(exchange.getRequestHeaders().getFirst("webhook-id"));
            log.count("deliveries received");
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        farm.api()
                .post(
                        "/v1/settings/notifications",
                        Map.of(
                                "channel",
                                "webhook",
                                "data",
                                Map.of(
                                        "webhookUrl",
                                        "http://127.0.0.1:"
                                                + server.getAddress().getPort() + "/",
                                        "apiKey",
                                        Id.random(32))));
        farm.api().patch("/v1/settings/notifications/webhook/events", Map.of("onJobSucceeded", true));
    }

    private JsonNode completed() throws IOException {
        return farm.api().get("/v1/print-jobs?status=Completed&limit=1000&fields=id");
    }

    boolean isQuiet() throws IOException {
        return eventIds.keySet().containsAll(FarmRequests.fieldValues(completed(), "id"));
    }

    void checkEvents() throws IOException {
        for (String id : FarmRequests.fieldValues(completed(), "id")) {
            int events = eventIds.getOrDefault(id, Set.of()).size();
            if (events != 1) {
                log.addFault("the completion of job " + id + " was delivered as " + events + " events");
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
