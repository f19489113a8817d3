package farm.gantry.api.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.api.browser.LampStore;
import farm.gantry.api.database.Database;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.queue.WorkLease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the deletion of ended jobs after their retention. */
final class JobRetentionTest {
    private static final Duration RETENTION = Duration.ofDays(400);

    @TempDir
    Path archive;

    private final SharedApi.Store store = SharedApi.newStore();
    private final Client client = Client.of(new Socket(), store.key());
    private final String part = ReadyParts.uploaded(store, client);

    private void deleteExpired() {
        JobRetention retention = new JobRetention(
                SharedApi.bean(Database.class),
                SharedApi.bean(ExpiredJobRows.class),
                SharedApi.bean(WorkLease.class),
                new JobRetentionSettings(RETENTION, archive.toString()));
        retention.delete(store.id(), Instant.now().minus(RETENTION));
    }

    private void update(String sql, Object... values) {
        SharedApi.bean(Database.class).in(store.id(), tx -> tx.update(sql, values));
    }

    /** Makes everything of the store older than the retention. */
    private void age() {
        Stream.of("printJob", "partBuild", "skuBuild", "order")
                .forEach(table -> update(
                        "update farm.\"" + table + "\" set \"createdAt\" = \"createdAt\" - interval '500 days',"
                                + " \"updatedAt\" = \"updatedAt\" - interval '500 days' where \"storeId\" = ?",
                        store.id().value()));
    }

    private Answer build(int quantity) {
        Answer built = client.post(
                "/v2/builds", "{\"parts\":[{\"partId\":\"%s\",\"quantity\":%d}]}".formatted(part, quantity));
        assertThat(built.status()).as(built.text()).isEqualTo(201);
        return built;
    }

    private void cancelAll() {
        List<String> jobs = client.get("/v1/print-jobs").each("id");
        assertThat(client.patch("/v1/print-jobs/cancel", "{\"printJobIds\":[\"" + String.join("\",\"", jobs) + "\"]}")
                        .status())
                .isEqualTo(200);
    }

    private List<String> archived() throws IOException {
        try (Stream<Path> files = Files.list(archive.resolve(store.id().value()))) {
            return Files.readAllLines(files.toList().getFirst());
        }
    }

    @Test
    void endedBuildsOlderThanTheRetentionAreArchivedAndDeleted() throws IOException {
        String old = String.valueOf(build(2).at("partBuilds[0].id"));
        cancelAll();
        age();
        String recent = String.valueOf(build(1).at("partBuilds[0].id"));
        cancelAll();
        deleteExpired();
        assertThat(client.get("/v1/part-builds").each("id")).containsExactly(recent);
        assertThat(client.get("/v1/print-history").each("partBuildId")).containsExactly(recent);
        assertThat(archived()).hasSize(3).allSatisfy(line -> assertThat(line).contains(old));
    }

    @Test
    void buildWithAJobThatHasNotEndedStaysWhole() {
        build(2);
        age();
        String first = client.get("/v1/print-jobs?limit=1").each("id").getFirst();
        client.patch("/v1/print-jobs/cancel", "{\"printJobIds\":[\"" + first + "\"]}");
        age();
        deleteExpired();
        assertThat(client.get("/v1/print-jobs").each("status")).containsExactlyInAnyOrder("Cancelled", "Pending");
    }

    @Test
    void moreJobsThanABatchAreDeleted() {
        build(500);
        build(500);
        build(500);
        update(
                "update farm.\"printJob\" set status = 'Cancelled', \"cancelledAt\" = now() where \"storeId\" = ?",
                store.id().value());
        update(
                "update farm.\"partBuild\" set status = 'cancelled' where \"storeId\" = ?",
                store.id().value());
        age();
        deleteExpired();
        assertThat(client.get("/v1/print-jobs?limit=1").each("id")).isEmpty();
        assertThat(client.get("/v1/part-builds").each("id")).isEmpty();
    }

    @Test
    void orderStaysAndIsNotPrintedAgain() {
        String sku = client.made(
                "/v1/skus",
                "{\"sku\":\"LAMP-1\",\"title\":\"Lamp\",\"linkedParts\":[" + LampStore.linked(part, "foot", 1, "")
                        + "]}");
        Answer ordered = client.post("/v1/orders", """
                {"order": {"orderNumber": "1042"}, "items": [{"skuId": "%s", "quantity": 1}]}""".formatted(sku));
        String order = String.valueOf(ordered.at("order.id"));
        client.post("/v1/orders/print", "{}");
        cancelAll();
        age();
        deleteExpired();
        assertThat(client.get("/v1/print-jobs").each("orderId"))
                .as("jobs of an open order")
                .containsExactly(order);
        String selection = "{\"orderIds\":[\"" + order + "\"]}";
        client.patch("/v1/orders/batch/close", selection);
        age();
        deleteExpired();
        assertThat(client.get("/v1/print-jobs").each("id")).isEmpty();
        assertThat(client.get("/v1/sku-builds").each("id")).isEmpty();
        assertThat(client.get("/v1/orders/" + order).status()).isEqualTo(200);
        assertThat(client.patch("/v1/orders/batch/reopen", selection).status()).isEqualTo(409);
    }

    @Test
    void retentionShorterThanTheReportsIsRejected() {
        assertThatThrownBy(() -> new JobRetentionSettings(Duration.ofDays(29), null))
                .hasMessageContaining("gantry.jobs.retention must be at least 30d");
    }
}
