package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.database.Database;
import farm.gantry.api.database.Tables;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests the operations on jobs in every status. */
public interface JobContract {
    Host host();

    private static List<String> queued(SharedApi.Store store, Client client, int quantity) {
        BuildContract.built(
                client, BuildContract.build(ReadyParts.uploaded(store, client), ",\"quantity\":" + quantity));
        return client.get("/v1/print-jobs?sort=queueOrder").each("id");
    }

    private static void change(SharedApi.Store store, String id, Map<String, ? extends @Nullable Object> changes) {
        SharedApi.bean(Database.class)
                .in(
                        store.id(),
                        tx -> SharedApi.bean(Tables.class)
                                .of(PrintJob.class)
                                .change(tx, id, FakeAgent.change(changes)));
    }

    private static Answer does(Client client, String what, String... ids) {
        return client.patch("/v1/print-jobs/" + what, "{\"printJobIds\":[\"" + String.join("\",\"", ids) + "\"]}");
    }

    /** Lists the status after each operation from each status; a job the operation does not apply to stays unchanged. */
    @Test
    default void operationAppliesOnlyInItsStatuses() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String id = queued(store, client, 1).getFirst();
        for (String operation : List.of("pause", "resume", "cancel", "retry", "clear", "move-to-queue-front")) {
            for (JobStatus status : JobStatus.values()) {
                change(store, id, Map.of("status", status, "hidden", false));
                Answer done = does(client, operation, id);
                assertThat(done.status()).as(done.text()).isEqualTo(200);
                boolean applies = switch (operation) {
                    case "cancel" -> !status.isFinished();
                    case "retry" -> status == JobStatus.Failed || status == JobStatus.Cancelled;
                    case "clear" -> status.isFinished();
                    case "move-to-queue-front" -> status == JobStatus.Pending;
                    default -> false; // no printer has the job, so there is nobody to tell
                };
                assertThat(done.json().size()).as(operation + " from " + status).isEqualTo(applies ? 1 : 0);
                String then = applies && operation.equals("cancel")
                        ? "Cancelled"
                        : applies && operation.equals("retry") ? "Pending" : status.wireName();
                Answer job = client.get("/v1/print-jobs/" + id);
                assertThat(job.at("status")).as(operation + " from " + status).isEqualTo(then);
                assertThat(job.at("hidden")).isEqualTo(applies && operation.equals("clear"));
            }
        }
    }

    @Test
    default void operationWithAnUnknownJobChangesNoJob() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String id = queued(store, client, 1).getFirst();
        String unknown = SharedApi.unknownId();
        for (String operation : List.of("pause", "resume", "cancel", "retry", "clear", "move-to-queue-front")) {
            Answer missing = does(client, operation, id, unknown);
            assertThat(missing.status()).as(operation).isEqualTo(404);
            assertThat(missing.at("missing[0]")).isEqualTo(unknown);
        }
        Answer missing = client.patch(
                "/v1/print-jobs/bulk-reorder",
                "{\"updates\":[{\"printJobId\":\"" + id + "\",\"priority\":1000},{\"printJobId\":\"" + unknown
                        + "\",\"priority\":1000}]}");
        assertThat(missing.status()).isEqualTo(404);
        assertThat(missing.at("missing[0]")).isEqualTo(unknown);
        assertThat(client.get("/v1/print-jobs/" + id).at("priority")).hasToString("100");
        assertThat(client.get("/v1/print-jobs/" + id).at("status")).isEqualTo("Pending");
    }

    @Test
    default void retriedJobIsResetFromItsLastAttempt() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String id = queued(store, client, 1).getFirst();
        Map<String, Object> former = Map.of(
                "status",
                JobStatus.Failed,
                "assignedPrinterId",
                SharedApi.unknownId(),
                "errorMessage",
                "spaghetti",
                "printingStartedAt",
                "2026-01-01T00:00:00Z",
                "printingCompletedAt",
                "2026-01-01T01:00:00Z",
                "actualSeconds",
                3600,
                "materialMapping",
                Map.of("0", Map.of("amsIndex", 0, "slotIndex", 1)),
                "hidden",
                true,
                "attempt",
                1);
        change(store, id, former);
        Answer before = client.get("/v1/print-jobs/" + id);
        assertThat(does(client, "retry", id, id).text()).isEqualTo("[\"" + id + "\"]");
        Answer job = client.get("/v1/print-jobs/" + id);
        for (String field : List.of(
                "assignedPrinterId",
                "errorMessage",
                "startedAt",
                "completedAt",
                "actualSeconds",
                "materialMapping",
                "cancelledAt")) {
            assertThat(job.at(field)).as(field).isNull();
        }
        assertThat(job.at("hidden")).isEqualTo(false);
        assertThat(job.at("attempt")).hasToString("2");
        assertThat(job.at("slicedGcodeUri")).isNotNull().isEqualTo(before.at("slicedGcodeUri"));
        assertThat(does(client, "retry", id).text()).isEqualTo("[]");
    }

    @Test
    default void jobsMoveToTheFrontInTheGivenOrder() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        List<String> ids = queued(store, client, 4);
        assertThat(does(client, "move-to-queue-front", ids.get(3), ids.get(2)).each(""))
                .hasSize(2);
        assertThat(client.get("/v1/print-jobs?sort=queueOrder").each("id"))
                .containsExactly(ids.get(3), ids.get(2), ids.get(0), ids.get(1));
    }

    @Test
    default void jobMovesToAPositionAndOthersShift() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        List<String> ids = queued(store, client, 4);
        long second = Long.parseLong(
                client.get("/v1/print-jobs?sort=queueOrder").each("queueOrder").get(1));
        Answer moved = client.patch(
                "/v1/print-jobs/" + ids.get(3) + "/reorder", "{\"newQueueOrder\":" + second + ",\"priority\":1000}");
        assertThat(moved.status()).as(moved.text()).isEqualTo(200);
        assertThat(moved.at("queueOrder")).hasToString(String.valueOf(second));
        assertThat(moved.at("priority")).hasToString("1000");
        assertThat(client.get("/v1/print-jobs?sort=queueOrder").each("id"))
                .containsExactly(ids.get(0), ids.get(3), ids.get(1), ids.get(2));
        String update = "{\"printJobId\":\"%s\",\"newQueueOrder\":%d}";
        Answer bulk = client.patch(
                "/v1/print-jobs/bulk-reorder",
                "{\"updates\":[" + update.formatted(ids.get(2), second) + "," + update.formatted(ids.get(1), second + 1)
                        + "]}");
        assertThat(bulk.status()).as(bulk.text()).isEqualTo(200);
        assertThat(client.get("/v1/print-jobs?sort=queueOrder").each("id"))
                .containsExactly(ids.get(0), ids.get(2), ids.get(1), ids.get(3));
        Answer mixed = client.patch(
                "/v1/print-jobs/bulk-reorder",
                "{\"updates\":[" + update.formatted(ids.get(1), second) + ",{\"printJobId\":\"" + ids.get(0)
                        + "\",\"priority\":1000},{\"printJobId\":\"" + ids.get(2)
                        + "\",\"priority\":1000,\"newQueueOrder\":"
                        + (second + 1) + "}]}");
        assertThat(mixed.status()).as(mixed.text()).isEqualTo(200);
        Answer queue = client.get("/v1/print-jobs?sort=queueOrder");
        assertThat(queue.each("id")).containsExactlyElementsOf(ids);
        assertThat(queue.each("priority")).containsExactly("1000", "100", "1000", "1000");
        does(client, "cancel", ids.get(0));
        assertThat(client.patch("/v1/print-jobs/" + ids.get(0) + "/reorder", "{\"priority\":100}")
                        .status())
                .isEqualTo(409);
        assertThat(client.patch("/v1/print-jobs/" + SharedApi.unknownId() + "/reorder", "{\"priority\":100}")
                        .status())
                .isEqualTo(404);
        for (String bad : new String[] {
            "{}", "{\"priority\":5}", "{\"newQueueOrder\":1.5}", "{\"newQueueOrder\":-9223372036854775808}"
        }) {
            assertThat(client.patch("/v1/print-jobs/" + ids.get(1) + "/reorder", bad)
                            .status())
                    .as(bad)
                    .isEqualTo(400);
        }
        Answer twice = client.patch(
                "/v1/print-jobs/bulk-reorder",
                "{\"updates\":[" + update.formatted(ids.get(1), 1) + "," + update.formatted(ids.get(1), 1) + "]}");
        assertThat(BuildContract.paths(twice)).containsExactly("updates[1].printJobId", "updates[1].newQueueOrder");
    }

    @Test
    default void historyListsFinishedJobsNewestFirst() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        List<String> ids = queued(store, client, 3);
        String printer = SharedApi.unknownId();
        change(
                store,
                ids.get(0),
                Map.of(
                        "status",
                        JobStatus.Completed,
                        "printingCompletedAt",
                        "2026-01-02T00:00:00Z",
                        "assignedPrinterId",
                        printer));
        change(store, ids.get(1), Map.of("status", JobStatus.Cancelled, "cancelledAt", "2026-01-03T00:00:00Z"));
        assertThat(client.get("/v1/print-history?status=completed").each("id")).containsExactly(ids.get(0));
        assertThat(client.get("/v1/print-history").each("id")).containsExactlyInAnyOrder(ids.get(0), ids.get(1));
        Answer page = client.get("/v2/print-history?limit=500");
        assertThat(page.each("id")).containsExactly(ids.get(1), ids.get(0));
        assertThat(page.at("meta.limit")).hasToString("100");
        assertThat(client.get("/v2/print-history?sort=id").each("id")).containsExactly(ids.get(0), ids.get(1));
        String cursor = "&cursor="
                + client.get("/v2/print-history?limit=1&sort=createdAt,id").at("meta.nextCursor");
        assertThat(client.get("/v2/print-history?sort=createdAt,id" + cursor).each("id"))
                .containsExactly(ids.get(1));
        for (String path : List.of("/v2/print-history", "/v2/printers/" + printer + "/print-history")) {
            Answer unsorted = client.get(path + "?limit=1" + cursor);
            assertThat(unsorted.status()).as(path).isEqualTo(400);
            assertThat(unsorted.at("details[0].path")).as(path).isEqualTo("cursor");
        }
        assertThat(client.get("/v1/printers/" + printer + "/print-history").each("id"))
                .containsExactly(ids.get(0));
        assertThat(client.get("/v2/printers/" + printer + "/print-history").each("id"))
                .containsExactly(ids.get(0));
        assertThat(client.get("/v1/printers/" + SharedApi.unknownId() + "/print-history")
                        .status())
                .isEqualTo(404);
        Answer found = client.post("/v1/print-history/search", "{\"sort\":\"id:desc\"}");
        assertThat(found.at("meta.total")).hasToString("2");
        assertThat(client.post("/v1/print-history/search", "{\"sort\":\"bogus\"}")
                        .at("error"))
                .isEqualTo("invalid_sort");
    }
}
