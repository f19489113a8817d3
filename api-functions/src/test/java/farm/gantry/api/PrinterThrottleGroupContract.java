package farm.gantry.api;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Throttle groups: complete conditions, and no printer left in a group that is gone. */
public interface PrinterThrottleGroupContract extends ResourceContract {
    @Override
    default String path() {
        return "/v1/printer-throttle-groups";
    }

    @Override
    default String body() {
        return "{\"name\":\"wipe\",\"enabled\":true,\"maxConcurrentStarts\":2,\"fallbackTimeoutSeconds\":600,"
                + "\"temperatureToleranceC\":2.5,\"releaseConditions\":{}}";
    }

    @Override
    default Map<String, Object> defaults() {
        return Map.of(
                "enabled",
                true,
                "maxConcurrentStarts",
                2,
                "fallbackTimeoutSeconds",
                600,
                "temperatureToleranceC",
                2.5,
                "releaseConditions.bed",
                "null",
                "releaseConditions.nozzle",
                "null",
                "releaseConditions.duration",
                "null");
    }

    private Client owner() {
        return Client.of(host(), Farm.newStore().key());
    }

    private String when(String conditions) {
        return body().replace("\"releaseConditions\":{}", "\"releaseConditions\":{" + conditions + "}");
    }

    @Test
    default void aModeWithoutItsValueIsRefusedAtItsPath() {
        Client client = owner();
        String incomplete = "\"bed\":{\"mode\":\"percent-of-target\",\"temperatureC\":60},"
                + "\"nozzle\":{\"mode\":\"fixed-temp\",\"percent\":90,\"temperatureC\":null}";
        Answer refused = client.post(path(), when(incomplete));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().get("details").values())
                .extracting(fault -> Answer.at(fault, "path"))
                .containsExactly("releaseConditions.bed.percent", "releaseConditions.nozzle.temperatureC");
        String id = client.made(path(), body());
        assertThat(client.patch(path() + "/" + id, "{\"releaseConditions\":{" + incomplete + "}}")
                        .status())
                .isEqualTo(400);
        assertThat(client.get(path() + "/" + id).at("releaseConditions.bed")).isNull();
    }

    @Test
    default void completeConditionsAreKept() {
        Answer made = owner().post(
                        path(),
                        when("\"bed\":{\"mode\":\"percent-of-target\",\"percent\":90.5},"
                                + "\"nozzle\":{\"mode\":\"first-layer-temp\"},\"duration\":{\"seconds\":45}"));
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        assertThat(made.text())
                .contains("\"bed\":{\"mode\":\"percent-of-target\",\"percent\":90.5,\"temperatureC\":null}")
                .contains("\"nozzle\":{\"mode\":\"first-layer-temp\",\"percent\":null,\"temperatureC\":null}")
                .contains("\"duration\":{\"seconds\":45}");
    }

    @Test
    default void aGroupThatLetsNobodyStartIsRefused() {
        Answer refused = owner().post(
                        path(),
                        when("\"duration\":{}").replace("\"maxConcurrentStarts\":2", "\"maxConcurrentStarts\":0"));
        assertThat(refused.json().get("details").values())
                .extracting(fault -> Answer.at(fault, "path"))
                .containsExactlyInAnyOrder("maxConcurrentStarts", "releaseConditions.duration.seconds");
    }

    @Test
    default void aGroupWithPrintersStays() {
        Client client = owner();
        String id = client.made(path(), body());
        Answer registered = client.with("content-type", "application/json")
                .send("PUT", "/v1/printers", Client.utf8("""
                        [{"name": "K1", "nozzleDiameter": "0.4", "deviceId": "%s", "throttleGroupId": "%s"}]""".formatted(Id.next(), id)));
        String printer = String.valueOf(registered.at("[0].id"));
        Answer refused = client.delete(path() + "/" + id);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.at("message")).asString().contains(printer);
        client.patch("/v1/printers/" + printer, "{\"throttleGroupId\":null}");
        assertThat(client.delete(path() + "/" + id).at("[0]")).isEqualTo(id);
    }

    @Test
    default void whoMayOnlySeePrintersMayOnlySeeGroups() {
        Client client = owner();
        String id = client.made(path(), body());
        Answer key = client.post("/v1/api-keys", "{\"name\":\"viewer\",\"permissions\":[\"printer.view\"]}");
        Client viewer = client.keyed(String.valueOf(key.at("key")));
        assertThat(viewer.get(path() + "/" + id).status()).isEqualTo(200);
        assertThat(viewer.post(path(), body()).at("details[0].path")).isEqualTo("printer.edit");
        assertThat(viewer.delete(path() + "/" + id).status()).isEqualTo(403);
    }
}
