package farm.gantry.api.link;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.database.Database;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.json.Tree;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests which rows a message of an agent locks, and in which order. */
final class LinkLockOrderTest {
    private final FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), new Socket());

    private Map<String, Object> completed(String printer, String job) {
        return fakeAgent.event(
                printer,
                "jobCompleted",
                Map.of("jobId", job, "attempt", fakeAgent.stored(job).at("attempt")));
    }

    @Test
    void jobsOfAMessageAreLockedBeforePrinters() throws Exception {
        List<String> printers = List.of(fakeAgent.printer("a", ""), fakeAgent.printer("b", ""));
        List<String> jobs = List.of(fakeAgent.job(""), fakeAgent.job(""));
        fakeAgent.round();
        List<String> at = jobs.stream()
                .map(job -> String.valueOf(fakeAgent.stored(job).at("assignedPrinterId")))
                .toList();
        assertThat(at).containsExactlyInAnyOrderElementsOf(printers);
        List<Map<String, Object>> events =
                List.of(completed(at.getLast(), jobs.getLast()), completed(at.getFirst(), jobs.getFirst()));
        CompletableFuture<Answer> response = SharedApi.bean(Database.class)
                .in(fakeAgent.store().id(), tx -> {
                    assertThat(SharedApi.isFree(tx, "printJob", jobs.getFirst()))
                            .isTrue();
                    CompletableFuture<Answer> begun =
                            CompletableFuture.supplyAsync(() -> fakeAgent.exchange(events, List.of(), List.of()));
                    SharedApi.awaitBlocked(tx);
                    assertThat(SharedApi.isFree(tx, "printer", at.getLast())).isTrue();
                    return begun;
                });
        response.get(5, TimeUnit.MINUTES);
        assertThat(jobs.stream().map(fakeAgent::status)).containsOnly("Completed");
    }

    @Test
    void bedConfirmedDuringTheFirstReportIsReady() throws Exception {
        String printer = fakeAgent.unseenPrinter("one", FakeAgent.FIRMWARE_K, "");
        fakeAgent.exchange(List.of(fakeAgent.event(printer, "printerOnline", Map.of())), List.of(), List.of());
        Map<String, Object> state = Tree.object(fakeAgent.report(printer, "idle"), "state");
        CompletableFuture<Answer> confirmed = SharedApi.bean(Database.class)
                .in(fakeAgent.store().id(), tx -> {
                    SharedApi.bean(LinkMessageHandler.class)
                            .onReports(tx, "first", new TreeMap<>(Map.of(printer, state)));
                    CompletableFuture<Answer> begun = CompletableFuture.supplyAsync(() -> fakeAgent.confirm(printer));
                    SharedApi.awaitBlocked(tx);
                    return begun;
                });
        assertThat(confirmed.get(5, TimeUnit.MINUTES).status()).isEqualTo(200);
        String job = fakeAgent.job("");
        fakeAgent.round();
        assertThat(fakeAgent.status(job)).isEqualTo("Sending-to-printer");
    }
}
