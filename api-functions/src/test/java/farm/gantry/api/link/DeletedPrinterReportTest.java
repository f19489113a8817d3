package farm.gantry.api.link;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.database.Database;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import io.micronaut.serde.ObjectMapper;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests events of a printer that is being deleted. */
final class DeletedPrinterReportTest {
    private final SharedApi.Store store = SharedApi.newStore();
    private final FakeAgent agent = new FakeAgent(store, new Socket());

    /** Status 409 is reserved for the process that is not served, which then stops all of its printers. */
    @Test
    void reportOfAPrinterBeingDeletedIsRejectedAsRetryable() throws Exception {
        String printer = agent.unseenPrinter("one", FakeAgent.FIRMWARE_K, "");
        String message = SharedApi.bean(ObjectMapper.class)
                .writeValueAsString(Map.of(
                        "session", agent.session(), "sequence", 1, "reports", List.of(agent.report(printer, "idle"))));
        CompletableFuture<Answer> response = SharedApi.bean(Database.class).in(store.id(), tx -> {
            tx.update(
                    "delete from farm.printer where \"storeId\" = ? and id = ?",
                    store.id().value(),
                    printer);
            CompletableFuture<Answer> begun = CompletableFuture.supplyAsync(() -> agent.link(message));
            SharedApi.awaitBlocked(tx);
            return begun;
        });
        assertThat(response.get(5, TimeUnit.MINUTES).status()).isEqualTo(503);
        agent.exchange();
    }
}
