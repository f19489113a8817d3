package farm.gantry.local;

import farm.gantry.Id;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** Simulated customers: they upload parts, build them, order, print and cancel, and record what was acknowledged. */
final class ChaosLoad {
    private static final int MAX_UNFINISHED = 12;
    private static final long PAUSE_MILLIS = 300;
    private static final int SECONDS = 240;

    private final Farm farm;
    private final ChaosReport log;
    private final long seed;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean isOver;

    /** The ids of acknowledged parts by their names, each of which was sent once. */
    final Map<String, String> parts = new ConcurrentHashMap<>();

    /** The acknowledged copies of each part that is built and never ordered. */
    final Map<String, Integer> copies = new ConcurrentHashMap<>();

    /** The ids of acknowledged orders by their numbers, each of which was sent once. */
    final Map<String, String> orders = new ConcurrentHashMap<>();

    /** Orders whose cancellation was acknowledged. */
    final List<String> cancelled = new CopyOnWriteArrayList<>();

    private final String sku;

    ChaosLoad(Farm farm, ChaosReport log, long seed) throws IOException {
        this.farm = farm;
        this.log = log;
        this.seed = seed;
        String part = farm.readyGcode("sold", SECONDS);
        this.sku = FarmRequests.text(
                farm.api()
                        .post(
                                "/v1/skus",
                                Map.of(
                                        "sku",
                                        "LAMP",
                                        "title",
                                        "Lamp",
                                        "linkedParts",
                                        List.of(Map.of(
                                                "partId",
                                                part,
                                                "label",
                                                "lamp",
                                                "quantity",
                                                1,
                                                "parameters",
                                                List.of(),
                                                "exposedParameters",
                                                List.of())))),
                "id");
    }

    private interface Customer {
        void act(Random random, int round) throws IOException, InterruptedException;
    }

    void start() {
        start("parts", this::uploadAndBuild);
        start("orders", this::order);
    }

    private void start(String name, Customer customer) {
        threads.add(Thread.ofVirtual().name(name).start(() -> {
            Random random = new Random(seed ^ name.hashCode());
            try {
                for (int round = 0; !isOver; round++) {
                    TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS + random.nextInt(500));
                    if (unfinished() < MAX_UNFINISHED) {
                        customer.act(random, round);
                    }
                }
            } catch (IOException | RuntimeException | AssertionError e) {
                log.addFault(name + " stopped: " + e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
    }

    /** Stops the customers, and returns when all their requests have been acknowledged. */
    void stop() throws InterruptedException {
        isOver = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Returns the number of jobs that have not ended. If the API does not answer, returns enough to start no more. */
    private int unfinished() throws IOException {
        FarmApiClient.Reply jobs =
                farm.attempt("GET", "/v1/print-jobs?status.notIn=Completed,Cancelled&fields=id&limit=1000", Map.of());
        return jobs.status() == 200 ? farm.api().parse(jobs.body()).size() : MAX_UNFINISHED;
    }

    private void uploadAndBuild(Random random, int round) throws IOException, InterruptedException {
        String name = "part-" + round + "-" + Id.random(6);
        boolean isProject = random.nextInt(3) == 0;
        Path file = isProject
                ? PrintFiles.twoPlates(farm.createFolder(), name)
                : PrintFiles.gcode(farm.createFolder(), name, SECONDS);
        Optional<String> upload = upload(file);
        if (upload.isEmpty()) {
            return;
        }
        String id = postUntilAcknowledged(
                        "/v1/parts",
                        Map.of(
                                "name",
                                name,
                                "type",
                                isProject ? "gcode3mf" : "gcode",
                                "fileUris",
                                List.of(upload.get())))
                .map(part -> FarmRequests.text(part, "id"))
                .orElseGet(() -> findOnlyRecord("/v1/parts?name=" + name));
        parts.put(name, id);
        log.count("parts acknowledged");
        if (!isProject && awaitProcessed(id)) {
            int quantity = 1 + random.nextInt(2);
            postUntilAcknowledged("/v2/builds", Map.of("parts", List.of(Map.of("partId", id, "quantity", quantity))));
            copies.merge(id, quantity, Integer::sum);
            log.add("copies acknowledged", quantity);
        }
    }

    private Optional<String> upload(Path file) throws InterruptedException {
        try {
            return Optional.of(farm.api().upload(file));
        } catch (IOException e) {
            log.count("uploads without a response");
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            return Optional.empty();
        }
    }

    private boolean awaitProcessed(String part) throws IOException, InterruptedException {
        for (int i = 0; i < 200; i++) {
            FarmApiClient.Reply reply = farm.attempt("GET", "/v1/parts/" + part, Map.of());
            if (reply.status() == 200) {
                JsonNode read = farm.api().parse(reply.body());
                if (read.get("processingStatus").isNull()) {
                    return true;
                }
            } else if (reply.status() == 404) {
                log.addFault("the part " + part + " was acknowledged and is not there");
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
        return false;
    }

    private void order(Random random, int round) throws IOException, InterruptedException {
        String number = "order-" + round + "-" + Id.random(6);
        String id = postUntilAcknowledged(
                        "/v1/orders",
                        Map.of(
                                "order",
                                Map.of("orderNumber", number),
                                "items",
                                List.of(Map.of("skuId", sku, "quantity", 1 + random.nextInt(2)))))
                .map(made -> FarmRequests.text(made.get("order"), "id"))
                .orElseGet(() -> findOnlyRecord("/v1/orders?orderNumber=" + number));
        orders.put(number, id);
        log.count("orders acknowledged");
        postUntilAcknowledged("/v1/orders/print", Map.of("orderIds", List.of(id)));
        if (random.nextInt(4) == 0) {
            postUntilAcknowledged("/v1/orders/" + id + "/cancel", Map.of());
            cancelled.add(id);
            log.count("cancellations acknowledged");
        }
    }

    /**
     * Repeats a POST with one idempotency key until it is acknowledged, and returns the response; empty if the request
     * was executed and its response was lost.
     */
    Optional<JsonNode> postUntilAcknowledged(String path, Object body) throws IOException, InterruptedException {
        String key = Id.next();
        while (true) {
            FarmApiClient.Reply reply = farm.api().attempt("POST", path, body, key);
            if (reply.status() >= 200 && reply.status() < 300) {
                return Optional.of(farm.api().parse(reply.body()));
            } else if (reply.body().contains("idempotency_answer_lost")) {
                log.count("answers lost");
                return Optional.empty();
            } else if (reply.status() == 500) {
                log.addFault("POST " + path + " was answered with " + reply.body());
            } else if (reply.status() >= 400
                    && reply.status() < 500
                    && !reply.body().contains("idempotency_in_progress")) {
                throw new IOException("POST " + path + " was refused with " + reply.body());
            }
            log.count(reply.status() == 0 ? "requests without an answer" : "requests answered with " + reply.status());
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
    }

    /** Returns the id of the only record in a list, which a request with a lost response created. */
    private String findOnlyRecord(String list) {
        JsonNode records =
                Eventually.see("there is one at " + list, () -> farm.api().get(list), all -> all.size() == 1);
        return FarmRequests.text(records.get(0), "id");
    }
}
