package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.SharedApi;
import org.junit.jupiter.api.Test;

/** Tests the access checks of event streams, also on hosts that cannot keep one open. */
public interface StreamContract {
    Host host();

    private Client permitted(String permission) {
        return Client.of(host(), SharedApi.newStore().key()).permitted(permission);
    }

    @Test
    default void streamNeedsThePermissionsOfItsEvents() {
        assertThat(permitted("macro.view").get("/v1/stream").at("details[0].path"))
                .isEqualTo("printer.view");
        Client printers = permitted("printer.view");
        Answer refused = printers.get("/v1/stream?events=printerState,jobMoved");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.at("details[0].path")).isEqualTo("queue.view");
    }

    @Test
    default void streamParametersAreValidated() {
        Client owner = Client.of(host(), SharedApi.newStore().key());
        Answer unknown = owner.get("/v1/stream?events=weather");
        assertThat(unknown.status()).isEqualTo(400);
        assertThat(unknown.at("details[0].path")).isEqualTo("events");
        Answer nowhere = owner.with("Last-Event-ID", "yesterday").get("/v1/stream");
        assertThat(nowhere.status()).isEqualTo(400);
        assertThat(nowhere.at("details[0].path")).isEqualTo("Last-Event-ID");
    }
}
