package farm.gantry.api.promise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import farm.gantry.StoreId;
import farm.gantry.api.browser.LampStore;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Tables;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.printer.readiness.PrinterStateRows;
import farm.gantry.api.queue.WorkLease;
import farm.gantry.api.schedule.CandidateLoader;
import farm.gantry.api.schedule.SchedulerRows;
import farm.gantry.api.webhook.Webhooks;
import farm.gantry.job.PrintJob;
import farm.gantry.part.PrintTags;
import farm.gantry.promise.FarmState;
import farm.gantry.promise.WaitReason;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests the promises of jobs and orders, and the events for late orders. */
final class PromiseTest {
    private final LampStore lampStore = LampStore.open(new Socket());
    private final Client client = lampStore.client();
    private final FakeAgent fakeAgent = new FakeAgent(lampStore.store(), new Socket());

    private String lastingJob(long seconds, String more) {
        String job = fakeAgent.job(more);
        fakeAgent.change(PrintJob.class, job, Map.of("estimatedSeconds", seconds));
        return job;
    }

    private void plan() {
        SharedApi.bean(PromiseUpdater.class).plan(lampStore.store().id());
    }

    private static Instant time(Answer answer, String member) {
        return Instant.parse(String.valueOf(answer.at(member)));
    }

    private static List<String> codes(Answer promise) {
        return IntStream.range(0, 10)
                .mapToObj(i -> promise.at("waits[" + i + "].code"))
                .takeWhile(code -> code != null && !code.equals("(absent)"))
                .map(String::valueOf)
                .toList();
    }

    @Test
    void jobHasAPromiseWithReasons() {
        String printer = fakeAgent.printer("K", "");
        String first = lastingJob(3600, "");
        String second = lastingJob(600, "");
        Answer promise = client.get("/v1/print-jobs/" + second + "/promise");
        assertThat(promise.status()).as(promise.text()).isEqualTo(200);
        assertThat(time(promise, "promisedAt"))
                .isBetween(Instant.now().plusSeconds(3600), Instant.now().plusSeconds(6000));
        assertThat(time(promise, "promisedBy")).isAfter(time(promise, "promisedAt"));
        assertThat(codes(promise)).containsExactly("queue", "prints");
        assertThat(promise.at("waits[0].printerIds[0]")).isEqualTo(printer);
        assertThat(promise.at("waits[0].jobsAhead")).hasToString("1");
        assertThat(codes(client.get("/v1/print-jobs/" + first + "/promise"))).containsExactly("prints");
    }

    /** A plan of all jobs of a queue of a million would need more memory than the API has. */
    @Test
    void jobsFarBackInTheQueueHaveNoPromiseButAReason() {
        fakeAgent.printer("K", "");
        List<String> jobs = List.of(lastingJob(3600, ""), lastingJob(600, ""), lastingJob(600, ""));
        plan();
        FarmStateLoader shortened = new FarmStateLoader(
                SharedApi.bean(CandidateLoader.class),
                SharedApi.bean(SchedulerRows.class),
                SharedApi.bean(PromiseRows.class),
                SharedApi.bean(PrinterStateRows.class),
                SharedApi.bean(Tables.class),
                SharedApi.bean(FarmLearner.class),
                SharedApi.bean(InstantSource.class),
                2);
        Database database = SharedApi.bean(Database.class);
        StoreId store = lampStore.store().id();
        new PromiseUpdater(
                        database,
                        shortened,
                        SharedApi.bean(PromiseRows.class),
                        SharedApi.bean(Webhooks.class),
                        SharedApi.bean(WorkLease.class),
                        SharedApi.bean(InstantSource.class))
                .plan(store);
        assertThat(client.get("/v1/print-jobs/" + jobs.get(1)).at("promisedAt")).isInstanceOf(String.class);
        assertThat(client.get("/v1/print-jobs/" + jobs.get(2)).at("promisedAt")).isEqualTo("(absent)");
        WaitReason reason = database.in(store, shortened::reasonWithoutEstimate);
        assertThat(reason.code()).isEqualTo(WaitReason.Code.queue);
        assertThat(reason.text()).contains("the first 2 jobs");
        FarmState planned = database.in(store, tx -> shortened.load(tx, Instant.now()));
        assertThat(planned.queue()).extracting(FarmState.QueuedJob::id).containsExactlyElementsOf(jobs.subList(0, 2));
        assertThat(shortened.isComplete(planned)).isFalse();

        plan();
        assertThat(client.get("/v1/print-jobs/" + jobs.get(2)).at("promisedAt")).isInstanceOf(String.class);
    }

    @Test
    void promiseOfAPrintingJobUsesThePrintersRemainingTime() {
        String printer = fakeAgent.printer("K", "");
        String job = lastingJob(60, "");
        fakeAgent.round();
        fakeAgent.happened(printer, "jobStarted", job);
        fakeAgent.exchange(
                List.of(),
                List.of(),
                List.of(fakeAgent.report(
                        printer,
                        "printing",
                        Map.of(),
                        List.of(),
                        Map.of("job", Map.of("jobId", job, "fileName", "a", "percent", 1, "remainingSeconds", 7200)))));
        Answer promise = client.get("/v1/print-jobs/" + job + "/promise");
        assertThat(codes(promise)).containsExactly("printing");
        assertThat(time(promise, "waits[0].until"))
                .isBetween(Instant.now().plusSeconds(7100), Instant.now().plusSeconds(7300));
    }

    @Test
    void learnedTimeIsUsedWhenThePrinterCountsTheEstimateDown() {
        Map<String, String> jobOf = new LinkedHashMap<>();
        for (int i = 0; i < 30; i++) {
            fakeAgent.printer("K" + i, "");
            lastingJob(1000, "");
        }
        fakeAgent.round();
        client.get("/v1/print-jobs?limit=100&fields=id,assignedPrinterId")
                .json()
                .values()
                .forEach(job -> jobOf.put(
                        String.valueOf(job.get("assignedPrinterId").getStringValue()),
                        String.valueOf(job.get("id").getStringValue())));
        jobOf.forEach((printer, job) -> {
            fakeAgent.happened(printer, "jobStarted", job);
            fakeAgent.happened(printer, "jobCompleted", job);
            fakeAgent.change(PrintJob.class, job, Map.of("actualSeconds", 1500L));
        });
        String printer = fakeAgent.printer("now", "");
        String job = lastingJob(3600, "");
        fakeAgent.round();
        fakeAgent.happened(printer, "jobStarted", job);
        Map<String, Object> halfWay =
                Map.of("jobId", job, "fileName", "a", "percent", 50, "elapsedSeconds", 1800, "remainingSeconds", 1800);
        fakeAgent.exchange(
                List.of(),
                List.of(),
                List.of(fakeAgent.report(printer, "printing", Map.of(), List.of(), Map.of("job", halfWay))));
        Answer promise = client.get("/v1/print-jobs/" + job + "/promise");
        assertThat(codes(promise)).as(promise.text()).containsExactly("printing");
        assertThat(time(promise, "waits[0].until"))
                .isBetween(Instant.now().plusSeconds(2800), Instant.now().plusSeconds(3700));
    }

    @Test
    void jobThatNoPrinterCanPrintHasNoPromise() {
        String job = fakeAgent.job("");
        Answer promise = client.get("/v1/print-jobs/" + job + "/promise");
        assertThat(promise.at("promisedAt")).isNull();
        assertThat(codes(promise)).containsExactly("blocked");
        assertThat(client.get("/v1/print-jobs/0000000000000000000000aa/promise").status())
                .isEqualTo(404);
    }

    @Test
    void promisesAreListedAndSortableWithoutChangingRecords() {
        fakeAgent.printer("K", "");
        String first = lastingJob(600, "");
        String second = lastingJob(600, "");
        String before = client.get("/v1/print-jobs/" + first).header("etag");
        plan();
        Answer listed = client.get("/v1/print-jobs?fields=id,promisedAt&sort=promisedAt:desc&promisedAt.gt="
                + Instant.now().minusSeconds(60));
        assertThat(listed.each("id")).containsExactly(second, first);
        assertThat(listed.each("promisedAt")).doesNotContain("null");
        assertThat(client.get("/v1/print-jobs/" + first).header("etag")).isEqualTo(before);
        assertThat(client.get("/v1/print-jobs/" + first).text()).doesNotContain("promisedAt");
    }

    @Test
    void lateOrderAndRecoveryPublishOneEventEach() {
        String printer = fakeAgent.printer("K", "");
        lampStore.subscribe();
        client.patch("/v1/settings/notifications/webhook/events", "{\"onOrderLate\":true,\"onOrderOnTime\":true}");
        Instant deadline = Instant.now().plus(Duration.ofHours(2));
        String order = String.valueOf(
                lampStore.ordered(1, ",\"deadline\":\"" + deadline + "\"").at("order.id"));
        lampStore.print(order);
        lampStore
                .jobs(order, "")
                .forEach(job -> fakeAgent.change(PrintJob.class, job, Map.of("estimatedSeconds", 300L)));
        plan();
        Answer promise = client.get("/v1/orders/" + order + "/promise");
        assertThat(promise.at("late")).hasToString("false");
        assertThat(promise.at("lastPrintJobId"))
                .isEqualTo(lampStore.jobs(order, "").getLast());
        assertThat(lampStore.events()).doesNotContain("onOrderLate", "onOrderOnTime");

        client.patch("/v1/printers/enabled", "{\"ids\":[\"" + printer + "\"],\"enabled\":false}");
        plan();
        assertThat(client.get("/v1/orders/" + order + "/promise").at("late"))
                .as("no event without a promise")
                .hasToString("false");
        client.patch("/v1/printers/enabled", "{\"ids\":[\"" + printer + "\"],\"enabled\":true}");

        String other = lastingJob(20_000, ",\"position\":\"front\"");
        plan();
        plan();
        assertThat(client.get("/v1/orders?late=true&fields=id,late").each("id")).containsExactly(order);
        assertThat(lampStore.events()).containsOnlyOnce("onOrderLate").doesNotContain("onOrderOnTime");

        client.patch("/v1/print-jobs/cancel", "{\"printJobIds\":[\"" + other + "\"]}");
        plan();
        plan();
        assertThat(lampStore.events()).containsOnlyOnce("onOrderLate").containsOnlyOnce("onOrderOnTime");
        assertThat(client.get("/v1/orders/" + order + "/promise").at("late")).hasToString("false");
    }

    @Test
    void latenessOfAnOrderIsPromisedEndMinusDeadline() {
        fakeAgent.printer("K", "");
        Instant deadline = Instant.now().plus(Duration.ofMinutes(5));
        String order = String.valueOf(
                lampStore.ordered(40, ",\"deadline\":\"" + deadline + "\"").at("order.id"));
        lampStore.print(order);
        lampStore
                .jobs(order, "")
                .forEach(job -> fakeAgent.change(PrintJob.class, job, Map.of("estimatedSeconds", 600L)));
        plan();
        Answer promise = client.get("/v1/orders/" + order + "/promise");
        assertThat(promise.at("late")).as(promise.text()).hasToString("true");
        assertThat(time(promise, "promisedBy")).isAfter(time(promise, "promisedAt"));
        assertThat(Long.parseLong(String.valueOf(promise.at("lateSeconds"))))
                .isCloseTo(
                        Duration.between(deadline, time(promise, "promisedAt")).toSeconds(), within(2L));
    }

    @Test
    void orderIsLateWhenItsPrintableJobsMissTheDeadlineAndOneJobHasNoPrinter() {
        fakeAgent.printer("K", "");
        String order = String.valueOf(lampStore
                .ordered(1, ",\"deadline\":\"" + Instant.now().plusSeconds(300) + "\"")
                .at("order.id"));
        lampStore.print(order);
        List<String> jobs = lampStore.jobs(order, "");
        jobs.forEach(job -> fakeAgent.change(PrintJob.class, job, Map.of("estimatedSeconds", 3600L)));
        PrintTags absent = new PrintTags(null, null, "No such model", null, null, null);
        fakeAgent.change(PrintJob.class, jobs.getFirst(), Map.of("requiredPrinterTags", absent));
        plan();
        Answer promise = client.get("/v1/orders/" + order + "/promise");
        assertThat(promise.at("promisedAt")).as(promise.text()).isNull();
        assertThat(promise.at("late")).hasToString("true");
        assertThat(Long.parseLong(String.valueOf(promise.at("lateSeconds")))).isGreaterThan(3000);
    }

    @Test
    void partiallyQueuedOrderHasNoPromise() {
        fakeAgent.printer("K", "");
        String order = lampStore.order(1);
        lampStore.print(order);
        lampStore.resize(order, 2);
        Answer promise = client.get("/v1/orders/" + order + "/promise");
        assertThat(promise.status()).as(promise.text()).isEqualTo(200);
        assertThat(promise.at("promisedAt")).isNull();
        assertThat(promise.at("late")).isNull();
    }

    @Test
    void orderWithAFailedJobHasNoPromiseAndIsLateAfterItsDeadline() {
        String printer = fakeAgent.printer("K", "");
        lampStore.subscribe();
        client.patch("/v1/settings/notifications/webhook/events", "{\"onOrderLate\":true}");
        String part = ReadyParts.uploaded(lampStore.store(), client);
        lampStore.sku("VASE-1", LampStore.linked(part, "vase", 1, ""));
        Instant deadline = Instant.now().plus(Duration.ofHours(2));
        String order = String.valueOf(lampStore
                .ordered("{\"order\":{\"deadline\":\"" + deadline + "\"},\"items\":[{\"externalSku\":\"VASE-1\"}]}")
                .at("order.id"));
        lampStore.print(order);
        String job = lampStore.jobs(order, "").getFirst();
        fakeAgent.change(PrintJob.class, job, Map.of("estimatedSeconds", 5L));
        plan();
        assertThat(client.get("/v1/orders/" + order + "/promise").at("promisedAt"))
                .isNotNull();
        fakeAgent.round();
        fakeAgent.happened(printer, "jobStarted", job);
        fakeAgent.happened(printer, "jobFailed", job);
        assertThat(SharedApi.bean(Database.class).findStores("stores_with_promises"))
                .contains(lampStore.store().id());
        plan();
        assertThat(client.get("/v1/orders/" + order + "/promise").at("promisedAt"))
                .isNull();
        assertThat(lampStore.events()).doesNotContain("onOrderLate");
        client.send(
                "PUT",
                "/v1/orders/" + order,
                Client.utf8("{\"order\":{\"deadline\":\"" + Instant.now().minusSeconds(1) + "\"}}"));
        plan();
        assertThat(lampStore.events()).contains("onOrderLate");
        client.patch("/v1/orders/batch/close", "{\"orderIds\":[\"" + order + "\"]}");
        plan();
        assertThat(SharedApi.bean(Database.class).findStores("stores_with_promises"))
                .doesNotContain(lampStore.store().id());
    }

    @Test
    void simulationCoversPrintersAndWorkWithoutChanges() {
        String printer = fakeAgent.printer("K", "");
        String part = ReadyParts.uploaded(lampStore.store(), client);
        String order = String.valueOf(lampStore
                .ordered(1, ",\"deadline\":\"" + Instant.now().plusSeconds(3 * 3600) + "\"")
                .at("order.id"));
        lampStore.print(order);
        List<String> jobs = lampStore.jobs(order, "");
        jobs.forEach(job -> fakeAgent.change(PrintJob.class, job, Map.of("estimatedSeconds", 3600L)));
        Answer more =
                client.post("/v1/plan/what-if", "{\"morePrinters\":[{\"like\":\"" + printer + "\",\"count\":4}]}");
        assertThat(more.status()).as(more.text()).isEqualTo(201);
        assertThat(more.at("earlier")).hasToString("4");
        assertThat(time(more, "queueAfter.promisedAt"))
                .isBefore(time(more, "queueBefore.promisedAt").minusSeconds(3600));
        assertThat(more.at("orders[0].orderId")).isEqualTo(order);
        assertThat(more.at("orders[0].becomesOnTime")).hasToString("true");
        Answer work = client.post(
                "/v1/plan/what-if",
                "{\"builds\":{\"parts\":[{\"partId\":\"" + part + "\",\"quantity\":2,\"position\":\"front\"}]}}");
        assertThat(work.at("later")).as(work.text()).hasToString("5");
        assertThat(work.at("builds[0].partId")).isEqualTo(part);
        assertThat(work.at("builds[0].jobs")).hasToString("2");
        assertThat(work.at("builds[0].promisedBy")).isNotNull();
        Answer none = client.post("/v1/plan/what-if", "{\"withoutPrinterIds\":[\"" + printer + "\"]}");
        assertThat(none.at("later")).hasToString("5");
        assertThat(lampStore.jobs(order, "")).isEqualTo(jobs);
        assertThat(client.get("/v1/print-jobs").each("id")).hasSize(jobs.size());
        Answer unknown = client.post("/v1/plan/what-if", "{\"withoutPrinterIds\":[\"" + part + "\"]}");
        assertThat(unknown.status()).isEqualTo(400);
        assertThat(unknown.at("details[0].path")).isEqualTo("withoutPrinterIds[0]");
        String hundred = "{\"like\":\"" + printer + "\",\"count\":100}";
        assertThat(client.post("/v1/plan/what-if", "{\"morePrinters\":[" + (hundred + ",").repeat(10) + hundred + "]}")
                        .at("details[0].path"))
                .isEqualTo("morePrinters");
        assertThat(client.post("/v1/plan/what-if", "{\"morePrinters\":[{\"like\":\"" + part + "\",\"count\":1}]}")
                        .at("details[0].path"))
                .isEqualTo("morePrinters[0].like");
    }

    @Test
    void simulationLeavesOutAnOrderWithPiecesThatAreNotQueued() {
        String printer = fakeAgent.printer("K", "");
        String order = String.valueOf(lampStore
                .ordered(1, ",\"deadline\":\"" + Instant.now().plusSeconds(3 * 3600) + "\"")
                .at("order.id"));
        lampStore.print(order);
        List<String> jobs = lampStore.jobs(order, "");
        jobs.forEach(job -> fakeAgent.change(PrintJob.class, job, Map.of("estimatedSeconds", 3600L)));
        String body = "{\"morePrinters\":[{\"like\":\"" + printer + "\",\"count\":4}]}";
        assertThat(client.post("/v1/plan/what-if", body).at("orders[0].orderId"))
                .isEqualTo(order);
        client.patch("/v1/print-jobs/cancel", "{\"printJobIds\":[\"" + jobs.getFirst() + "\"]}");
        plan();
        Answer promise = client.get("/v1/orders/" + order + "/promise");
        assertThat(promise.at("promisedAt")).as(promise.text()).isNull();
        Answer whatIf = client.post("/v1/plan/what-if", body);
        assertThat(whatIf.at("earlier")).as(whatIf.text()).isNotEqualTo(0);
        assertThat(whatIf.at("orders[0].orderId")).as(whatIf.text()).isEqualTo("(absent)");
    }

    @Test
    void simulationIsRejectedWhenThePrinterToCopyIsOutOfService() {
        String printer = fakeAgent.printer("K", "");
        client.patch("/v1/printers/enabled", "{\"ids\":[\"" + printer + "\"],\"enabled\":false}");
        Answer refused =
                client.post("/v1/plan/what-if", "{\"morePrinters\":[{\"like\":\"" + printer + "\",\"count\":2}]}");
        assertThat(refused.status()).as(refused.text()).isEqualTo(409);
        assertThat(refused.text()).contains("printers like K", "in service");
    }

    @Test
    void jobOfAPausedQueueIsPromisedAfterResume() {
        fakeAgent.printer("K", "");
        String job = lastingJob(600, "");
        String blocked = lastingJob(600, "");
        PrintTags absent = new PrintTags(null, null, "No such model", null, null, null);
        fakeAgent.change(PrintJob.class, blocked, Map.of("requiredPrinterTags", absent));
        plan();
        assertThat(codes(client.get("/v1/print-jobs/" + blocked + "/promise"))).containsExactly("blocked");
        client.patch("/v1/queue", "{\"paused\":true}");
        plan();
        Answer paused = client.get("/v1/print-jobs/" + job + "/promise");
        assertThat(paused.at("promisedAt")).as(paused.text()).isNull();
        assertThat(codes(paused)).containsExactly("paused");
        assertThat(codes(client.get("/v1/print-jobs/" + blocked + "/promise"))).containsExactly("paused");
        client.patch("/v1/queue", "{\"paused\":false}");
        plan();
        assertThat(codes(client.get("/v1/print-jobs/" + job + "/promise"))).containsExactly("prints");
        assertThat(codes(client.get("/v1/print-jobs/" + blocked + "/promise"))).containsExactly("blocked");
    }

    @Test
    void buildPreviewHasAPromise() {
        fakeAgent.printer("K", "");
        String part = ReadyParts.uploaded(lampStore.store(), client);
        String body = "{\"parts\":[{\"partId\":\"" + part + "\",\"quantity\":2}]";
        assertThat(client.post("/v2/builds/preview", body + "}").text()).doesNotContain("promisedAt");
        Answer promised = client.post("/v2/builds/preview", body + ",\"promise\":true}");
        Answer many = client.post("/v2/builds/preview", body.replace("2}", "400}") + ",\"promise\":true}");
        assertThat(time(many, "summary.promisedBy")).isAfter(time(many, "summary.promisedAt"));
        assertThat(time(promised, "summary.promisedBy")).isAfter(time(promised, "summary.promisedAt"));
    }

    @Test
    void jobWithADeadlineComesFirstWhenTheStoreSaysSo() {
        String early = fakeAgent.job("");
        String order = String.valueOf(lampStore
                .ordered(1, ",\"deadline\":\"" + Instant.now().plusSeconds(86_400) + "\"")
                .at("order.id"));
        lampStore.print(order);
        String printer = fakeAgent.printer("K", "");
        lampStore.settings("{\"deadlineFirst\":true}");
        fakeAgent.round();
        assertThat(fakeAgent.status(early)).isEqualTo("Pending");
        assertThat(lampStore.jobs(order, "&status.ne=pending")).hasSize(1);
        assertThat(fakeAgent.stateOf(printer).at("printingJobId")).isIn(lampStore.jobs(order, ""));
    }

    @Test
    void jobWithoutADeadlineWaitsAtMostAWeek() {
        String old = fakeAgent.job("");
        fakeAgent.change(PrintJob.class, old, Map.of("createdAt", Instant.now().minus(Duration.ofDays(8))));
        String order = String.valueOf(lampStore
                .ordered(1, ",\"deadline\":\"" + Instant.now().plusSeconds(86_400) + "\"")
                .at("order.id"));
        lampStore.print(order);
        client.patch("/v1/print-jobs/" + old + "/reorder", "{\"newQueueOrder\":1000000}");
        fakeAgent.printer("K", "");
        lampStore.settings("{\"deadlineFirst\":true}");
        fakeAgent.round();
        assertThat(fakeAgent.status(old)).isNotEqualTo("Pending");
    }

    @Test
    void startsOfAThrottleGroupAreStaggered() {
        String group = client.made(
                "/v1/printer-throttle-groups",
                "{\"name\":\"g\",\"enabled\":true,\"maxConcurrentStarts\":1,\"fallbackTimeoutSeconds\":900,"
                        + "\"temperatureToleranceC\":2,\"releaseConditions\":{\"bed\":null,\"nozzle\":null,"
                        + "\"duration\":{\"seconds\":600}}}");
        String more = ",\"throttleGroupId\":\"" + group + "\"";
        fakeAgent.printer("K", more);
        fakeAgent.printer("L", more);
        lastingJob(60, "");
        String second = lastingJob(60, "");
        Answer promise = client.get("/v1/print-jobs/" + second + "/promise");
        assertThat(codes(promise)).containsExactly("throttled", "prints");
        assertThat(time(promise, "waits[0].until"))
                .isBetween(Instant.now().plusSeconds(580), Instant.now().plusSeconds(610));
    }

    @Test
    void workingHoursAreValidatedAndUsed() {
        assertThat(client.patch(
                                "/v1/settings/store",
                                "{\"workingHours\":{\"shifts\":[{\"day\":\"monday\",\"from\":\"8\",\"to\":\"17:00\"}],"
                                        + "\"holidays\":[],\"minutesPerBed\":5,\"minutesPerFilamentChange\":5,\"people\":1}}")
                        .at("details[0].path"))
                .isEqualTo("workingHours.shifts[0].from");
        String printer = fakeAgent.printer("K", "");
        String first = lastingJob(600, "");
        String second = lastingJob(600, "");
        fakeAgent.round();
        fakeAgent.happened(printer, "jobStarted", first);
        String tomorrow = Instant.now()
                .plus(Duration.ofDays(1))
                .atZone(ZoneOffset.UTC)
                .getDayOfWeek()
                .name()
                .toLowerCase(Locale.ROOT);
        lampStore.settings("{\"timezone\":\"UTC\",\"workingHours\":{\"shifts\":[{\"day\":\"" + tomorrow
                + "\",\"from\":\"08:00\",\"to\":\"17:00\"}],\"holidays\":[],\"minutesPerBed\":5,"
                + "\"minutesPerFilamentChange\":5,\"people\":1}}");
        Answer promise = client.get("/v1/print-jobs/" + second + "/promise");
        assertThat(codes(promise)).containsExactly("printerBusy", "bed", "prints");
        assertThat(String.valueOf(promise.at("waits[1].until"))).endsWith("T08:05:00.000Z");
    }

    @Test
    void orderWithAnUnqueuedItemHasNoPromiseAndIsLateAtItsDeadline() {
        fakeAgent.printer("K", "");
        lampStore.subscribe();
        client.patch("/v1/settings/notifications/webhook/events", "{\"onOrderLate\":true}");
        String due = "{\"order\":{\"deadline\":\"" + Instant.now().minusSeconds(1) + "\"},\"items\":[";
        String half = String.valueOf(lampStore
                .ordered(due + "{\"externalSku\":\"LAMP-1\"},{\"externalSku\":\"BOWL\"}]}")
                .at("order.id"));
        String none = String.valueOf(
                lampStore.ordered(due + "{\"externalSku\":\"BOWL\"}]}").at("order.id"));
        lampStore.print(half);
        plan();
        plan();
        Answer promise = client.get("/v1/orders/" + half + "/promise");
        assertThat(promise.at("promisedAt")).isNull();
        assertThat(promise.at("late")).hasToString("true");
        assertThat(client.get("/v1/orders?late=true&fields=id,late").each("id")).containsExactlyInAnyOrder(half, none);
        assertThat(lampStore.events()).filteredOn("onOrderLate"::equals).hasSize(2);
    }
}
