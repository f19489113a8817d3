package farm.gantry.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of orders as their jobs are printed, and what subscribers are told. */
final class OrderProgressTest {
    private final OrderDesk desk = OrderDesk.open(new Socket());
    private final Floor floor = new Floor(desk.store(), new Socket());
    private String printer = "";

    @BeforeEach
    void setUp() {
        printer = floor.printer("K", "");
        desk.sku("VASE", OrderDesk.linked(ReadyParts.uploaded(desk.store(), desk.client()), "vase", 1, ""));
        desk.subscribe();
    }

    private String vases(int quantity) {
        Answer made =
                desk.ordered("{\"order\":{},\"items\":[{\"externalSku\":\"VASE\",\"quantity\":" + quantity + "}]}");
        String order = String.valueOf(made.at("order.id"));
        assertThat(desk.print(order).at("queued")).hasToString(String.valueOf(quantity));
        return order;
    }

    /** Starts the next job of the order, which is the only work of the floor. */
    private String started(String order) {
        floor.confirm(printer);
        floor.round();
        String job = desk.jobs(order, "&status=sending-to-printer").getFirst();
        floor.happened(printer, "jobStarted", job);
        return job;
    }

    private String ended(String order, String kind) {
        String job = started(order);
        floor.happened(printer, kind, job);
        return job;
    }

    @Test
    void anOrderClosesWhenItsLastPieceIsPrinted() {
        desk.settings("{\"autoCloseOrders\":true}");
        String order = vases(2);
        assertThat(desk.progress(order)).isEqualTo("2 2 0 0 0");
        String first = started(order);
        assertThat(desk.progress(order)).isEqualTo("2 1 1 0 0");
        floor.happened(printer, "jobCompleted", first);
        assertThat(desk.progress(order)).isEqualTo("2 1 0 1 0");
        assertThat(desk.of(order).at("status")).isEqualTo("open");
        ended(order, "jobCompleted");
        Answer closed = desk.of(order);
        assertThat(closed.at("status")).isEqualTo("closed");
        assertThat(closed.at("closedAt")).isNotNull();
        assertThat(closed.at("items[0].progress.done")).hasToString("2");
        assertThat(desk.events()).containsExactly("onOrderCreatedManual", "onOrderClosed");
        assertThat(String.valueOf(desk.deliveries().getLast().body()))
                .contains(order, "printer=null", "printJob=null", "items=[{");
    }

    @Test
    void anOrderWhoseItemIsExchangedStaysOpenUntilTheNewOneIsPrintedToo() {
        desk.settings("{\"autoCloseOrders\":true}");
        String order = String.valueOf(desk.ordered("{\"order\":{\"orderNumber\":\"7\"},"
                        + "\"items\":[{\"externalSku\":\"VASE\"},{\"externalSku\":\"BOWL\"}]}")
                .at("order.id"));
        desk.print(order);
        ended(order, "jobCompleted");
        assertThat(desk.of(order).at("status")).as("the bowl is no SKU").isEqualTo("open");
        Answer changed = desk.client()
                .send(
                        "PUT",
                        "/v1/orders/" + order,
                        Client.utf8("{\"items\":[{\"externalSku\":\"VASE\"},{\"externalSku\":\"LAMP-1\"}]}"));
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        assertThat(desk.of(order).at("status")).isEqualTo("open");
        assertThat(desk.print(order).at("queued")).hasToString(String.valueOf(OrderDesk.JOBS));
        Answer reduced = desk.client()
                .send("PUT", "/v1/orders/" + order, Client.utf8("{\"items\":[{\"externalSku\":\"VASE\"}]}"));
        assertThat(reduced.at("order.status")).as("what is left is printed").isEqualTo("closed");
        assertThat(desk.events()).containsOnlyOnce("onOrderClosed");
    }

    @Test
    void anIntegrationSaysForItselfWhetherItsOrdersClose() {
        desk.settings("{\"autoCloseOrders\":true}");
        String never = desk.integration("{\"autoCloseOrders\":false,\"autoPrint\":true}");
        String order = String.valueOf(desk.ordered("{\"order\":{\"integrationId\":\"" + never
                        + "\",\"externalId\":\"1\"}," + "\"items\":[{\"externalSku\":\"VASE\"}]}")
                .at("order.id"));
        assertThat(desk.events()).containsExactly("onOrderCreatedRetail", "onOrdersAutoPrinted");
        ended(order, "jobCompleted");
        assertThat(desk.progress(order)).isEqualTo("1 0 0 1 0");
        assertThat(desk.of(order).at("status")).isEqualTo("open");
        desk.client().patch("/v1/orders/batch/close", "{\"orderIds\":[\"" + order + "\"]}");
        desk.client().patch("/v1/orders/batch/close", "{\"orderIds\":[\"" + order + "\"]}");
        assertThat(desk.events()).containsOnlyOnce("onOrderClosed");
    }

    @Test
    void aFailedPieceIsPrintedAgainAsOftenAsTheStoreAllows() {
        desk.settings("{\"autoCloseOrders\":true,\"maxRetries\":1}");
        String order = vases(1);
        String first = ended(order, "jobFailed");
        assertThat(desk.progress(order)).isEqualTo("1 1 0 0 0");
        Answer again = floor.stored(desk.jobs(order, "&status=pending").getFirst());
        assertThat(again.at("replacesJobId")).isEqualTo(first);
        assertThat(again.at("retries")).hasToString("1");
        assertThat(again.at("attempt")).hasToString("0");
        assertThat(again.at("errorMessage")).isNull();
        assertThat(again.at("assignedPrinterId")).isNull();
        assertThat(again.at("queueOrder")).isEqualTo(floor.stored(first).at("queueOrder"));
        assertThat(desk.client()
                        .patch("/v1/print-jobs/retry", "{\"printJobIds\":[\"" + first + "\"]}")
                        .text())
                .isEqualTo("[]");
        String second = ended(order, "jobFailed");
        assertThat(desk.progress(order)).as("no more retries").isEqualTo("1 0 0 0 1");
        assertThat(desk.client()
                        .patch("/v1/print-jobs/retry", "{\"printJobIds\":[\"" + second + "\"]}")
                        .text())
                .isEqualTo("[\"" + second + "\"]");
        ended(order, "jobCompleted");
        assertThat(desk.of(order).at("status")).isEqualTo("closed");
        assertThat(desk.client().get("/v1/part-builds?orderId=" + order).each("status"))
                .containsExactly("success");
    }

    @Test
    void withoutRetriesAFailedPieceIsLackingUntilTheOrderIsPrintedAgain() {
        String order = vases(1);
        ended(order, "jobFailed");
        assertThat(desk.progress(order)).isEqualTo("1 0 0 0 1");
        assertThat(desk.print(order).at("queued")).hasToString("1");
        assertThat(desk.print(order).at("queued")).hasToString("0");
        ended(order, "jobCompleted");
        assertThat(desk.of(order).at("progress.done")).hasToString("1");
        assertThat(desk.print(order).at("queued")).hasToString("0");
    }

    @Test
    void whatPrintsStaysWhenItsOrderIsCancelledOrWantsLess() {
        desk.settings("{\"maxRetries\":3}");
        String order = vases(3);
        String printing = started(order);
        desk.resize(order, 1);
        assertThat(desk.print(order).at("cancelled")).hasToString("2");
        assertThat(floor.status(printing)).isEqualTo("Printing");
        desk.resize(order, 2);
        assertThat(desk.print(order).at("queued")).hasToString("1");
        desk.client().post("/v1/orders/" + order + "/cancel", "");
        desk.client().post("/v1/orders/" + order + "/cancel", "");
        assertThat(desk.jobs(order, "&status=pending")).isEmpty();
        assertThat(floor.status(printing)).isEqualTo("Printing");
        floor.happened(printer, "jobFailed", printing);
        assertThat(desk.jobs(order, "&status=pending"))
                .as("of a cancelled order")
                .isEmpty();
        assertThat(desk.events()).containsExactly("onOrderCreatedManual", "onOrderCancelled");
        desk.client().patch("/v1/orders/batch/reopen", "{\"orderIds\":[\"" + order + "\"]}");
        assertThat(desk.print(order).at("queued")).hasToString("2");
    }

    @Test
    void aPieceOfADeletedItemIsNotReplaced() {
        desk.settings("{\"maxRetries\":1}");
        String order = vases(2);
        String printing = started(order);
        desk.client().delete("/v1/orders/items/" + desk.item(order));
        floor.happened(printer, "jobFailed", printing);
        assertThat(desk.jobs(order, "&status=pending")).isEmpty();
    }

    @Test
    void anOrderIsDoneWhenLessIsWantedThanWasPrinted() {
        desk.settings("{\"autoCloseOrders\":true}");
        String order = vases(2);
        ended(order, "jobCompleted");
        desk.resize(order, 1);
        assertThat(desk.of(order).at("status")).isEqualTo("open");
        assertThat(desk.print(order).at("cancelled")).hasToString("1");
        assertThat(desk.of(order).at("status")).isEqualTo("closed");
        assertThat(desk.progress(order)).isEqualTo("1 0 0 1 0");
    }
}
