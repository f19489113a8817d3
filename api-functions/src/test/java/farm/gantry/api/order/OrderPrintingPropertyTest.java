package farm.gantry.api.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.api.browser.LampStore;
import farm.gantry.api.builds.OrderItemBuilds;
import farm.gantry.api.database.Change;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.job.lifecycle.JobTransitions;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import io.micronaut.json.tree.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests orders with random concurrent changes by people, printers and marketplaces: exactly the ordered quantity is
 * printed, never more. {@code -Dorders.seeds=100} runs more seeds, {@code -Dorders.seed=…} repeats one.
 */
final class OrderPrintingPropertyTest {
    private static final int CALLERS = 4;
    private static final int STEPS = 25;
    private static final Database DATABASE = SharedApi.bean(Database.class);
    private static final Table<PrintJob> JOBS = SharedApi.bean(Tables.class).of(PrintJob.class);
    private static final JobTransitions TRANSITIONS = SharedApi.bean(JobTransitions.class);

    static Stream<Integer> seeds() {
        Integer one = Integer.getInteger("orders.seed");
        return one != null
                ? Stream.of(one)
                : IntStream.rangeClosed(1, Integer.getInteger("orders.seeds", 3))
                        .boxed();
    }

    private interface Step {
        void take(Random random, String order);
    }

    private final LampStore lampStore = LampStore.open(new Socket());
    private final List<String> orders = new ArrayList<>();

    private void atOnce(int seed, List<Step> steps) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> callers = new ArrayList<>();
            for (int caller = 0; caller < CALLERS; caller++) {
                Random random = new Random(seed * 1000L + caller);
                callers.add(threads.submit(() -> {
                    for (int i = 0; i < STEPS; i++) {
                        steps.get(random.nextInt(steps.size())).take(random, orders.get(random.nextInt(orders.size())));
                    }
                }));
            }
            for (Future<?> caller : callers) {
                caller.get();
            }
        }
    }

    private void print(Random random, String order) {
        lampStore.print(order);
    }

    private void printAll(Random random, String order) {
        assertThat(lampStore.client().post("/v1/orders/print", "{}").status()).isEqualTo(201);
    }

    private void resize(Random random, String order) {
        lampStore.resize(order, 1 + random.nextInt(3));
    }

    private void reconfigure(Random random, String order) {
        String linked = String.valueOf(
                lampStore.client().get("/v1/linked-parts?label=foot").at("[0].id"));
        assertThat(lampStore
                        .client()
                        .patch(
                                "/v1/orders/items/" + lampStore.item(order),
                                "{\"ignored\":%s,\"skuConfig\":{\"%s\":{\"label\":\"foot %d\"}}}"
                                        .formatted(random.nextInt(4) == 0, linked, random.nextInt(3)))
                        .status())
                .isEqualTo(200);
    }

    private void turn(Random random, String order) {
        String change = List.of("close", "reopen", "reopen", "cancel").get(random.nextInt(4));
        assertThat(lampStore
                        .client()
                        .patch("/v1/orders/batch/" + change, "{\"orderIds\":[\"" + order + "\"]}")
                        .status())
                .isEqualTo(200);
    }

    /** Advances a job of the order by a few steps, some of which may fail. */
    private void work(Random random, String order) {
        List<String> jobs = lampStore.jobs(order, "");
        if (!jobs.isEmpty()) {
            String id = jobs.get(random.nextInt(jobs.size()));
            for (int i = random.nextInt(6); i > 0; i--) {
                boolean fails = random.nextInt(5) == 0;
                DATABASE.in(
                        lampStore.store().id(),
                        tx -> JOBS.lock(tx, id)
                                .flatMap(job -> TRANSITIONS.apply(tx, job, next(job, fails), new Change<>())));
            }
        }
    }

    private static JobStatus.Transition next(PrintJob job, boolean fails) {
        return switch (job.status()) {
            case Pending -> JobStatus.Transition.ASSIGN;
            case Assigned -> fails ? JobStatus.Transition.UNASSIGN : JobStatus.Transition.MAKE_READY;
            case READY_FOR_PRINTER -> JobStatus.Transition.SEND;
            case SENDING_TO_PRINTER -> fails ? JobStatus.Transition.RETURN : JobStatus.Transition.START;
            case Printing -> fails ? JobStatus.Transition.FAIL : JobStatus.Transition.COMPLETE;
            case Slicing, Sliced, Finalizing, WAITING_FOR_APPROVAL, Paused, Completed, Failed, Cancelled ->
                JobStatus.Transition.START; // which none of them takes
        };
    }

    private void retryOrCancel(Random random, String order) {
        List<String> jobs = lampStore.jobs(order, "");
        if (!jobs.isEmpty()) {
            assertThat(lampStore
                            .client()
                            .patch(
                                    "/v1/print-jobs/" + (random.nextInt(3) == 0 ? "cancel" : "retry"),
                                    "{\"printJobIds\":[\"" + jobs.get(random.nextInt(jobs.size())) + "\"]}")
                            .status())
                    .isEqualTo(200);
        }
    }

    /** The numbers of a piece: ordered, waiting, and printing or done. */
    private record Count(int wanted, int waiting, int begun) {}

    private List<Count> counts(String order) {
        JsonNode whole = lampStore
                .client()
                .get("/v1/orders/" + order + "?include=printJobs")
                .json();
        JsonNode item = whole.get("items").get(0);
        Map<String, Integer> waiting = new HashMap<>();
        Map<String, Integer> begun = new HashMap<>();
        for (JsonNode job : whole.get("printJobs").values()) {
            JobStatus status = JobStatus.parse(job.get("status").getStringValue()).orElseThrow();
            if (status != JobStatus.Failed && status != JobStatus.Cancelled) {
                JsonNode plate = job.get("extensions").get("3mf").get("plateId");
                boolean isBegun = status.isAtPrinter() || status == JobStatus.Completed;
                String linked = job.get("linkedPartId").getStringValue();
                (isBegun ? begun : waiting).merge(linked + " " + plate.getIntValue(), 1, Integer::sum);
            }
        }
        List<Count> counts = new ArrayList<>();
        boolean ignored = item.get("ignored").getBooleanValue();
        for (JsonNode piece : item.get("pieces").isNull()
                ? List.<JsonNode>of()
                : item.get("pieces").values()) {
            String key = piece.get("linkedPartId").getStringValue() + " "
                    + (piece.get("plateId").isNull() ? 1 : piece.get("plateId").getIntValue());
            int wanted = ignored
                    ? 0
                    : item.get("quantity").getIntValue() * piece.get("copies").getIntValue();
            counts.add(new Count(wanted, waiting.getOrDefault(key, 0), begun.getOrDefault(key, 0)));
        }
        return counts;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void printedQuantityMatchesTheOrderUnderRandomChanges(int seed) throws Exception {
        lampStore.settings("{\"maxRetries\":2,\"autoCloseOrders\":true}");
        orders.addAll(List.of(lampStore.order(1), lampStore.order(2)));
        atOnce(
                seed,
                List.of(
                        this::print,
                        this::printAll,
                        this::resize,
                        this::reconfigure,
                        this::turn,
                        this::work,
                        this::work,
                        this::work,
                        this::retryOrCancel));
        for (String order : orders) {
            lampStore.print(order);
            Answer whole = lampStore.of(order);
            if ("open".equals(whole.at("status"))) {
                assertThat(counts(order))
                        .as(whole.text())
                        .allMatch(count -> count.waiting() + count.begun() == Math.max(count.wanted(), count.begun()));
            } else if (whole.at("cancelledAt") != null) {
                assertThat(counts(order)).as(whole.text()).allMatch(count -> count.waiting() == 0);
            }
            Answer again = lampStore.print(order);
            assertThat(again.at("queued")).as(again.text()).hasToString("0");
            assertThat(again.at("cancelled")).as(again.text()).hasToString("0");
        }
    }

    @Test
    void interruptedPrintRequestIsIdempotent() {
        String order = lampStore.order(2);
        OrderPrinting printing = SharedApi.bean(OrderPrinting.class);
        for (int lamps : new int[] {2, 3, 1}) {
            lampStore.resize(order, lamps);
            String before = lampStore.client().get("/v1/print-jobs").text();
            assertThatThrownBy(() -> DATABASE.in(lampStore.store().id(), tx -> {
                        printing.print(tx, List.of(order), null, OrderItemBuilds.QueuePlacement.LAST);
                        throw new IllegalStateException("the power is cut");
                    }))
                    .hasMessage("the power is cut");
            assertThat(lampStore.client().get("/v1/print-jobs").text()).isEqualTo(before);
            lampStore.print(order);
            assertThat(counts(order)).allMatch(count -> count.waiting() == count.wanted());
            assertThat(lampStore.print(order).at("queued")).hasToString("0");
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void activeJobsNeverExceedTheOrderedQuantity(int seed) throws Exception {
        lampStore.settings("{\"maxRetries\":2}");
        orders.add(lampStore.order(2));
        Step look = (_, order) ->
                assertThat(counts(order)).allMatch(count -> count.waiting() + count.begun() <= count.wanted());
        atOnce(seed, List.of(this::print, this::print, this::work, this::work, this::work, this::retryOrCancel, look));
        String order = orders.getFirst();
        lampStore.print(order);
        assertThat(counts(order)).hasSize(3).allMatch(count -> count.waiting() + count.begun() == count.wanted());
        Answer replacing = lampStore.client().get("/v1/print-jobs?replacesJobId.isNull=false&orderId=" + order);
        List<String> attempts = replacing.each("replacesAttempt");
        assertThat(replacing.each("replacesJobId")).hasSameSizeAs(attempts);
        assertThat(IntStream.range(0, attempts.size())
                        .mapToObj(i -> replacing.at("[" + i + "].replacesJobId") + " " + attempts.get(i)))
                .doesNotHaveDuplicates();
        assertThat(lampStore
                        .client()
                        .get("/v1/print-jobs?retries.gt=2&orderId=" + order)
                        .each("id"))
                .isEmpty();
    }
}
