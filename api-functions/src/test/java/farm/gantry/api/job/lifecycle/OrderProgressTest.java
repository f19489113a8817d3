package farm.gantry.api.job.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.browser.LampStore;
import farm.gantry.api.database.BulkStatementsTest;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.Socket;
import farm.gantry.notification.EventName;
import farm.gantry.order.OrderItem;
import farm.gantry.order.OrderItem.ProcessedStatus;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests how printing jobs changes their orders, and the events that are published. */
final class OrderProgressTest {
    private final LampStore lampStore = LampStore.open(new Socket());
    private final FakeAgent fakeAgent = new FakeAgent(lampStore.store(), new Socket());
    private String printer = "";

    @BeforeEach
    void setUp() {
        printer = fakeAgent.printer("K", "");
        lampStore.sku(
                "VASE", LampStore.linked(ReadyParts.uploaded(lampStore.store(), lampStore.client()), "vase", 1, ""));
        lampStore.subscribe();
    }

    private String vases(int quantity) {
        Answer made = lampStore.ordered(
                "{\"order\":{},\"items\":[{\"externalSku\":\"VASE\",\"quantity\":" + quantity + "}]}");
        String order = String.valueOf(made.at("order.id"));
        assertThat(lampStore.print(order).at("queued")).hasToString(String.valueOf(quantity));
        return order;
    }

    /** Starts the next job of the order, the only one of the store, and returns its id. */
    private String started(String order) {
        fakeAgent.confirm(printer);
        fakeAgent.round();
        String job = lampStore.jobs(order, "&status=sending-to-printer").getFirst();
        fakeAgent.happened(printer, "jobStarted", job);
        return job;
    }

    private String ended(String order, String kind) {
        String job = started(order);
        fakeAgent.happened(printer, kind, job);
        return job;
    }

    @Test
    void orderClosesWhenItsLastPieceIsPrinted() {
        lampStore.settings("{\"autoCloseOrders\":true}");
        String order = vases(2);
        assertThat(lampStore.progress(order)).isEqualTo("2 2 0 0 0");
        String first = started(order);
        assertThat(lampStore.progress(order)).isEqualTo("2 1 1 0 0");
        fakeAgent.happened(printer, "jobCompleted", first);
        assertThat(lampStore.progress(order)).isEqualTo("2 1 0 1 0");
        assertThat(lampStore.of(order).at("status")).isEqualTo("open");
        ended(order, "jobCompleted");
        Answer closed = lampStore.of(order);
        assertThat(closed.at("status")).isEqualTo("closed");
        assertThat(closed.at("closedAt")).isNotNull();
        assertThat(closed.at("items[0].progress.done")).hasToString("2");
        assertThat(lampStore.events()).containsExactly("onOrderCreatedManual", "onOrderClosed");
        assertThat(String.valueOf(lampStore.deliveries().getLast().body()))
                .contains(order, "printer=null", "printJob=null", "items=[{");
    }

    @Test
    void orderWithAReplacedItemStaysOpenUntilTheNewItemIsPrinted() {
        lampStore.settings("{\"autoCloseOrders\":true}");
        String order = String.valueOf(lampStore
                .ordered("{\"order\":{\"orderNumber\":\"7\"},"
                        + "\"items\":[{\"externalSku\":\"VASE\"},{\"externalSku\":\"BOWL\"}]}")
                .at("order.id"));
        lampStore.print(order);
        ended(order, "jobCompleted");
        assertThat(lampStore.of(order).at("status")).as("the bowl has no SKU").isEqualTo("open");
        Answer changed = lampStore
                .client()
                .send(
                        "PUT",
                        "/v1/orders/" + order,
                        Client.utf8("{\"items\":[{\"externalSku\":\"VASE\"},{\"externalSku\":\"LAMP-1\"}]}"));
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        assertThat(lampStore.of(order).at("status")).isEqualTo("open");
        assertThat(lampStore.print(order).at("queued")).hasToString(String.valueOf(LampStore.JOBS));
        Answer reduced = lampStore
                .client()
                .send("PUT", "/v1/orders/" + order, Client.utf8("{\"items\":[{\"externalSku\":\"VASE\"}]}"));
        assertThat(reduced.at("order.status"))
                .as("the remaining pieces are printed")
                .isEqualTo("closed");
        assertThat(lampStore.events()).containsOnlyOnce("onOrderClosed");
    }

    @Test
    void ordersCloseWhenTheirMissingItemsAreDeletedTogether() {
        lampStore.settings("{\"autoCloseOrders\":true}");
        List<String> orders = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Answer made = lampStore.ordered(
                    "{\"order\":{},\"items\":[{\"externalSku\":\"VASE\"},{\"externalSku\":\"BOWL\"}]}");
            orders.add(String.valueOf(made.at("order.id")));
            missing.add("\"" + made.at("items[1].id") + "\"");
            lampStore.print(orders.getLast());
            ended(orders.getLast(), "jobCompleted");
        }
        assertThat(orders).allMatch(order -> "open".equals(lampStore.of(order).at("status")));
        lampStore.client().delete("/v1/orders/items", missing.toString());
        assertThat(orders).allMatch(order -> "closed".equals(lampStore.of(order).at("status")));
        assertThat(lampStore.events()).filteredOn("onOrderClosed"::equals).hasSize(3);
        BulkStatementsTest.assertWrittenAtOnce(lampStore.store(), "order", orders);
    }

    @Test
    void integrationDecidesWhetherItsOrdersClose() {
        lampStore.settings("{\"autoCloseOrders\":true}");
        String never = lampStore.integration("{\"autoCloseOrders\":false,\"autoPrint\":true}");
        String order = String.valueOf(lampStore
                .ordered("{\"order\":{\"integrationId\":\"" + never + "\",\"externalId\":\"1\"},"
                        + "\"items\":[{\"externalSku\":\"VASE\"}]}")
                .at("order.id"));
        assertThat(lampStore.events()).containsExactly("onOrderCreatedRetail", "onOrdersAutoPrinted");
        ended(order, "jobCompleted");
        assertThat(lampStore.progress(order)).isEqualTo("1 0 0 1 0");
        assertThat(lampStore.of(order).at("status")).isEqualTo("open");
        lampStore.client().patch("/v1/orders/batch/close", "{\"orderIds\":[\"" + order + "\"]}");
        lampStore.client().patch("/v1/orders/batch/close", "{\"orderIds\":[\"" + order + "\"]}");
        assertThat(lampStore.events()).containsOnlyOnce("onOrderClosed");
    }

    @Test
    void failedPieceIsReprintedUpToTheRetryLimit() {
        lampStore.settings("{\"autoCloseOrders\":true,\"maxRetries\":1}");
        String order = vases(1);
        String first = ended(order, "jobFailed");
        assertThat(lampStore.progress(order)).isEqualTo("1 1 0 0 0");
        Answer again = fakeAgent.stored(lampStore.jobs(order, "&status=pending").getFirst());
        assertThat(again.at("replacesJobId")).isEqualTo(first);
        assertThat(again.at("retries")).hasToString("1");
        assertThat(again.at("attempt")).hasToString("1");
        assertThat(again.at("errorMessage")).isNull();
        assertThat(again.at("assignedPrinterId")).isNull();
        assertThat(again.at("queueOrder")).isEqualTo(fakeAgent.stored(first).at("queueOrder"));
        assertThat(lampStore
                        .client()
                        .patch("/v1/print-jobs/retry", "{\"printJobIds\":[\"" + first + "\"]}")
                        .text())
                .isEqualTo("[]");
        String second = ended(order, "jobFailed");
        assertThat(lampStore.progress(order)).as("no more retries").isEqualTo("1 0 0 0 1");
        assertThat(lampStore
                        .client()
                        .patch("/v1/print-jobs/retry", "{\"printJobIds\":[\"" + second + "\"]}")
                        .text())
                .isEqualTo("[\"" + second + "\"]");
        ended(order, "jobCompleted");
        assertThat(lampStore.of(order).at("status")).isEqualTo("closed");
        assertThat(lampStore.client().get("/v1/part-builds?orderId=" + order).each("status"))
                .containsExactly("success");
    }

    @Test
    void onlyMissingJobsAreQueuedWhenManyAreRetried() {
        String order = vases(2);
        List<String> first = lampStore.jobs(order, "&status=pending");
        cancel(first);
        lampStore.print(order);
        List<String> second = lampStore.jobs(order, "&status=pending");
        cancel(second);
        List<String> all = Stream.concat(second.stream(), first.stream()).toList();
        assertThat(lampStore
                        .client()
                        .patch("/v1/print-jobs/retry", "{\"printJobIds\":[\"" + String.join("\",\"", all) + "\"]}")
                        .text())
                .isEqualTo("[\"" + String.join("\",\"", second) + "\"]");
        assertThat(lampStore.jobs(order, "&status=pending")).containsExactlyInAnyOrderElementsOf(second);
    }

    @Test
    void missingPiecesAreRetriedInOrder() {
        String order = lampStore.order(2);
        for (int i = 0; i < 3; i++) {
            lampStore.print(order);
            cancel(lampStore.jobs(order, "&status=pending"));
        }
        List<String> all = new ArrayList<>(lampStore.jobs(order, ""));
        Collections.shuffle(all, new Random(1042));
        Map<String, Integer> wanted = new HashMap<>();
        List<String> first = all.stream()
                .filter(job -> {
                    Answer stored = fakeAgent.stored(job);
                    String piece = stored.at("linkedPartId") + " " + stored.at("extensions.3mf.plateId");
                    int copies =
                            String.valueOf(stored.at("extensions.3mf.plateId")).equals("2") ? 2 : 4;
                    return wanted.merge(piece, 1, Integer::sum) <= copies;
                })
                .toList();
        assertThat(first).hasSize(2 * LampStore.JOBS);
        assertThat(lampStore
                        .client()
                        .patch("/v1/print-jobs/retry", "{\"printJobIds\":[\"" + String.join("\",\"", all) + "\"]}")
                        .text())
                .isEqualTo("[\"" + String.join("\",\"", first) + "\"]");
        assertThat(lampStore.print(order).at("queued")).hasToString("0");
    }

    private void cancel(List<String> jobs) {
        lampStore.client().patch("/v1/print-jobs/cancel", "{\"printJobIds\":[\"" + String.join("\",\"", jobs) + "\"]}");
    }

    @Test
    void failedPieceIsMissingWithoutRetriesUntilPrintedAgain() {
        String order = vases(1);
        ended(order, "jobFailed");
        assertThat(lampStore.progress(order)).isEqualTo("1 0 0 0 1");
        assertThat(lampStore.print(order).at("queued")).hasToString("1");
        assertThat(lampStore.print(order).at("queued")).hasToString("0");
        ended(order, "jobCompleted");
        assertThat(lampStore.of(order).at("progress.done")).hasToString("1");
        assertThat(lampStore.print(order).at("queued")).hasToString("0");
    }

    @Test
    void runningPrintContinuesWhenItsOrderIsCancelledOrReduced() {
        lampStore.settings("{\"maxRetries\":3}");
        String order = vases(3);
        String printing = started(order);
        lampStore.resize(order, 1);
        assertThat(lampStore.print(order).at("cancelled")).hasToString("2");
        assertThat(fakeAgent.status(printing)).isEqualTo("Printing");
        lampStore.resize(order, 2);
        assertThat(lampStore.print(order).at("queued")).hasToString("1");
        lampStore.client().post("/v1/orders/" + order + "/cancel", "");
        lampStore.client().post("/v1/orders/" + order + "/cancel", "");
        assertThat(lampStore.jobs(order, "&status=pending")).isEmpty();
        assertThat(fakeAgent.status(printing)).isEqualTo("Printing");
        fakeAgent.happened(printer, "jobFailed", printing);
        assertThat(lampStore.jobs(order, "&status=pending"))
                .as("of a cancelled order")
                .isEmpty();
        assertThat(lampStore.events()).containsExactly("onOrderCreatedManual", "onOrderCancelled");
        lampStore.client().patch("/v1/orders/batch/reopen", "{\"orderIds\":[\"" + order + "\"]}");
        assertThat(lampStore.print(order).at("queued")).hasToString("2");
    }

    @Test
    void oneEventPerOrderIsPublishedForABulkChange() {
        String first = vases(1);
        String second = vases(2);
        String closed = vases(1);
        together("close", closed);
        together("close", first, closed, second);
        together("reopen", second, first);
        assertThat(lampStore.of(first).at("status")).isEqualTo("open");
        assertThat(lampStore.of(second).at("closedAt")).isNull();
        together("cancel", first);
        together("cancel", second, first, closed);
        assertThat(lampStore.of(closed).at("cancelledAt")).isNotNull();
        assertThat(lampStore.events().stream().filter(event -> !event.equals("onOrderCreatedManual")))
                .containsExactlyInAnyOrder(
                        "onOrderClosed",
                        "onOrderClosed",
                        "onOrderClosed",
                        "onOrderCancelled",
                        "onOrderCancelled",
                        "onOrderCancelled");
    }

    private void together(String what, String... orders) {
        Answer answer = lampStore
                .client()
                .patch("/v1/orders/batch/" + what, "{\"orderIds\":[\"" + String.join("\",\"", orders) + "\"]}");
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    }

    @Test
    void pieceOfADeletedItemIsNotReplaced() {
        lampStore.settings("{\"maxRetries\":1}");
        String order = vases(2);
        String printing = started(order);
        lampStore.client().delete("/v1/orders/items/" + lampStore.item(order));
        fakeAgent.happened(printer, "jobFailed", printing);
        assertThat(lampStore.jobs(order, "&status=pending")).isEmpty();
    }

    @Test
    void returnedJobOfADeletedItemOrOrderIsNotPrinted() {
        String order = vases(2);
        fakeAgent.round();
        String ofItem = lampStore.jobs(order, "&status=sending-to-printer").getFirst();
        lampStore.client().delete("/v1/orders/items/" + lampStore.item(order));
        fakeAgent.happened(printer, "jobNotBegun", ofItem);
        assertThat(fakeAgent.status(ofItem)).isEqualTo("Cancelled");
        String other = vases(1);
        fakeAgent.confirm(printer);
        fakeAgent.round();
        String ofOrder = lampStore.jobs(other, "&status=sending-to-printer").getFirst();
        lampStore.client().delete("/v1/orders/" + other);
        fakeAgent.happened(printer, "jobNotBegun", ofOrder);
        assertThat(fakeAgent.status(ofOrder)).isEqualTo("Cancelled");
    }

    @Test
    void missingPiecesBeyondABuildsLimitAreQueued() {
        lampStore.sku(
                "PLATES",
                LampStore.linked(
                        ReadyParts.project(lampStore.store(), lampStore.client(), "gcode3mf", ""), "plates", 1, ""));
        Answer made = lampStore.ordered("{\"order\":{},\"items\":[{\"externalSku\":\"PLATES\"}]}");
        String order = String.valueOf(made.at("order.id"));
        assertThat(lampStore.print(order).at("queued")).hasToString("2");
        lampStore.resize(order, 700);
        assertThat(lampStore.print(order).at("queued")).hasToString("1398");
        assertThat(lampStore.print(order).at("queued")).hasToString("0");
        assertThat(lampStore.progress(order)).isEqualTo("1400 1400 0 0 0");
    }

    @Test
    void itemWithAMissingFileDoesNotBlockOthers() {
        lampStore.settings("{\"autoCloseOrders\":true}");
        String part = ReadyParts.uploaded(lampStore.store(), lampStore.client());
        ReadyParts.change(lampStore.store(), part, "fileUris", List.of("files:gone"));
        lampStore.sku("GONE", LampStore.linked(part, "gone", 1, ""));
        String integration = lampStore.integration("{\"autoPrint\":true}");
        String order = String.valueOf(lampStore
                .ordered("{\"order\":{\"integrationId\":\"" + integration + "\",\"externalId\":\"1\"},"
                        + "\"items\":[{\"externalSku\":\"GONE\"},{\"externalSku\":\"VASE\"}]}")
                .at("order.id"));
        assertThat(lampStore.jobs(order, "")).hasSize(1);
        Answer printed = lampStore.print(order);
        assertThat(printed.at("queued")).hasToString("0");
        assertThat(printed.at("orders[0].problems[0].orderItemId")).isEqualTo(lampStore.item(order));
        assertThat(printed.at("orders[0].problems[0].message")).asString().contains("no longer exists");
        ended(order, "jobCompleted");
        assertThat(lampStore.of(order).at("status")).as("a piece is missing").isEqualTo("open");
    }

    @Test
    void orderClosesWhenReducedBelowThePrintedQuantity() {
        lampStore.settings("{\"autoCloseOrders\":true}");
        String order = vases(2);
        ended(order, "jobCompleted");
        lampStore.resize(order, 1);
        assertThat(lampStore.of(order).at("status")).isEqualTo("open");
        assertThat(lampStore.print(order).at("cancelled")).hasToString("1");
        assertThat(lampStore.of(order).at("status")).isEqualTo("closed");
        assertThat(lampStore.progress(order)).isEqualTo("1 0 0 1 0");
    }

    @Test
    void orderThatExceedsTheQueueLimitKeepsItsJobs() {
        lampStore.sku(
                "CRATE", LampStore.linked(ReadyParts.uploaded(lampStore.store(), lampStore.client()), "vase", 500, ""));
        String delivered = "{\"order\":{\"integrationId\":\"" + lampStore.integration("{\"autoPrint\":true}")
                + "\",\"externalId\":\"1\"},\"items\":[{\"externalId\":\"a\",\"externalSku\":\"VASE\",\"quantity\":";
        String order = String.valueOf(lampStore.ordered(delivered + "3}]}").at("order.id"));
        assertThat(lampStore.jobs(order, "&status=pending")).hasSize(3);
        String crates = ",\"externalSku\":\"CRATE\",\"quantity\":30}";
        lampStore.ordered(delivered + "1},{\"externalId\":\"b\"" + crates + ",{\"externalId\":\"c\"" + crates + "]}");
        assertThat(lampStore.jobs(order, "&status=pending")).hasSize(3);
        Answer refused = lampStore.client().post("/v1/orders/print", "{\"orderIds\":[\"" + order + "\"]}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text()).contains("orderIds", "30000 jobs are more than the maximum of 25000");
    }

    @Test
    void printedItemStaysPrintedWhenItsSkuChanges() {
        String order = vases(1);
        ended(order, "jobCompleted");
        String sku = String.valueOf(lampStore.of(order).at("items[0].skuId"));
        String part = ReadyParts.uploaded(lampStore.store(), lampStore.client());
        Answer changed = lampStore
                .client()
                .patch("/v1/skus/" + sku, "{\"linkedParts\":[" + LampStore.linked(part, "other", 2, "") + "]}");
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        Answer printed = lampStore.client().post("/v1/orders/print", "{}");
        assertThat(printed.at("queued")).hasToString("0");
        assertThat(printed.text()).as("no piece is missing").doesNotContain(order);
        assertThat(lampStore.print(order).at("queued")).hasToString("0");
        assertThat(lampStore.progress(order)).isEqualTo("1 0 0 1 0");
    }

    @Test
    void itemOfASkuWithoutPartsIsNotDone() {
        lampStore.settings("{\"autoCloseOrders\":true}");
        lampStore.sku("LATER");
        Answer made = lampStore.ordered("{\"order\":{},\"items\":[{\"externalSku\":\"LATER\"}]}");
        String order = String.valueOf(made.at("order.id"));
        assertThat(lampStore.print(order).at("orders[0].problems[0].message"))
                .isEqualTo("its SKU has no part to be printed");
        assertThat(lampStore.of(order).at("status")).isEqualTo("open");
        assertThat(lampStore.of(order).at("items[0].processedStatus")).isEqualTo("unprocessed");
        fakeAgent.change(
                OrderItem.class,
                lampStore.item(order),
                Map.of("processedStatus", ProcessedStatus.processed, "pieces", List.of()));
        assertThat(lampStore.client().post("/v1/orders/print", "{}").text())
                .as("as stored by an earlier version")
                .contains("its SKU has no part to be printed");
        assertThat(lampStore.of(order).at("status")).isEqualTo("open");
    }

    @Test
    void returnedJobIsNotPrintedWhenTheItemWasReduced() {
        String order = vases(2);
        fakeAgent.round();
        String job = lampStore.jobs(order, "&status=sending-to-printer").getFirst();
        lampStore.resize(order, 1);
        lampStore.print(order);
        lampStore.client().post("/v1/orders/print", "{}");
        assertThat(lampStore.progress(order)).isEqualTo("1 0 1 0 0");
        String item = "{\"order\":{\"orderId\":\"" + order + "\",\"orderItemId\":\"" + lampStore.item(order) + "\"},";
        Answer more = lampStore.client().post("/v2/builds", "{\"skus\":[" + item + "\"sku\":\"VASE\"}]}");
        assertThat(more.status()).as(more.text()).isEqualTo(201);
        fakeAgent.happened(printer, "jobNotBegun", job);
        assertThat(fakeAgent.status(job)).isEqualTo("Cancelled");
        assertThat(lampStore.progress(order)).isEqualTo("1 1 0 0 0");
    }

    @Test
    void returnedJobIsPrintedWhenTheItemStillNeedsIt() {
        String order = vases(2);
        fakeAgent.round();
        String job = lampStore.jobs(order, "&status=sending-to-printer").getFirst();
        fakeAgent.happened(printer, "jobNotBegun", job);
        assertThat(fakeAgent.status(job)).isEqualTo("Pending");
    }

    @Test
    void everyJobOfACancelledOrderPublishesAnEvent() {
        lampStore.client().patch("/v1/settings/notifications/webhook/events", "{\"onJobCancelled\":true}");
        String order = vases(3);
        List<String> jobs = lampStore.jobs(order, "");
        started(order);
        lampStore.client().post("/v1/orders/" + order + "/cancel", "");
        List<String> events = lampStore.deliveries().stream()
                .filter(each -> each.event() == EventName.onJobCancelled)
                .map(each -> String.valueOf(each.body()))
                .toList();
        assertThat(events).hasSize(2);
        assertThat(events.get(0)).contains("printJob={id=" + jobs.get(1));
        assertThat(events.get(1)).contains("printJob={id=" + jobs.get(2));
    }
}
