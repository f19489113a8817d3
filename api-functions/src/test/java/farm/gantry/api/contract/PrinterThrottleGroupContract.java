package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.SharedApi;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests throttle groups: their conditions and their printers. */
public interface PrinterThrottleGroupContract extends BulkContract {
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
                "null",
                "printerIds",
                "[]");
    }

    private Client owner() {
        return Client.of(host(), SharedApi.newStore().key());
    }

    private String when(String conditions) {
        return body().replace("\"releaseConditions\":{}", "\"releaseConditions\":{" + conditions + "}");
    }

    @Test
    default void modeWithoutItsValueIsRejectedAtItsPath() {
        Client client = owner();
        String incomplete = "\"bed\":{\"mode\":\"percent-of-target\",\"temperatureC\":60},"
                + "\"nozzle\":{\"mode\":\"fixed-temp\",\"percent\":90,\"temperatureC\":null}";
        Answer refused = client.post(path(), when(incomplete));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().get("details").values())
                .extracting(fault -> Answer.at(fault, "path"))
                .containsExactly("releaseConditions.bed.percent", "releaseConditions.nozzle.temperatureC");
        for (int percent : new int[] {-5, 101}) {
            String bed = "\"bed\":{\"mode\":\"percent-of-target\",\"percent\":" + percent + "}";
            assertThat(client.post(path(), when(bed)).at("details[0].path")).isEqualTo("releaseConditions.bed.percent");
        }
        String id = client.made(path(), body());
        assertThat(BuildContract.paths(client.patch(
                        path() + "/" + id,
                        "{\"name\":\"\",\"releaseConditions\":{" + incomplete + "},\"printerIds\":7}")))
                .containsExactly(
                        "name", "releaseConditions.bed.percent", "releaseConditions.nozzle.temperatureC", "printerIds");
        assertThat(client.get(path() + "/" + id).at("releaseConditions.bed")).isNull();
    }

    @Test
    default void completeConditionsAreStored() {
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
    default void groupWithALimitOfZeroIsRejected() {
        Answer refused = owner().post(
                        path(),
                        when("\"duration\":{}").replace("\"maxConcurrentStarts\":2", "\"maxConcurrentStarts\":0"));
        assertThat(refused.json().get("details").values())
                .extracting(fault -> Answer.at(fault, "path"))
                .containsExactlyInAnyOrder("maxConcurrentStarts", "releaseConditions.duration.seconds");
    }

    private static String printer(Client client) {
        Answer registered = client.with("content-type", "application/json")
                .send("PUT", "/v1/printers", Client.utf8("""
                        [{"name": "K1", "nozzleDiameter": "0.4", "deviceId": "%s"}]""".formatted(Id.next())));
        return String.valueOf(registered.at("[0].id"));
    }

    private String of(String... printers) {
        return body().replaceFirst("\\{", "{\"printerIds\":[\"" + String.join("\",\"", printers) + "\"],");
    }

    @Test
    default void groupAndPrintersReferToEachOther() {
        Client client = owner();
        String one = printer(client);
        String two = printer(client);
        Answer made = client.post(path(), of(one));
        assertThat(made.at("printerIds")).hasToString("[" + one + "]");
        String group = String.valueOf(made.at("id"));
        assertThat(client.get("/v1/printers/" + one).at("throttleGroupId")).isEqualTo(group);
        client.patch("/v1/printers/" + two, "{\"throttleGroupId\":\"" + group + "\"}");
        assertThat(client.get(path() + "/" + group).at("printerIds")).hasToString("[" + one + ", " + two + "]");
        assertThat(client.get(path() + "?printerIds.contains=" + two).each("id"))
                .containsExactly(group);
        String other = client.made(path(), of(two));
        assertThat(client.get(path() + "/" + group).at("printerIds")).hasToString("[" + one + "]");
        assertThat(client.patch(path() + "/" + other, "{\"printerIds\":[\"" + one + "\"]}")
                        .at("printerIds"))
                .hasToString("[" + one + "]");
        assertThat(client.get("/v1/printers/" + two).at("throttleGroupId")).isNull();
        assertThat(client.patch(path() + "/" + other, "{\"name\":\"same\"}").at("printerIds"))
                .hasToString("[" + one + "]");
        assertThat(client.patch(path() + "/" + other, "{\"printerIds\":null}").at("printerIds"))
                .hasToString("[]");
    }

    @Test
    default void concurrentGroupChangesAreSerialized() {
        Client client = owner();
        List<String> printers =
                IntStream.range(0, 4).mapToObj(_ -> printer(client)).toList();
        List<String> groups =
                IntStream.range(0, 3).mapToObj(_ -> client.made(path(), body())).toList();
        List<Answer> answers = IntStream.range(0, 24)
                .parallel()
                .mapToObj(i -> {
                    List<String> order = new ArrayList<>(printers);
                    Collections.rotate(order, i);
                    return client.patch(
                            path() + "/" + groups.get(i % 3),
                            "{\"printerIds\":[\"" + String.join("\",\"", order) + "\"]}");
                })
                .toList();
        assertThat(answers).extracting(Answer::status).containsOnly(200);
    }

    @Test
    default void groupRejectsPrintersOfAnotherStore() {
        Client client = owner();
        String theirs = printer(owner());
        Answer refused = client.post(path(), of(printer(client), theirs));
        assertThat(refused.at("details[0].path")).isEqualTo("printerIds[1]");
        assertThat(client.get(path()).text()).isEqualTo("[]");
    }

    @Test
    default void deletedGroupReleasesItsPrinters() {
        Client client = owner();
        String printer = printer(client);
        String group = client.made(path(), of(printer));
        String before = String.valueOf(client.get("/v1/printers/" + printer).at("updatedAt"));
        assertThat(client.delete(path() + "/" + group).at("[0]")).isEqualTo(group);
        Answer after = client.get("/v1/printers/" + printer);
        assertThat(after.at("throttleGroupId")).isNull();
        assertThat(String.valueOf(after.at("updatedAt")))
                .as("polling for changes shows it")
                .isGreaterThan(before);
    }

    @Test
    default void readPermissionOfPrintersReadsGroupsOnly() {
        Client client = owner();
        String id = client.made(path(), body());
        Client viewer = client.permitted("printer.view");
        assertThat(viewer.get(path() + "/" + id).status()).isEqualTo(200);
        assertThat(viewer.post(path(), body()).at("details[0].path")).isEqualTo("printer.edit");
        assertThat(viewer.delete(path() + "/" + id).status()).isEqualTo(403);
    }
}
