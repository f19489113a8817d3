package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.SharedApi;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests printers: atomic registration, hidden secrets, and bed confirmation by people. */
public interface PrinterContract {
    Host host();

    private static String printer(String deviceId) {
        return """
                {"name": "K1", "nozzleDiameter": "0.4", "commMethod": "fuse", "deviceId": "%s", "enabled": true,
                 "integrationId": null, "integrationType": null,
                 "metadata": {"provider": "firmwareK", "extruder_count": 1, "nozzle_diameter": 0.4,
                              "server_port": 7125, "api_key": "sesame"}}""".formatted(deviceId);
    }

    private Client owner() {
        return Client.of(host(), SharedApi.newStore().key());
    }

    private static Answer register(Client client, String... deviceIds) {
        String[] bodies = new String[deviceIds.length];
        for (int i = 0; i < deviceIds.length; i++) {
            bodies[i] = printer(deviceIds[i]);
        }
        return client.with("content-type", "application/json")
                .send("PUT", "/v1/printers", Client.utf8("[" + String.join(",", bodies) + "]"));
    }

    private static String id(Answer registered) {
        assertThat(registered.status()).as(registered.text()).isEqualTo(200);
        return String.valueOf(registered.at("[0].id"));
    }

    @Test
    default void registeredPrintersAreOfflineAtFirst() {
        Answer registered = register(owner(), Id.next(), Id.next());
        assertThat(registered.status()).isEqualTo(200);
        assertThat(registered.json().size()).isEqualTo(2);
        assertThat(registered.at("[1].provider")).isEqualTo("firmwareK");
        assertThat(registered.at("[1].isOnline")).isEqualTo(false);
        assertThat(registered.at("[1].isAvailable")).isEqualTo(false);
        assertThat(registered.at("[1].confirmedReady")).isEqualTo(false);
    }

    @Test
    default void deviceOfAnyStoreRejectsTheRequestAndIsNamed() {
        String taken = Id.next();
        register(owner(), taken);
        Client other = owner();
        Answer refused = register(other, Id.next(), taken);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.at("error")).isEqualTo("conflict");
        assertThat(refused.at("conflicts[0]")).isEqualTo(taken);
        assertThat(refused.at("message")).isEqualTo("nothing was changed: some devices are already registered");
        assertThat(other.get("/v1/printers").text()).isEqualTo("[]");
    }

    @Test
    default void duplicateDeviceInABodyIsAConflict() {
        String twice = Id.next();
        Client client = owner();
        assertThat(register(client, twice, twice).status()).isEqualTo(409);
        assertThat(register(client, twice).status()).isEqualTo(200);
    }

    @Test
    default void blankDeviceIdIsRejected() {
        Client client = owner();
        for (String blank : List.of("", "  ")) {
            Answer refused = register(client, blank, Id.next());
            assertThat(refused.status()).isEqualTo(400);
            assertThat(BuildContract.paths(refused)).containsExactly("[0].deviceId");
            assertThat(refused.at("details[0].message")).isEqualTo("deviceId must not be blank");
        }
        String id = id(register(client, Id.next()));
        assertThat(BuildContract.paths(client.patch("/v1/printers/" + id, "{\"deviceId\":\"\"}")))
                .containsExactly("deviceId");
        assertThat(client.patch("/v1/printers/" + id, "{\"deviceId\":null}").status())
                .isEqualTo(200);
    }

    @Test
    default void deviceIsFreeAfterItsPrinterIsDeleted() {
        String device = Id.next();
        Client first = owner();
        String id = id(register(first, device));
        assertThat(first.delete("/v1/printers/" + id).at("[0]")).isEqualTo(id);
        assertThat(register(owner(), device).status()).isEqualTo(200);
    }

    @Test
    default void allErrorsOfAllPrintersAreReturned() {
        Answer refused = owner().with("content-type", "application/json").send("PUT", "/v1/printers", Client.utf8("""
                        [{"name": "", "nozzleDiameter": "0.4", "metadata": {"provider": "firmwareK"}},
                         {"name": "b", "nozzleDiameter": 4, "metadata": {"provider": "teapot"}},
                         {"name": "c", "nozzleDiameter": "0.4", "metadata": {"host": "10.0.0.9"}}]"""));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text())
                .contains("\"[0].name\"", "\"[0].metadata.extruder_count\"", "\"[0].metadata.server_port\"")
                .contains("\"[1].nozzleDiameter\"", "\"[1].metadata.provider\"")
                .contains("\"[2].metadata.dev_access_code\"");
        Answer change = owner().patch(
                        "/v1/printers/" + SharedApi.unknownId(),
                        "{\"name\":\"\",\"printerCapabilityPatch\":{\"nozzles\":1},\"metadata\":{\"provider\":\"teapot\"}}");
        assertThat(change.text()).contains("\"name\"", "\"metadata.provider\"", "\"printerCapabilityPatch.nozzles\"");
    }

    @Test
    default void providerIsRejectedWhenItContradictsTheMetadata() {
        Client client = owner();
        String klipper = """
                "metadata": {"provider": "firmwareK", "extruder_count": 1, "nozzle_diameter": 0.4, "server_port": 7125}""";
        String sdcp = """
                "metadata": {"provider": "sdcp", "nozzle_diameter": 0.4}""";
        String insert = """
                [{"name": "a", "nozzleDiameter": "0.4", "commMethod": "fuse", "deviceId": "%s", "enabled": true,
                  "integrationId": null, "integrationType": null, "provider": "%s", %s}]""";
        Client typed = client.with("content-type", "application/json");
        Answer refused =
                typed.send("PUT", "/v1/printers", Client.utf8(insert.formatted(Id.next(), "vendorB", klipper)));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.at("details[0].path")).isEqualTo("[0].provider");
        Answer made = typed.send("PUT", "/v1/printers", Client.utf8(insert.formatted(Id.next(), "firmwareK", klipper)));
        String path = "/v1/printers/" + made.at("[0].id");
        for (String change : List.of("{\"provider\": \"vendorB\"}", "{" + sdcp + "}")) {
            Answer contradiction = client.patch(path, change);
            assertThat(contradiction.status()).as(change).isEqualTo(400);
            assertThat(contradiction.at("details[0].path")).as(change).isEqualTo("provider");
        }
        assertThat(client.patch(path, "{\"provider\": \"sdcp\", " + sdcp + "}").at("metadata.provider"))
                .isEqualTo("sdcp");
    }

    @Test
    default void secretsNeedThePermissionToConfigurePrinters() {
        Client owner = owner();
        String id = id(register(owner, Id.next()));
        assertThat(owner.get("/v1/printers/" + id).at("metadata.api_key")).isEqualTo("sesame");
        Client viewer = owner.permitted("printer.view");
        assertThat(viewer.get("/v1/printers/" + id).at("metadata.api_key")).isEqualTo("********");
        assertThat(viewer.get("/v1/printers").text()).contains("********").doesNotContain("sesame");
        assertThat(owner.get("/v1/printers?metadata.api_key=sesame").status()).isEqualTo(400);
    }

    @Test
    default void maskedSecretSentBackKeepsTheStoredOne() {
        Client owner = owner();
        String id = id(register(owner, Id.next()));
        String metadata = "{\"provider\":\"firmwareK\",\"extruder_count\":2,\"nozzle_diameter\":0.4,"
                + "\"server_port\":7125,\"api_key\":\"%s\"}";
        Client editor = owner.permitted("printer.view", "printer.edit");
        editor.patch("/v1/printers/" + id, "{\"metadata\":" + metadata.formatted("********") + "}");
        assertThat(owner.get("/v1/printers/" + id).at("metadata.api_key")).isEqualTo("sesame");
        assertThat(owner.get("/v1/printers/" + id).at("metadata.extruder_count"))
                .hasToString("2");
        editor.patch("/v1/printers/" + id, "{\"metadata\":" + metadata.formatted("open") + "}");
        assertThat(owner.get("/v1/printers/" + id).at("metadata.api_key")).isEqualTo("open");
    }

    @Test
    default void maskIsRejectedAsANewSecret() {
        Client owner = owner();
        Answer refused = owner.with("content-type", "application/json")
                .send("PUT", "/v1/printers", Client.utf8("""
                        [{"name": "", "nozzleDiameter": "0.4", "throttleGroupId": "%s", "metadata": {
                          "provider": "firmwareK", "extruder_count": 1, "nozzle_diameter": 0.4, "server_port": 7125,
                          "host": "10.0.0.7", "api_key": "********"}}]""".formatted(SharedApi.unknownId())));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.at("details[0].path")).isEqualTo("[0].metadata.api_key");
        assertThat(refused.at("details[1].path")).as("other errors").isEqualTo("[0].name");
        Answer unknown = owner.with("content-type", "application/json")
                .send("PUT", "/v1/printers", Client.utf8("""
                        [{"name": "a", "nozzleDiameter": "0.4", "throttleGroupId": "%s", "metadata": {
                          "provider": "firmwareK", "extruder_count": 1, "nozzle_diameter": 0.4, "server_port": 7125,
                          "host": "10.0.0.7"}}]""".formatted(SharedApi.unknownId())));
        assertThat(unknown.at("details[0].path")).as(unknown.text()).isEqualTo("[0].throttleGroupId");
    }

    @Test
    default void hostIsRejectedUnlessItIsAHostNameOrAddress() {
        Client owner = owner();
        String id = id(register(owner, Id.next()));
        String metadata = "{\"metadata\":{\"provider\":\"firmwareK\",\"extruder_count\":1,\"nozzle_diameter\":0.4,"
                + "\"server_port\":7125,\"%s\":\"%s\"}}";
        for (String host : List.of("10.0.0.7", "2001:db8::7", "k1.local", "octopi", "my-printer_2.farm.example.", "")) {
            assertThat(owner.patch("/v1/printers/" + id, metadata.formatted("host", host))
                            .status())
                    .as(host)
                    .isEqualTo(200);
        }
        for (String host : List.of(
                "127.0.0.1:22/../",
                "http://10.0.0.7",
                "a b",
                "10.0.0.7/8",
                "user@host",
                "127.1",
                "2130706433",
                "0x7f000001",
                "a.0x7f",
                "-a",
                "a..b",
                "x".repeat(64),
                "169.254.169.254",
                "::ffff:169.254.169.254",
                "fe80::1",
                "fd00:ec2::254")) {
            Answer refused = owner.patch("/v1/printers/" + id, metadata.formatted("host", host));
            assertThat(refused.at("details[0].path")).as(host).isEqualTo("metadata.host");
        }
        assertThat(owner.patch("/v1/printers/" + id, metadata.formatted("server_host", "a/b"))
                        .at("details[0].message"))
                .isEqualTo("metadata.server_host must be a host name or an IP address, without a port, a path or a"
                        + " scheme");
    }

    @Test
    default void hostIsNotChangedByAnEditorWhoCannotReadTheSecret() {
        Client owner = owner();
        String id = id(register(owner, Id.next()));
        Client editor = owner.permitted("printer.view", "printer.edit");
        String metadata = "\"provider\":\"firmwareK\",\"extruder_count\":1,\"nozzle_diameter\":0.4,\"api_key\":\"%s\",";
        for (String body : new String[] {
            "{\"metadata\":{" + metadata + "\"server_port\":7125,\"host\":\"203.0.113.9\"}}",
            "{\"metadata\":{" + metadata + "\"server_port\":7125,\"server_host\":\"203.0.113.9\"}}",
            "{\"metadata\":{" + metadata + "\"server_port\":7126}}",
            "{\"metadata\":{" + metadata + "\"server_port\":7125,\"port\":80}}",
            "{\"provider\":\"vendorB\",\"metadata\":{\"provider\":\"vendorB\",\"api_key\":\"%s\",\"host\":\"203.0.113.9\",\"port\":80}}",
            "{\"deviceId\":\"" + Id.next() + "\",\"metadata\":{" + metadata + "\"server_port\":7125}}",
        }) {
            Answer refused = editor.patch("/v1/printers/" + id, body.formatted("********"));
            assertThat(refused.status()).as(body).isEqualTo(400);
            assertThat(refused.at("details[0].path")).isEqualTo("metadata.api_key");
            Answer ofMany = editor.patch(
                    "/v1/printers", "{\"ids\":[\"" + id + "\"],\"update\":" + body.formatted("********") + "}");
            assertThat(ofMany.status()).as(body).isEqualTo(400);
            assertThat(ofMany.at("details[0].path")).isEqualTo("update.metadata.api_key");
            assertThat(owner.patch("/v1/printers/" + id, body.formatted("********"))
                            .status())
                    .as("may read it: %s", body)
                    .isEqualTo(200);
            owner.delete("/v1/printers/" + id);
            id = id(register(owner, Id.next()));
            assertThat(editor.patch("/v1/printers/" + id, body.formatted("mine"))
                            .status())
                    .as("knows it: %s", body)
                    .isEqualTo(200);
            owner.delete("/v1/printers/" + id);
            id = id(register(owner, Id.next()));
        }
    }

    @Test
    default void agentIsNotChangedByAnEditorWhoCannotReadTheSecret() {
        Client owner = owner();
        String id = id(register(owner, Id.next()));
        String code =
                String.valueOf(owner.post("/v1/agents/pairing-codes", "{}").at("code"));
        Answer agent = owner.post(
                "/v1/agents/pair",
                "{\"code\":\"" + code + "\",\"name\":\"shelf\",\"version\":\"0.1\",\"platform\":\"linux\"}");
        String moved = "{\"proxyClientId\":\"" + agent.at("agentId") + "\"}";
        Client editor = owner.permitted("printer.view", "printer.edit", "agent.manage");
        Answer refused = editor.patch("/v1/printers/" + id, moved);
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.at("details[0].message")).asString().contains("proxyClientId", "printer.config");
        assertThat(owner.patch("/v1/printers/" + id, moved).status()).isEqualTo(200);
    }

    @Test
    default void enablingAPrinterNeedsThePermissionToControlIt() {
        Client owner = owner();
        String path = "/v1/printers/" + id(register(owner, Id.next()));
        Client editor = owner.permitted("printer.view", "printer.edit");
        assertThat(editor.patch(path, "{\"name\":\"left\",\"enabled\":true}").status())
                .isEqualTo(200);
        Answer refused = editor.patch(path, "{\"name\":\"right\",\"enabled\":false}");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.at("details[0].path")).isEqualTo("printer.control");
        assertThat(owner.get(path).at("name")).isEqualTo("left");
        assertThat(owner.patch(path, "{\"enabled\":false}").at("enabled")).isEqualTo(false);
    }

    @Test
    default void changingProfilesNeedsThePermissionToConfigurePrinters() {
        Client owner = owner();
        String path = "/v1/printers/" + id(register(owner, Id.next()));
        Client editor = owner.permitted("printer.view", "printer.edit");
        String profile = owner.made(
                "/v1/profiles",
                "{\"name\":\"fine\",\"type\":\"process\",\"source\":\"manual\",\"data\":{},\"metadata\":{},"
                        + "\"inherits\":\"\",\"compatibilityList\":\"\"}");
        String choice = "{\"name\":\"right\",\"processUserProfileId\":\"" + profile + "\"}";
        Answer refused = editor.patch(path, choice);
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.at("details[0].path")).isEqualTo("printer.config");
        assertThat(owner.get(path).at("processUserProfileId")).isNull();
        assertThat(owner.patch(path, choice).status()).isEqualTo(200);
        assertThat(editor.patch(path, choice).status()).as("nothing changes").isEqualTo(200);
    }

    @Test
    default void readinessIsConfirmedForAllOrNone() {
        Client client = owner();
        String id = id(register(client, Id.next()));
        String unknown = SharedApi.unknownId();
        Answer missing = client.patch(
                "/v1/printers/confirm-ready", "{\"ids\":[\"" + id + "\",\"" + unknown + "\"],\"ready\":true}");
        assertThat(missing.status()).isEqualTo(404);
        assertThat(missing.at("missing[0]")).isEqualTo(unknown);
        assertThat(client.get("/v1/printers/" + id).at("confirmedReady")).isEqualTo(false);
        Answer ready = client.patch("/v1/printers/confirm-ready", "{\"ids\":[\"" + id + "\"],\"ready\":true}");
        assertThat(ready.status()).isEqualTo(200);
        assertThat(ready.at("[0].confirmedReady")).isEqualTo(true);
    }

    @Test
    default void offlinePrinterWithoutAnAgentHasAReason() {
        Client client = owner();
        String id = id(register(client, Id.next()));
        Answer state = client.get("/v1/printers/" + id + "/state");
        assertThat(state.status()).isEqualTo(200);
        assertThat(state.at("connection")).isEqualTo("offline");
        assertThat(state.at("connectionReason")).asString().contains("proxyClientId");
        assertThat(client.get("/v1/printer-states?ids=" + id).at("[0].printerId"))
                .isEqualTo(id);
        assertThat(owner().get("/v1/printers/" + id + "/state").status()).isEqualTo(404);
    }
}
