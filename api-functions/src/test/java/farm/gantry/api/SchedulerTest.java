package farm.gantry.api;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import farm.gantry.api.queue.Loop;
import farm.gantry.api.schedule.Scheduler;
import farm.gantry.api.store.Database;
import farm.gantry.api.store.Tables;
import farm.gantry.printer.Printer;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is given to free printers, and what is left waiting. */
final class SchedulerTest {
    private final Farm.Store store = Farm.newStore();
    private final Client client = Client.of(new Socket(), store.key());

    private <R> void change(Class<R> type, String id, Map<String, @Nullable Object> changes) {
        Farm.bean(Database.class)
                .in(store.id(), tx -> Farm.bean(Tables.class).of(type).change(tx, id, Map.of(), changes));
    }

    private void freePrinter() {
        String code =
                String.valueOf(client.post("/v1/agents/pairing-codes", "{}").at("code"));
        Answer agent = client.post(
                "/v1/agents/pair",
                "{\"code\":\"" + code + "\",\"name\":\"a\",\"version\":\"1\",\"platform\":\"linux\"}");
        Answer registered = client.with("content-type", "application/json")
                .send("PUT", "/v1/printers", Client.utf8("""
                        [{"name": "K1", "nozzleDiameter": "0.4", "commMethod": "fuse", "deviceId": "%s",
                          "enabled": true, "integrationId": null, "integrationType": null, "metadata": null,
                          "proxyClientId": "%s"}]""".formatted(Id.next(), agent.at("agentId"))));
        assertThat(registered.status()).as(registered.text()).isEqualTo(200);
        change(
                Printer.class,
                String.valueOf(registered.at("[0].id")),
                Map.of("isOnline", true, "confirmedReady", true));
    }

    private String status(int priority) {
        return client.get("/v1/print-jobs?priority=" + priority).each("status").getFirst();
    }

    private void awaitStart(int priority) {
        long patience = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!status(priority).equals("Sending-to-printer")) {
            assertThat(System.nanoTime()).as(status(priority)).isLessThan(patience);
        }
    }

    @Test
    void whatMayWaitIsLeftWaitingWhereTheStoreSaysSo() {
        client.patch("/v1/settings/store", "{\"processLowPriorityJobs\":false}");
        String part = ReadyParts.uploaded(store, client);
        freePrinter();
        freePrinter();
        for (int priority : new int[] {1000, 100}) {
            Answer built = client.post(
                    "/v2/builds", "{\"parts\":[{\"partId\":\"" + part + "\",\"priority\":" + priority + "}]}");
            assertThat(built.status()).as(built.text()).isEqualTo(201);
        }
        try (Loop _ = Farm.bean(Scheduler.class).start()) {
            awaitStart(100);
            assertThat(status(1000)).isEqualTo("Pending");
            client.patch("/v1/settings/store", "{\"processLowPriorityJobs\":true}");
            awaitStart(1000);
        }
    }
}
