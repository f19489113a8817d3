package farm.gantry.api;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import farm.gantry.api.store.Database;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What filament is in which place of a printer, as people say it. */
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
    default void aVariantBringsItsMaterialAndType() {
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
    default void anAssignmentReplacesTheOneBeforeAndNoneEmptiesThePlace() {
        Client client = owner();
        String printer = "\"" + printer(client) + "\"";
        assign(client, printer, ",\"materialType\":\"ABS\"");
        Answer again = assign(client, printer, ",\"materialType\":\"PETG\"");
        assertThat(again.each("materialType")).containsExactly("PETG", "PETG");
        assertThat(client.get("/v1/printer-slots").json().size()).isEqualTo(2);
        assertThat(assign(client, printer, "").each("materialType")).containsExactly("null", "null");
    }

    @Test
    default void aPlaceSaysWhatItsSpoolVariantAndMaterialAreCalledNow() {
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
    default void whatIsUnknownOrTooMuchIsRefusedWhole() {
        Client client = owner();
        String printer = "\"" + printer(client) + "\"";
        assertThat(assign(client, printer, ",\"variantId\":\"" + SharedApi.unknownId() + "\"")
                        .at("details[0].path"))
                .isEqualTo("variantId");
        assertThat(assign(client, printer, ",\"materialType\":\"A\",\"materialId\":\"" + SharedApi.unknownId() + "\"")
                        .status())
                .isEqualTo(400);
        String unknown = SharedApi.unknownId();
        Answer missing = assign(client, printer + ",\"" + unknown + "\"", ",\"materialType\":\"PLA\"");
        assertThat(missing.status()).isEqualTo(404);
        assertThat(missing.at("missing[0]")).isEqualTo(unknown);
        assertThat(assign(client, printer, ",\"materialType\":\"PLA\",\"setOnPrinter\":true")
                        .at("details[0].path"))
                .as("the make cannot be told")
                .isEqualTo("setOnPrinter");
        assertThat(client.get("/v1/printer-slots").text()).isEqualTo("[]");
    }

    @Test
    default void aSpoolIsNoLongerWhereItWas() {
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
    default void aSpoolIsNotPutIntoSeveralPlaces() {
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
    default void aSpoolThatIsCalledSomethingElseMeanwhileIsAssignedAsItIsCalledThen() throws Exception {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        String printer = "\"" + printer(client) + "\"";
        String spool = client.made("/v1/materials/instances", "{\"materialType\":\"PLA\"}");
        CompletableFuture<Answer> assigned = SharedApi.bean(Database.class).in(store.id(), tx -> {
            tx.update(
                    "update farm.\"materialInstance\" set \"materialType\" = 'ABS' where \"storeId\" = ? and id = ?",
                    store.id().value(),
                    spool);
            CompletableFuture<Answer> begun = CompletableFuture.supplyAsync(() -> load(client, printer, spool));
            SharedApi.awaitBlocked(tx);
            return begun;
        });
        assertThat(assigned.get(5, TimeUnit.MINUTES).each("materialType")).containsExactly("ABS");
    }
}
