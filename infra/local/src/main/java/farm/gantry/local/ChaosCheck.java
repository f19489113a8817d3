package farm.gantry.local;

import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;

/** Compares the acknowledged changes with the stored ones, after the last kill. */
final class ChaosCheck {
    private static final Set<String> ENDED = Set.of("Completed", "Cancelled");

    private final Farm farm;
    private final ChaosLoad load;
    private final ChaosLog log;

    ChaosCheck(Farm farm, ChaosLoad load, ChaosLog log) {
        this.farm = farm;
        this.load = load;
        this.log = log;
    }

    private static List<JsonNode> list(JsonNode records) {
        return StreamSupport.stream(records.values().spliterator(), false).toList();
    }

    private List<JsonNode> all(String path) throws IOException {
        List<JsonNode> all = list(farm.api().get(path + (path.contains("?") ? "&" : "?") + "limit=1000"));
        if (all.size() == 1000) {
            throw new IOException("there are more than 1000 of " + path);
        }
        return all;
    }

    /** Returns whether every job and order has ended; failed jobs are retried, as a person would. */
    boolean isQuiet() throws IOException {
        List<JsonNode> jobs = all("/v1/print-jobs?status.notIn=Completed,Cancelled");
        for (JsonNode job : jobs) {
            if (FarmCalls.is(job, "status", "Failed") && job.get("orderId").isNull()) {
                farm.tell("retry", FarmCalls.text(job, "id"));
                log.count("failed jobs retried by a person");
            }
        }
        farm.api().post("/v1/orders/print", Map.of());
        boolean isQuiet = jobs.stream()
                .allMatch(job -> FarmCalls.is(job, "status", "Failed")
                        && !job.get("orderId").isNull());
        for (JsonNode part : all("/v1/parts")) {
            isQuiet &= part.get("processingStatus").isNull();
        }
        for (JsonNode order : all("/v1/orders")) {
            JsonNode progress = order.get("progress");
            isQuiet &= FarmCalls.is(order, "status", "closed")
                    || !order.get("cancelledAt").isNull()
                    || progress.get("done").getIntValue()
                            >= progress.get("wanted").getIntValue();
        }
        return isQuiet;
    }

    void check(List<ChaosPrinter> printers) throws IOException {
        parts();
        jobs();
        orders();
        starts(printers);
    }

    private void parts() throws IOException {
        Map<String, Integer> found = new HashMap<>();
        for (JsonNode part : all("/v1/parts")) {
            found.merge(FarmCalls.text(part, "name"), 1, Integer::sum);
            if (!part.get("processingStatus").isNull()) {
                log.fault("a part is not read: " + FarmCalls.words(part));
            }
            String uri = part.get("fileUris").get(0).getStringValue();
            JsonNode signed = farm.api().post("/v1/storage/signed-urls", Map.of("paths", List.of(uri)));
            farm.api().fetch(signed.get("signedUrls").get(0).getStringValue());
        }
        load.parts.keySet().forEach(name -> once("part", name, found.getOrDefault(name, 0)));
        log.add("parts found", found.size());
    }

    private void once(String what, String name, int times) {
        if (times != 1) {
            log.fault("the " + what + " " + name + " was acknowledged once and is there " + times + " times");
        }
    }

    private void jobs() throws IOException {
        Map<String, Integer> found = new HashMap<>();
        for (JsonNode job : all("/v1/print-jobs")) {
            if (job.get("orderId").isNull()) {
                found.merge(FarmCalls.text(job, "partId"), 1, Integer::sum);
                if (!ENDED.contains(FarmCalls.text(job, "status"))) {
                    log.fault("job " + FarmCalls.text(job, "id") + " is stuck: " + FarmCalls.text(job, "status") + ", "
                            + FarmCalls.words(job.get("errorMessage")));
                }
            }
        }
        load.copies.forEach((part, copies) -> {
            if (!copies.equals(found.get(part))) {
                log.fault("of part " + part + " " + copies + " copies were acknowledged, and there are "
                        + found.getOrDefault(part, 0));
            }
        });
    }

    private void orders() throws IOException {
        Map<String, Integer> found = new HashMap<>();
        for (JsonNode order : all("/v1/orders")) {
            String id = FarmCalls.text(order, "id");
            found.merge(FarmCalls.text(order, "orderNumber"), 1, Integer::sum);
            JsonNode progress = order.get("progress");
            int open = progress.get("queued").getIntValue()
                    + progress.get("printing").getIntValue();
            int done = progress.get("done").getIntValue();
            int wanted = progress.get("wanted").getIntValue();
            if (!order.get("cancelledAt").isNull()) {
                if (open != 0) {
                    log.fault("a cancelled order has jobs under way: " + FarmCalls.words(order));
                }
            } else if (load.cancelled.contains(id)) {
                log.fault("an order was cancelled and is not: " + FarmCalls.words(order));
            } else if (done != wanted || open != 0) {
                log.fault("an order is not what was wanted: " + FarmCalls.words(order));
            }
        }
        load.orders.keySet().forEach(number -> once("order", number, found.getOrDefault(number, 0)));
        log.add("orders found", found.size());
    }

    /**
     * Checks the prints by the files of the printers, which are named for job and attempt; each attempt begins once.
     */
    private void starts(List<ChaosPrinter> printers) throws IOException {
        Set<String> begun = new HashSet<>();
        for (ChaosPrinter printer : printers) {
            for (String start : printer.starts()) {
                log.count("prints begun");
                if (!begun.add(start)) {
                    log.fault(start + " was begun twice");
                }
            }
        }
        for (JsonNode job : all("/v1/print-jobs?status=Completed")) {
            String id = FarmCalls.text(job, "id");
            log.count("jobs completed");
            long prints = begun.stream().filter(start -> start.contains(id)).count();
            int attempts = job.get("attempt").getIntValue();
            if (prints == 0 || prints > attempts) {
                log.fault("job " + id + " is completed with " + prints + " prints of " + attempts + " attempts");
            }
        }
    }
}
