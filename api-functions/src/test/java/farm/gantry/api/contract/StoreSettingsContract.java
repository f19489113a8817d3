package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.version.ProductVersion;
import org.junit.jupiter.api.Test;

/** Tests the settings of a store. */
public interface StoreSettingsContract {
    String PATH = "/v1/settings/store";

    Host host();

    private Client owner() {
        return Client.of(host(), SharedApi.newStore().key());
    }

    @Test
    default void newStoreHasDefaultSettings() {
        SharedApi.Store store = SharedApi.newStore();
        Answer got = Client.of(host(), store.key()).get(PATH);
        assertThat(got.status()).as(got.text()).isEqualTo(200);
        assertThat(got.at("id")).isEqualTo(store.id().value());
        assertThat(got.at("name")).isEqualTo("A farm");
        assertThat(got.at("timezone")).isEqualTo("UTC");
        assertThat(got.at("currency")).isEqualTo("USD");
        assertThat(got.at("processLowPriorityJobs")).isEqualTo(true);
        assertThat(got.at("defaultProcessProfileId")).isNull();
        assertThat(got.at("slicer")).as("any of them").isNull();
    }

    @Test
    default void settingsAreChangedAndSentToNewStreams() {
        Client client = owner();
        Client other = owner();
        Answer changed = client.patch(
                PATH,
                "{\"name\":\"Nordlicht\",\"timezone\":\"Europe/Berlin\",\"currency\":\"EUR\",\"slicer\":\"slicer3\","
                        + "\"processLowPriorityJobs\":false}");
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        assertThat(client.get(PATH).text()).isEqualTo(changed.text());
        assertThat(changed.at("slicer")).isEqualTo("slicer3");
        Answer begun = client.get("/v1/web-init");
        assertThat(begun.at("store.name")).isEqualTo("Nordlicht");
        assertThat(begun.at("store.timezone")).isEqualTo("Europe/Berlin");
        assertThat(begun.at("store.currency")).isEqualTo("EUR");
        assertThat(begun.at("version")).isEqualTo(ProductVersion.CURRENT.text());
        assertThat(other.get(PATH).at("name")).isEqualTo("A farm");
    }

    @Test
    default void invalidZoneOrCurrencyIsRejected() {
        Client client = owner();
        Answer refused = client.patch(PATH, "{\"timezone\":\"Europe/Nowhere\",\"currency\":\"EURO\"}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().get("details").values())
                .extracting(fault -> Answer.at(fault, "path"))
                .containsExactly("timezone", "currency");
        Answer all = client.patch(
                PATH,
                "{\"name\":\"\",\"timezone\":\"Europe/Nowhere\",\"currency\":\"EURO\",\"failurePolicy\":"
                        + "{\"retriesElsewhere\":21,\"quarantine\":{\"failures\":3,\"ofLastJobs\":2}}}");
        assertThat(BuildContract.paths(all))
                .containsExactlyInAnyOrder(
                        "name",
                        "timezone",
                        "currency",
                        "failurePolicy.retriesElsewhere",
                        "failurePolicy.quarantine.failures");
        assertThat(client.patch(PATH, "{\"defaultProcessProfileId\":\"" + SharedApi.unknownId() + "\"}")
                        .at("details[0].path"))
                .isEqualTo("defaultProcessProfileId");
        assertThat(client.get(PATH).at("timezone")).isEqualTo("UTC");
    }

    @Test
    default void settingsHaveTheirOwnPermissions() {
        Client client = owner();
        Client viewer = client.permitted("settings.view");
        assertThat(viewer.get(PATH).status()).isEqualTo(200);
        assertThat(viewer.patch(PATH, "{}").at("details[0].path")).isEqualTo("settings.edit");
    }
}
