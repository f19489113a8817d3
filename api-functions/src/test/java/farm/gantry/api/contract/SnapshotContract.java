package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.database.Database;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.link.AgentWatchdog;
import farm.gantry.wire.SnapshotUpload;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Tests camera images: requested while somebody looks, deleted soon after. */
public interface SnapshotContract {
    byte[] PICTURE = jpeg(2_000);

    Host host();

    /** Returns this many bytes that begin like a JPEG. */
    static byte[] jpeg(int size) {
        byte[] bytes = new byte[size];
        Arrays.fill(bytes, (byte) 0x80);
        bytes[0] = (byte) 0xFF;
        bytes[1] = (byte) 0xD8;
        bytes[2] = (byte) 0xFF;
        return bytes;
    }

    private static String path(String printer) {
        return "/v1/printers/" + printer + "/snapshot";
    }

    private static void pass(FakeAgent fakeAgent, String time) {
        SharedApi.bean(Database.class).in(fakeAgent.store().id(), tx -> tx.update("""
                update farm.still set "wantedAt" = "wantedAt" - interval '%1$s', "toldAt" = "toldAt" - interval '%1$s',
                "takenAt" = "takenAt" - interval '%1$s'""".formatted(time)));
    }

    @Test
    default void imageIsRequestedWhenSomebodyLooks() {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        String printer = fakeAgent.printer("K", "");
        assertThat(fakeAgent.exchange().at("stills")).as("nobody looks").isEqualTo("(absent)");
        Answer fetching = fakeAgent.client().get(path(printer));
        assertThat(fetching.status()).as(fetching.text()).isEqualTo(202);
        assertThat(fetching.header("retry-after")).isEqualTo("2");
        Answer response = fakeAgent.exchange();
        assertThat(response.at("stills[0].deviceId")).isEqualTo(fakeAgent.deviceOf(printer));
        assertThat(response.at("stills[0].width")).isEqualTo(320);
        assertThat(fakeAgent.exchange().at("stills")).as("requested once").isEqualTo("(absent)");
        assertThat(fakeAgent.still(printer, 320, PICTURE).status()).isEqualTo(201);
        pass(fakeAgent, "7 seconds");
        Answer shown = fakeAgent.client().get(path(printer));
        assertThat(shown.status()).as(shown.text()).isEqualTo(200);
        assertThat(shown.header("content-type")).isEqualTo("image/jpeg");
        assertThat(shown.header("cache-control")).isEqualTo("no-store");
        assertThat(Integer.parseInt(Objects.requireNonNull(shown.header("x-picture-age"))))
                .isBetween(7, 20);
        assertThat(shown.body()).isEqualTo(PICTURE);
    }

    @Test
    default void agentIsAskedForImagesOnlyWhileSomebodyLooks() {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        String printer = fakeAgent.printer("K", "");
        fakeAgent.client().get(path(printer));
        assertThat(fakeAgent.exchange().at("stills[0].seconds")).isEqualTo(40);
        pass(fakeAgent, "15 seconds");
        fakeAgent.client().get(path(printer));
        assertThat(fakeAgent.exchange().at("stills[0].seconds"))
                .as("somebody still looks")
                .isEqualTo(40);
        pass(fakeAgent, "25 seconds");
        assertThat(fakeAgent.exchange().at("stills")).as("no request since").isEqualTo("(absent)");
    }

    @Test
    default void fullSizeImageIsSeparate() {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        String printer = fakeAgent.printer("K", "");
        assertThat(fakeAgent.client().get(path(printer) + "?full=true").status())
                .isEqualTo(202);
        assertThat(fakeAgent.exchange().at("stills[0].width")).isEqualTo(0);
        byte[] large = jpeg(SnapshotUpload.MAX_TILE_BYTES + 1);
        assertThat(fakeAgent.still(printer, 0, large).status()).isEqualTo(201);
        assertThat(fakeAgent.client().get(path(printer) + "?full=true").body()).isEqualTo(large);
        assertThat(fakeAgent.client().get(path(printer)).status()).isEqualTo(202);
        assertThat(fakeAgent.still(printer, 320, large).at("details[0].path")).isEqualTo("image");
        assertThat(fakeAgent
                        .still(printer, 320, new byte[] {'G', 'I', 'F', '8'})
                        .at("details[0].path"))
                .isEqualTo("image");
    }

    @Test
    default void manyImagesAreFetchedInOneRequest() {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        String shown = fakeAgent.printer("shown", "");
        String waits = fakeAgent.printer("waits", "");
        String broken = fakeAgent.printer("broken", "");
        String blind = fakeAgent.printer("blind", ", \"printerCapabilityPatch\": {\"cameras\": []}");
        String path = "/v1/printers/snapshots?ids=" + String.join(",", shown, waits, broken, blind);
        assertThat(fakeAgent.client().get(path).each("reason"))
                .containsExactly("null", "null", "null", "the printer has no camera");
        assertThat(fakeAgent.exchange().json().get("stills").size()).isEqualTo(3);
        fakeAgent.still(shown, 320, PICTURE);
        fakeAgent.noStill(broken, 320, "the camera is unplugged");
        Answer answer = fakeAgent.client().get(path);
        assertThat(answer.at("[0].image"))
                .isEqualTo(java.util.Base64.getEncoder().encodeToString(PICTURE));
        assertThat(String.join(" ", answer.each("age"))).matches("\\d{1,2} null null null");
        assertThat(answer.each("reason"))
                .containsExactly("null", "null", "the camera is unplugged", "the printer has no camera");
    }

    @Test
    default void unavailableImageIsNotFoundAtOnce() {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        String blind = fakeAgent.printer("blind", ", \"printerCapabilityPatch\": {\"cameras\": []}");
        Answer none = fakeAgent.client().get(path(blind));
        assertThat(none.status()).isEqualTo(404);
        assertThat(none.at("message")).isEqualTo("no such picture: the printer has no camera");
        String gone = fakeAgent.printer("gone", "");
        fakeAgent.exchange(List.of(fakeAgent.event(gone, "printerOffline", Map.of())), List.of(), List.of());
        assertThat(String.valueOf(fakeAgent.client().get(path(gone)).at("message")))
                .contains("offline");
        assertThat(fakeAgent.exchange().at("stills")).isEqualTo("(absent)");
    }

    @Test
    default void anotherStoresPrinterIsNotFound() {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        FakeAgent other = new FakeAgent(SharedApi.newStore(), host());
        String printer = fakeAgent.printer("K", "");
        fakeAgent.client().get(path(printer));
        fakeAgent.still(printer, 320, PICTURE);
        Answer unknown = other.client().get(path(SharedApi.unknownId()));
        Answer foreign = other.client().get(path(printer));
        assertThat(foreign.status()).isEqualTo(404);
        assertThat(foreign.at("message")).isEqualTo(unknown.at("message"));
        assertThat(other.client().get("/v1/printers/snapshots?ids=" + printer).status())
                .isEqualTo(404);
        assertThat(other.still(other.printer("own", ""), 320, PICTURE).status()).isEqualTo(201);
    }

    /** One agent was not requested to send images, the other serves other printers. */
    @Test
    default void unrequestedImageIsNotStored() {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        FakeAgent second = new FakeAgent(fakeAgent.store(), host());
        String printer = fakeAgent.printer("K", "");
        fakeAgent.still(printer, 320, PICTURE);
        assertThat(fakeAgent.client().get(path(printer)).status()).isEqualTo(202);
        second.still(printer, 320, PICTURE);
        assertThat(fakeAgent.client().get(path(printer)).status()).isEqualTo(202);
        Client stranger = Client.of(host()).with("authorization", "AgentToken wrong");
        assertThat(stranger.post("/v1/agents/link/stills", "{\"deviceId\":\"d\",\"width\":320}")
                        .status())
                .isEqualTo(401);
    }

    @Test
    default void imagesAreDeletedWhenNobodyLooks() {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        String printer = fakeAgent.printer("K", "");
        fakeAgent.client().get(path(printer));
        fakeAgent.still(printer, 320, PICTURE);
        SharedApi.bean(AgentWatchdog.class).checkTimeouts();
        assertThat(kept(fakeAgent)).isEqualTo(1);
        pass(fakeAgent, "130 seconds");
        SharedApi.bean(AgentWatchdog.class).checkTimeouts();
        assertThat(kept(fakeAgent)).isZero();
    }

    private static int kept(FakeAgent fakeAgent) {
        return SharedApi.bean(Database.class)
                .in(
                        fakeAgent.store().id(),
                        tx -> tx.query("select count(*) from farm.still", rows -> {
                            rows.next();
                            return rows.getInt(1);
                        }));
    }
}
