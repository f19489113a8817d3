package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.database.Database;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests archived builds, whose finished jobs are hidden. */
public interface PartBuildContract {
    Host host();

    private String built(SharedApi.Store store, Client client) {
        Answer built = client.post(
                "/v2/builds",
                "{\"parts\":[{\"partId\":\"" + ReadyParts.uploaded(store, client) + "\",\"quantity\":2}]}");
        assertThat(built.status()).as(built.text()).isEqualTo(201);
        return String.valueOf(built.at("partBuilds[0].id"));
    }

    @Test
    default void archivedBuildHidesItsFinishedJobs() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String build = built(store, client);
        String job = client.get("/v1/print-jobs").each("id").getFirst();
        client.patch("/v1/print-jobs/cancel", "{\"printJobIds\":[\"" + job + "\"]}");
        Answer archived = client.patch("/v1/part-builds/archive", "{\"ids\":[\"" + build + "\"]}");
        assertThat(archived.status()).as(archived.text()).isEqualTo(200);
        assertThat(archived.at("[0].dismissed")).isEqualTo(true);
        assertThat(client.get("/v1/print-jobs?hidden=true").each("id")).containsExactly(job);
        assertThat(client.get("/v1/print-jobs?hidden=false").each("status")).containsExactly("Pending");
    }

    @Test
    default void archivedBuildIsLockedAfterItsJobs() throws Exception {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String build = built(store, client);
        String job = client.get("/v1/print-jobs").each("id").getFirst();
        client.patch("/v1/print-jobs/cancel", "{\"printJobIds\":[\"" + job + "\"]}");
        CompletableFuture<Answer> archived = SharedApi.bean(Database.class).in(store.id(), tx -> {
            assertThat(SharedApi.isFree(tx, "printJob", job)).isTrue();
            CompletableFuture<Answer> begun = CompletableFuture.supplyAsync(
                    () -> client.patch("/v1/part-builds/archive", "{\"ids\":[\"" + build + "\"]}"));
            SharedApi.awaitBlocked(tx);
            assertThat(SharedApi.isFree(tx, "partBuild", build)).isTrue();
            return begun;
        });
        assertThat(archived.get(5, TimeUnit.MINUTES).at("[0].dismissed")).isEqualTo(true);
    }

    @Test
    default void dismissRouteArchivesBuilds() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        Answer dismissed = client.post("/v1/part-builds/dismiss", "{\"ids\":[\"" + built(store, client) + "\"]}");
        assertThat(dismissed.status()).as(dismissed.text()).isEqualTo(201);
        assertThat(dismissed.at("[0].dismissed")).isEqualTo(true);
    }

    @Test
    default void archivingWithAnUnknownBuildArchivesNone() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String build = built(store, client);
        String unknown = SharedApi.unknownId();
        Answer missing = client.patch("/v1/part-builds/archive", "{\"ids\":[\"" + build + "\",\"" + unknown + "\"]}");
        assertThat(missing.status()).isEqualTo(404);
        assertThat(missing.at("missing[0]")).isEqualTo(unknown);
        assertThat(client.get("/v1/part-builds/" + build).at("dismissed")).isEqualTo(false);
    }
}
