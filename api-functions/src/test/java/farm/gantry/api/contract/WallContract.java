package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.SharedApi;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the wall display and the key that grants only access to it. */
public interface WallContract {
    Host host();

    private Client kiosk(FakeAgent fakeAgent) {
        return kiosk(fakeAgent.client());
    }

    private Client kiosk(Client owner) {
        Answer key = owner.post("/v1/api-keys", "{\"name\":\"Wall\",\"permissions\":[\"wall.view\"]}");
        assertThat(key.status()).as(key.text()).isEqualTo(201);
        return Client.of(host(), String.valueOf(key.at("key")));
    }

    private static Map<String, Object> printing(FakeAgent fakeAgent, String printer, String job, int left) {
        Map<String, ?> progress =
                Map.of("jobId", job, "fileName", "secret-customer.gcode", "percent", 41.7, "remainingSeconds", left);
        return fakeAgent.report(printer, "printing", Map.of(), List.of(), Map.of("job", progress));
    }

    @Test
    default void wallShowsFaultsThenNextToFinishWithoutFileNames() {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        String later = fakeAgent.printer("later", "");
        String sooner = fakeAgent.printer("sooner", "");
        String idle = fakeAgent.printer("idle", "");
        String broken = fakeAgent.printer("broken", "");
        String job = fakeAgent.job(", \"tags\": {\"user.tags\": \"nowhere\"}");
        fakeAgent.exchange(
                List.of(),
                List.of(),
                List.of(
                        printing(fakeAgent, later, job, 900),
                        printing(fakeAgent, sooner, SharedApi.unknownId(), 300),
                        fakeAgent.report(broken, "error")));
        Answer wall = kiosk(fakeAgent).get("/v1/wall");
        assertThat(wall.status()).as(wall.text()).isEqualTo(200);
        assertThat(wall.each("name")).containsExactly("broken", "sooner", "later", "idle");
        assertThat(wall.each("state")).containsExactly("fault", "printing", "printing", "ready");
        assertThat(wall.at("[1].part"))
                .as("a print that the farm did not start")
                .isNull();
        assertThat(wall.at("[2].part")).isEqualTo(fakeAgent.stored(job).at("partName"));
        assertThat(wall.at("[2].percent")).isEqualTo(41);
        assertThat(Long.parseLong(String.valueOf(wall.at("[2].secondsLeft")))).isBetween(840L, 900L);
        assertThat(wall.at("[3].still")).isEqualTo("/v1/wall/stills/" + idle);
        assertThat(wall.text()).doesNotContain("secret-customer", job);
    }

    @Test
    default void wallKeyOpensOnlyTheWallAndItsImages() {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        String printer = fakeAgent.printer("K", "");
        Client kiosk = kiosk(fakeAgent);
        assertThat(kiosk.get("/v1/wall/stills/" + printer).status()).isEqualTo(202);
        fakeAgent.still(printer, 320, SnapshotContract.PICTURE);
        assertThat(kiosk.get("/v1/wall/stills/" + printer).body()).isEqualTo(SnapshotContract.PICTURE);
        assertThat(kiosk.get("/v1/wall/stills?ids=" + printer).each("age"))
                .singleElement()
                .asString()
                .matches("\\d{1,2}");
        for (String path : List.of(
                "/v1/printers",
                "/v1/printers/" + printer,
                "/v1/printers/" + printer + "/snapshot",
                "/v1/printers/snapshots?ids=" + printer,
                "/v1/printer-states?ids=" + printer,
                "/v1/print-jobs",
                "/v1/api-keys",
                "/v1/sessions")) {
            assertThat(kiosk.get(path).status()).as(path).isEqualTo(403);
        }
        Answer stranger = kiosk(Client.of(host(), SharedApi.newStore().key())).get("/v1/wall/stills/" + printer);
        assertThat(stranger.status()).isEqualTo(404);
        Client viewer = Client.of(
                host(),
                String.valueOf(fakeAgent
                        .client()
                        .post("/v1/api-keys", "{\"name\":\"v\",\"permissions\":[\"printer.view\"]}")
                        .at("key")));
        assertThat(viewer.get("/v1/wall").status()).isEqualTo(403);
    }
}
