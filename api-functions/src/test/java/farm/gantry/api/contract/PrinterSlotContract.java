package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import farm.gantry.api.database.Database;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.material.FilamentRows;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests the assignment of filament to printers' slots. */
public interface PrinterSlotContract {
    Host host();

    private Client owner() {
        return Client.of(host(), SharedApi.newStore().key());
    }

    private static String printer(Client client) {
        Answer made = client.with("content-type", "application/json")
                .send("PUT", "/v1/printers", Client.utf8("""
                        [{"name": "P", "nozzleDiameter": "0.4", "commMethod": "fuse", "deviceId": "%s", "enabled": true,
                          "integrationId": null, "integrationType": null, "provider": "vendorB", "metadata": null}]
                        """.formatted(Id.next())));
        assertThat(made.status()).as(made.text()).isEqualTo(200);
        return String.valueOf(made.at("[0].id"));
    }

    private static Answer assign(Client client, String printers, String content) {
        return assign(client, printers, "{\"amsIndex\":0,\"slotIndex\":0},{\"amsIndex\":1,\"slotIndex\":2}", content);
    }

    private static Answer load(Client client, String printer, String spool) {
        return assign(client, printer, "{\"amsIndex\":0,\"slotIndex\":0}", ",\"instanceId\":\"" + spool + "\"");
    }

    private static Answer assign(Client client, String printers, String slots, String content) {
        return client.patch(
                "/v1/printer-slots/assign",
                "{\"printerIds\":[" + printers + "],\"slots\":[" + slots + "]" + content + "}");
    }

    @Test
    default void variantSetsMaterialAndType() {
        Client client = owner();
        String printer = printer(client);
        String material =
                client.made("/v1/materials", "{\"name\":\"PLA\",\"brand\":\"b\",\"type\":\"PLA\",\"tags\":[]}");
        String variant =
                client.made("/v1/materials/variants", "{\"name\":\"red\",\"materialId\":\"" + material + "\"}");
        Answer assigned = assign(client, "\"" + printer + "\"", ",\"variantId\":\"" + variant + "\"");
        assertThat(assigned.status()).as(assigned.text()).isEqualTo(200);
        assertThat(assigned.each("slot")).containsExactlyInAnyOrder("A1", "B3");
        assertThat(assigned.at("[0].materialId")).isEqualTo(material);
        assertThat(assigned.at("[0].materialType")).isEqualTo("PLA");
        assertThat(client.get("/v1/printers/" + printer + "?include=slots.variant")
                        .at("slots[0].variant.name"))
                .isEqualTo("red");
        assertThat(client.get("/v1/printer-slots?variantId=" + variant).each("id"))
                .hasSize(2);
    }

    @Test
    default void assignmentReplacesThePreviousAndNullEmptiesTheSlot() {
        Client client = owner();
        String printer = "\"" + printer(client) + "\"";
        assign(client, printer, ",\"materialType\":\"ABS\"");
        Answer again = assign(client, printer, ",\"materialType\":\"PETG\"");
        assertThat(again.each("materialType")).containsExactly("PETG", "PETG");
        assertThat(client.get("/v1/printer-slots").json().size()).isEqualTo(2);
        assertThat(assign(client, printer, "").each("materialType")).containsExactly("null", "null");
    }

    @Test
    default void slotShowsTheCurrentNamesOfItsMaterial() {
        Client client = owner();
        String printer = "\"" + printer(client) + "\"";
        String material = client.made("/v1/materials", "{\"name\":\"M\",\"brand\":\"b\",\"type\":\"PLA\",\"tags\":[]}");
        String other = client.made("/v1/materials", "{\"name\":\"N\",\"brand\":\"b\",\"type\":\"ABS\",\"tags\":[]}");
        String variant =
                client.made("/v1/materials/variants", "{\"name\":\"red\",\"materialId\":\"" + material + "\"}");
        String spool = client.made("/v1/materials/instances", "{\"variantId\":\"" + variant + "\"}");
        load(client, printer, spool);

        client.patch("/v1/materials/" + material, "{\"type\":\"PETG\"}");
        assertThat(client.get("/v1/printer-slots").each("materialType")).containsExactly("PETG");
        assertThat(client.get("/v1/materials/instances/" + spool).at("materialType"))
                .isEqualTo("PETG");

        client.patch("/v1/materials/variants/" + variant, "{\"materialId\":\"" + other + "\"}");
        assertThat(client.get("/v1/printer-slots").each("materialId")).containsExactly(other);
        assertThat(client.get("/v1/printer-slots").each("materialType")).containsExactly("ABS");
        assertThat(client.get("/v1/materials/instances/" + spool).at("materialId"))
                .isEqualTo(other);

        client.patch(
                "/v1/materials/instances/" + spool,
                "{\"variantId\":null,\"materialId\":null,\"materialType\":\"TPU\"}");
        assertThat(client.get("/v1/printer-slots").each("materialType")).containsExactly("TPU");
        assertThat(client.get("/v1/printer-slots").each("variantId")).containsExactly("null");
    }

    @Test
    default void invalidAssignmentIsRejectedAsAWhole() {
        Client client = owner();
        String printer = "\"" + printer(client) + "\"";
        assertThat(assign(client, printer, ",\"variantId\":\"" + SharedApi.unknownId() + "\"")
                        .at("details[0].path"))
                .isEqualTo("variantId");
        assertThat(BuildContract.paths(assign(
                        client, printer, ",\"setOnPrinter\":true,\"variantId\":\"" + SharedApi.unknownId() + "\"")))
                .containsExactly("variantId", "setOnPrinter");
        assertThat(BuildContract.paths(assign(client, "7", ",\"materialType\":\"A\",\"materialId\":\"x\"")))
                .containsExactly("printerIds[0]", "");
        assertThat(assign(client, printer, ",\"materialType\":\"A\",\"materialId\":\"" + SharedApi.unknownId() + "\"")
                        .status())
                .isEqualTo(400);
        String unknown = SharedApi.unknownId();
        Answer missing = assign(client, printer + ",\"" + unknown + "\"", ",\"materialType\":\"PLA\"");
        assertThat(missing.status()).isEqualTo(404);
        assertThat(missing.at("missing[0]")).isEqualTo(unknown);
        assertThat(assign(client, printer, ",\"materialType\":\"PLA\",\"setOnPrinter\":true")
                        .at("details[0].path"))
                .as("the provider is unknown")
                .isEqualTo("setOnPrinter");
        assertThat(client.get("/v1/printer-slots").text()).isEqualTo("[]");
    }

    @Test
    default void assignedSpoolLeavesItsFormerSlot() {
        Client client = owner();
        String first = printer(client);
        String spool = client.made("/v1/materials/instances", "{\"materialType\":\"PLA\"}");
        load(client, "\"" + first + "\"", spool);
        String second = printer(client);
        load(client, "\"" + second + "\"", spool);
        assertThat(client.get("/v1/printer-slots?instanceId=" + spool).each("printerId"))
                .containsExactly(second);
        assertThat(client.get("/v1/printer-slots?printerId=" + first).each("materialType"))
                .containsExactly("null");
    }

    @Test
    default void spoolIsRejectedInSeveralSlots() {
        Client client = owner();
        String first = "\"" + printer(client) + "\"";
        String spool = client.made("/v1/materials/instances", "{\"materialType\":\"PLA\"}");
        String content = ",\"instanceId\":\"" + spool + "\"";
        assertThat(assign(client, first, content).at("details[0].path")).isEqualTo("instanceId");
        assertThat(load(client, first + ",\"" + printer(client) + "\"", spool).at("details[0].path"))
                .isEqualTo("instanceId");
        assertThat(client.get("/v1/printer-slots").text()).isEqualTo("[]");
        assertThat(load(client, first + "," + first, spool).status()).isEqualTo(200);
    }

    @Test
    default void spoolRenamedConcurrentlyIsAssignedWithItsNewName() throws Exception {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String printer = "\"" + printer(client) + "\"";
        String spool = client.made("/v1/materials/instances", "{\"materialType\":\"PLA\"}");
        Answer assigned = afterA(
                store,
                "update farm.\"materialInstance\" set \"materialType\" = 'ABS' where \"storeId\" = ? and id = ?",
                spool,
                () -> load(client, printer, spool));
        assertThat(assigned.each("materialType")).containsExactly("ABS");
    }

    @Test
    default void spoolCreatedDuringARenameHasTheNewName() throws Exception {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String material = client.made("/v1/materials", "{\"name\":\"M\",\"brand\":\"b\",\"type\":\"PLA\",\"tags\":[]}");
        Answer made = afterA(
                store,
                "update farm.material set type = 'ABS' where \"storeId\" = ? and id = ?",
                material,
                () -> client.post("/v1/materials/instances", "{\"materialId\":\"" + material + "\"}"));
        assertThat(made.at("materialType")).isEqualTo("ABS");
        String spool = client.made("/v1/materials/instances", "{\"materialType\":\"PLA\"}");
        Answer changed = afterA(
                store,
                "update farm.material set type = 'TPU' where \"storeId\" = ? and id = ?",
                material,
                () -> client.patch("/v1/materials/instances/" + spool, "{\"materialId\":\"" + material + "\"}"));
        assertThat(changed.at("materialType")).isEqualTo("TPU");
    }

    @Test
    default void renamedMaterialDoesNotChangeASlotReassignedMeanwhile() throws Exception {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String material = client.made("/v1/materials", "{\"name\":\"M\",\"brand\":\"b\",\"type\":\"PLA\",\"tags\":[]}");
        assign(client, "\"" + printer(client) + "\"", ",\"materialId\":\"" + material + "\"");
        Answer renamed = afterA(
                store,
                "update farm.\"printerSlot\" set \"materialId\" = null, \"materialType\" = 'ABS'"
                        + " where \"storeId\" = ? and \"materialId\" = ?",
                material,
                () -> client.patch("/v1/materials/" + material, "{\"type\":\"PETG\"}"));
        assertThat(renamed.at("type")).isEqualTo("PETG");
        assertThat(client.get("/v1/printer-slots").each("materialType")).containsExactly("ABS", "ABS");
        assertThat(client.get("/v1/printer-slots").each("materialId")).containsExactly("null", "null");
    }

    /** Returns the response to a request that waits for a concurrent change of a material. */
    private static Answer afterA(SharedApi.Store store, String change, String id, Supplier<Answer> waiting)
            throws Exception {
        CompletableFuture<Answer> answer = SharedApi.bean(Database.class).in(store.id(), tx -> {
            SharedApi.bean(FilamentRows.class).lock(tx);
            tx.update(change, store.id().value(), id);
            CompletableFuture<Answer> begun = CompletableFuture.supplyAsync(waiting);
            SharedApi.awaitBlocked(tx);
            return begun;
        });
        return answer.get(5, TimeUnit.MINUTES);
    }

    @Test
    default void printerGetsOneCommandPerSlot() {
        SharedApi.Store store = SharedApi.newStore();
        FakeAgent agent = new FakeAgent(store, host());
        Client client = agent.client();
        String metadata = """
                "provider": "vendorA", "dev_access_code": "1", "dev_id": "2", "dev_model_name": "C12",
                "dev_product_name": "P1S", "name": "b", "nozzle_diameter": 0.4, "online": true, "print_status": "IDLE\"""";
        String known = agent.unseenPrinter("known", metadata, "");
        String other = agent.unseenPrinter("new", metadata, "");
        assign(client, "\"" + known + "\"", ",\"materialType\":\"PLA\"");
        Answer assigned = assign(
                client,
                "\"" + known + "\",\"" + other + "\"",
                "{\"amsIndex\":0,\"slotIndex\":0},{\"amsIndex\":1,\"slotIndex\":3},{\"amsIndex\":0,\"slotIndex\":0}",
                ",\"materialType\":\"PETG\",\"setOnPrinter\":true");
        assertThat(assigned.status()).as(assigned.text()).isEqualTo(200);
        assertThat(assigned.json().size()).isEqualTo(4);
        assertThat(client.get("/v1/printer-slots?materialType=PETG").each("slot"))
                .containsExactlyInAnyOrder("A1", "B4", "A1", "B4");
        assertThat(client.get("/v1/printer-slots?printerId=" + known + "&slot=B4")
                        .at("[0].expectedData"))
                .isEqualTo(Map.of("amsId", 1, "slotId", 3, "materialType", "PETG"));
        Answer commands = agent.exchange();
        List<String> devices = IntStream.range(0, ((List<?>) Objects.requireNonNull(commands.at("commands"))).size())
                .mapToObj(i -> "commands[" + i + "].")
                .map(command -> commands.at(command + "deviceId") + " " + commands.at(command + "action.command") + " "
                        + commands.at(command + "action.arguments.info.amsId")
                        + commands.at(command + "action.arguments.info.slotId"))
                .toList();
        assertThat(devices)
                .containsExactlyInAnyOrder(
                        agent.deviceOf(known) + " set-slot-info 00",
                        agent.deviceOf(known) + " set-slot-info 13",
                        agent.deviceOf(other) + " set-slot-info 00",
                        agent.deviceOf(other) + " set-slot-info 13");
    }
}
