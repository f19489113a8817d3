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
    private final ChaosReport log;

    ChaosCheck(Farm farm, ChaosLoad load, ChaosReport log) {
        this.farm = farm;
        this.load = load;
        this.log = log;
    }

    private static List<JsonNode> listOf(JsonNode records) {
        return StreamSupport.stream(records.values().spliterator(), false).toList();
    }

    private List<JsonNode> fetchAll(String path) throws IOException {
        List<JsonNode> all = listOf(farm.api().get(path + (path.contains("?") ? "&" : "?") + "limit=1000"));
        if (all.size() == 1000) {
            throw new IOException(path + " has more than 1000 records, which this check does not read");
        }
        return all;
    }

    /** Retries failed jobs, as a person would, and returns whether every job and order has ended. */
    boolean isQuiet() throws IOException {
        List<JsonNode> jobs = fetchAll("/v1/print-jobs?status.notIn=Completed,Cancelled");
        for (JsonNode job : jobs) {
            if (FarmRequests.is(job, "status", "Failed") && job.get("orderId").isNull()) {
                farm.controlJob("retry", FarmRequests.text(job, "id"));
                log.count("failed jobs retried by a person");
            }
        }
        farm.api().post("/v1/orders/print", Map.of());
        boolean isQuiet = jobs.stream()
                .allMatch(job -> FarmRequests.is(job, "status", "Failed")
                        && !job.get("orderId").isNull());
        for (JsonNode part : fetchAll("/v1/parts")) {
            isQuiet &= part.get("processingStatus").isNull();
        }
        for (JsonNode order : fetchAll("/v1/orders")) {
            JsonNode progress = order.get("progress");
            isQuiet &= FarmRequests.is(order, "status", "closed")
                    || !order.get("cancelledAt").isNull()
                    || progress.get("done").getIntValue()
                            >= progress.get("wanted").getIntValue();
        }
        return isQuiet;
    }

    void checkAll(List<ChaosPrinter> printers) throws IOException {
        checkParts();
        checkJobs();
        checkOrders();
        checkStarts(printers);
    }

    private void checkParts() throws IOException {
        Map<String, Integer> found = new HashMap<>();
        for (JsonNode part : fetchAll("/v1/parts")) {
            found.merge(FarmRequests.text(part, "name"), 1, Integer::sum);
            if (!part.get("processingStatus").isNull()) {
                log.addFault("a part is not read: " + FarmRequests.describe(part));
            }
            String uri = part.get("fileUris").get(0).getStringValue();
            JsonNode signed = farm.api().post("/v1/storage/signed-urls", Map.of("paths", List.of(uri)));
            farm.api().fetchText(signed.get("signedUrls").get(0).getStringValue());
        }
        load.parts.keySet().forEach(name -> checkCount("part", name, found.getOrDefault(name, 0)));
        log.add("parts found", found.size());
    }

    private void checkCount(String what, String name, int times) {
        if (times != 1) {
            log.addFault("the " + what + " " + name + " was acknowledged once and is there " + times + " times");
        }
    }

    private void checkJobs() throws IOException {
        Map<String, Integer> found = new HashMap<>();
        for (JsonNode job : fetchAll("/v1/print-jobs")) {
            if (job.get("orderId").isNull()) {
                found.merge(FarmRequests.text(job, "partId"), 1, Integer::sum);
                if (!ENDED.contains(FarmRequests.text(job, "status"))) {
                    log.addFault("job " + FarmRequests.text(job, "id") + " is stuck: "
                            + FarmRequests.text(job, "status") + ", " + FarmRequests.describe(job.get("errorMessage")));
                }
            }
        }
        load.copies.forEach((part, copies) -> {
            if (!copies.equals(found.get(part))) {
                log.addFault("of part " + part + " " + copies + " copies were acknowledged, and there are "
                        + found.getOrDefault(part, 0));
            }
        });
    }

    private void checkOrders() throws IOException {
        Map<String, Integer> found = new HashMap<>();
        for (JsonNode order : fetchAll("/v1/orders")) {
            String id = FarmRequests.text(order, "id");
            found.merge(FarmRequests.text(order, "orderNumber"), 1, Integer::sum);
            JsonNode progress = order.get("progress");
            int open = progress.get("queued").getIntValue()
                    + progress.get("printing").getIntValue();
            int done = progress.get("done").getIntValue();
            int wanted = progress.get("wanted").getIntValue();
            if (!order.get("cancelledAt").isNull()) {
                if (open != 0) {
                    log.addFault("a cancelled order has jobs under way: " + FarmRequests.describe(order));
                }
            } else if (load.cancelled.contains(id)) {
                log.addFault("an order was cancelled and is not: " + FarmRequests.describe(order));
            } else if (done != wanted || open != 0) {
                log.addFault("an order is not what was wanted: " + FarmRequests.describe(order));
            }
        }
        load.orders.keySet().forEach(number -> checkCount("order", number, found.getOrDefault(number, 0)));
        log.add("orders found", found.size());
    }

    /**
     * Checks by the file names in the printers' logs, which contain job and attempt, that each attempt was started
     * once.
     */
    private void checkStarts(List<ChaosPrinter> printers) throws IOException {
        Set<String> begun = new HashSet<>();
        for (ChaosPrinter printer : printers) {
            for (String start : printer.startedFiles()) {
                log.count("prints begun");
                if (!begun.add(start)) {
                    log.addFault(start + " was begun twice");
                }
            }
        }
        for (JsonNode job : fetchAll("/v1/print-jobs?status=Completed")) {
            String id = FarmRequests.text(job, "id");
            log.count("jobs completed");
            long prints = begun.stream().filter(start -> start.contains(id)).count();
            int attempts = job.get("attempt").getIntValue();
            if (prints == 0 || prints > attempts) {
                log.addFault("job " + id + " is completed with " + prints + " prints of " + attempts + " attempts");
            }
        }
    }
}
