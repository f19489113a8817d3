package farm.gantry.api.promise;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.database.Database;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.job.PrintJob;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the report of how many promises were kept. */
final class PromiseReportTest {
    private final FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), new Socket());
    private final Client client = fakeAgent.client();

    private String promisedJob() {
        String job = fakeAgent.job("");
        fakeAgent.change(PrintJob.class, job, Map.of("estimatedSeconds", 3600L));
        SharedApi.bean(PromiseUpdater.class).plan(fakeAgent.store().id());
        return job;
    }

    private void completed(String printer, String job) {
        fakeAgent.confirm(printer);
        fakeAgent.round();
        fakeAgent.happened(printer, "jobStarted", job);
        fakeAgent.happened(printer, "jobCompleted", job);
    }

    @Test
    void shareOfKeptPromisesIsReportedByProvider() {
        String printer = fakeAgent.printer("K", "");
        completed(printer, promisedJob());
        String late = promisedJob();
        SharedApi.bean(Database.class)
                .in(
                        fakeAgent.store().id(),
                        tx -> tx.update(
                                "update farm.\"jobPromise\" set \"firstPromisedAt\" = now() - interval '1 hour'"
                                        + " where \"storeId\" = ? and \"printJobId\" = ?",
                                fakeAgent.store().id().value(),
                                late));
        SharedApi.bean(PromiseUpdater.class).plan(fakeAgent.store().id());
        completed(printer, late);
        Answer report = client.get("/v1/reports/promises");
        assertThat(report.status()).as(report.text()).isEqualTo(200);
        assertThat(report.at("providers[0].provider")).as(report.text()).isEqualTo("firmwareK");
        assertThat(report.at("providers[0].jobs")).hasToString("2");
        assertThat(report.at("providers[0].keptAt")).hasToString("0.5");
        assertThat(report.at("providers[0].keptBy")).hasToString("1");
        Client other = Client.of(new Socket(), SharedApi.newStore().key());
        assertThat(other.get("/v1/reports/promises").json().get("providers").size())
                .isZero();
    }
}
