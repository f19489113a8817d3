package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.SharedApi;
import io.micronaut.json.tree.JsonNode;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests imports of printers, spools, SKUs and orders from CSV. */
public interface ImportContract {
    Host host();

    private Client owner() {
        return Client.of(host(), SharedApi.newStore().key());
    }

    private static Answer send(Client client, String target, String csv) {
        return client.with("content-type", "text/csv").send("POST", target, Client.utf8(csv));
    }

    private static List<String> faults(Client client, String target, String csv) {
        Answer answer = send(client, target, csv);
        assertThat(answer.status()).as(answer.text()).isEqualTo(400);
        return list(answer, "details").stream()
                .map(fault -> fault.get("message").getStringValue())
                .toList();
    }

    private static List<JsonNode> list(Answer answer, String field) {
        return StreamSupport.stream(answer.json().get(field).values().spliterator(), false)
                .toList();
    }

    @Test
    default void printersAreRegisteredWithTheirMetadata() {
        Client client = owner();
        Answer imported = send(client, "/v1/printers/import", """
                name,nozzleDiameter,tags,enabled,metadata.provider,metadata.extruder_count,metadata.nozzle_diameter,metadata.server_port,metadata.host,metadata.api_key
                "Shelf 1, left",0.4,"petg, front row",TRUE,firmwareK,1,0.4,7125,10.0.0.7,secret
                Shelf 2,0.6,,false,firmwareK,1,0.6,7125,10.0.0.8,
                """);
        assertThat(imported.status()).as(imported.text()).isEqualTo(200);
        assertThat(imported.at("count")).isEqualTo(2);
        Answer printers = client.get("/v1/printers?sort=name");
        assertThat(printers.each("name")).containsExactly("Shelf 1, left", "Shelf 2");
        assertThat(printers.each("id"))
                .containsExactlyInAnyOrderElementsOf(list(imported, "ids").stream()
                        .map(JsonNode::getStringValue)
                        .toList());
        assertThat(printers.each("enabled")).containsExactly("true", "false");
        assertThat(printers.text()).contains("\"petg\",\"front row\"", "10.0.0.8");
    }

    @Test
    default void numbersMayHaveADecimalCommaWhereSemicolonsSeparateCells() {
        Client client = owner();
        Answer imported = send(client, "/v1/printers/import", """
                name;nozzleDiameter;hourlyRate
                Shelf 1;0,4;1,5
                """);
        assertThat(imported.status()).as(imported.text()).isEqualTo(200);
        Answer printers = client.get("/v1/printers");
        assertThat(printers.each("nozzleDiameter")).containsExactly("0.4");
        assertThat(printers.each("hourlyRate")).containsExactly("1.5");
    }

    @Test
    default void dryRunNamesEveryFaultyCellAndStoresNothing() {
        Client client = owner();
        String header = "name,nozzleDiameter,hourlyRate,metadata.provider,metadata.extruder_count,"
                + "metadata.nozzle_diameter,metadata.server_port\n";
        assertThat(faults(client, "/v1/printers/import?dryRun=true", header + """
                Ada 1,0.4,-1,firmwareK,1,0.4,7125
                ,0.4,cheap,firmwareK,one,0.4,99999
                """))
                .anySatisfy(fault -> assertThat(fault).startsWith("line 2, column hourlyRate"))
                .anySatisfy(fault -> assertThat(fault).startsWith("line 3, column name"))
                .anySatisfy(fault -> assertThat(fault).startsWith("line 3, column hourlyRate"))
                .anySatisfy(fault -> assertThat(fault).startsWith("line 3, column metadata.extruder_count"));
        assertThat(send(client, "/v1/printers/import?dryRun=true", header + "Ada 1,0.4,1,firmwareK,1,0.4,7125\n")
                        .text())
                .isEqualTo("{\"dryRun\":true,\"count\":1,\"ids\":[]}");
        assertThat(client.get("/v1/printers").each("id")).isEmpty();
    }

    @Test
    default void exportedSpoolsAreImportedAgain() {
        Client client = owner();
        assertThat(send(client, "/v1/materials/instances/import", """
                name;materialType;initialGrams;remainingGrams;identifier
                Blue 7;PETG;1000;640,5;-a
                "Red ""8\""";PLA;1000;12;=1+1
                """).status()).isEqualTo(200);
        Answer exported = client.with("accept", "text/csv").get("/v1/materials/instances?sort=name");
        Client elsewhere = owner();
        Answer imported = send(elsewhere, "/v1/materials/instances/import", exported.text());
        assertThat(imported.status()).as(imported.text()).isEqualTo(200);
        Answer spools = elsewhere.get("/v1/materials/instances?sort=name");
        assertThat(spools.each("name")).containsExactly("Blue 7", "Red \"8\"");
        assertThat(spools.each("remainingGrams")).containsExactly("640.5", "12");
        assertThat(spools.each("identifier")).containsExactly("-a", "=1+1");
    }

    @Test
    default void spoolWithoutAMaterialIsNamedByItsLine() {
        Client client = owner();
        assertThat(faults(client, "/v1/materials/instances/import", """
                name,materialType,variantId
                Blue,PETG,

                Red,,
                Green,,abcdefghijklmnopqrstuvwx
                """))
                .containsExactlyInAnyOrder(
                        "line 4, column materialType: one of variantId, materialId and materialType is required",
                        "line 5, column variantId: there is no variant abcdefghijklmnopqrstuvwx");
    }

    @Test
    default void skusAreCreatedTogether() {
        Client client = owner();
        StringBuilder csv = new StringBuilder("sku,title\r\n");
        for (int i = 0; i < 1000; i++) {
            csv.append("SKU-%d,\"Lamp\nno. %d\"\r\n".formatted(i, i));
        }
        Answer imported = send(client, "/v1/skus/import", csv.toString());
        assertThat(imported.at("count")).isEqualTo(1000);
        assertThat(client.get("/v1/skus?sku=SKU-999").each("title")).containsExactly("Lamp\nno. 999");
    }

    @Test
    default void linesOfOneOrderAreItsItems() {
        Client client = owner();
        String csv = """
                order.externalId,order.orderNumber,order.deadline,customer.email,item.externalSku,item.quantity,item.inputs.engraving
                a-1,1041,2026-12-24T12:00:00Z,ada@example.com,LAMP-1,2,Ada
                a-1,1041,,,LAMP-2,1,
                a-2,1042,,bob@example.com,LAMP-1,1,
                """;
        assertThat(send(client, "/v1/orders/import", csv).at("count")).isEqualTo(2);
        assertThat(send(client, "/v1/orders/import", csv).at("count")).isEqualTo(2);
        Answer orders = client.get("/v1/orders/full?sort=orderNumber");
        assertThat(orders.each("orderNumber")).containsExactly("1041", "1042");
        assertThat(orders.each("items"))
                .satisfiesExactly(
                        items -> assertThat(items).contains("LAMP-1", "LAMP-2", "engraving=Ada"),
                        items -> assertThat(items).contains("LAMP-1").doesNotContain("LAMP-2"));
        assertThat(faults(client, "/v1/orders/import", """
                order.externalId,item.externalSku,item.quantity
                a-3,LAMP-1,1
                a-3,LAMP-2,0
                """))
                .singleElement()
                .asString()
                .startsWith("line 3, column item.quantity");
        assertThat(client.get("/v1/orders").each("id")).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''                        | the body must be CSV
            'name'                    | the body must be CSV
            'name,colour\nA,red'      | line 1, column colour: there is no field of this name
            'title,title\nA,B'        | line 1, column title occurs twice
            'name\nA,B'               | line 2 has 2 cells
            'name\n"A'                | line 2: a quotation mark is opened
            """)
    default void fileThatIsNotATableIsRejected(String csv, String message) {
        Client client = owner();
        assertThat(faults(client, "/v1/skus/import", csv.replace("\\n", "\n")))
                .anySatisfy(fault -> assertThat(fault).startsWith(message));
    }

    @Test
    default void keyNeedsThePermissionToCreate() {
        Client client = owner();
        assertThat(send(client.permitted("sku.view"), "/v1/skus/import", "sku,title\nA,B")
                        .status())
                .isEqualTo(403);
    }
}
