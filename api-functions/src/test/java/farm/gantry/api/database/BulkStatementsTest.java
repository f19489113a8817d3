package farm.gantry.api.database;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests that a change of many records is one SQL statement. PostgreSQL stores with each row the number of the command
 * in the transaction that wrote it.
 */
public final class BulkStatementsTest {
    private final SharedApi.Store store = SharedApi.newStore();
    private final FakeAgent agent = new FakeAgent(store, new Socket());
    private final Client client = agent.client();

    private static String json(List<String> ids) {
        return "[\"" + String.join("\",\"", ids) + "\"]";
    }

    private void patch(String path, List<String> ids, String update) {
        change(path, "{\"ids\":" + json(ids) + ",\"update\":" + update + "}");
    }

    private void change(String path, String body) {
        Answer changed = client.patch(path, body);
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
    }

    private void assertWrittenAtOnce(String table, List<String> ids) {
        assertWrittenAtOnce(store, table, ids);
    }

    /** Asserts that a single statement wrote all these rows last. */
    public static void assertWrittenAtOnce(SharedApi.Store store, String table, List<String> ids) {
        List<String> commands = SharedApi.bean(Database.class)
                .in(
                        store.id(),
                        tx -> tx.query(
                                "select distinct xmin::text || '/' || cmin from farm.\"" + table
                                        + "\" where \"storeId\" = ? and id = any(?)",
                                rows -> {
                                    List<String> read = new ArrayList<>();
                                    while (rows.next()) {
                                        read.add(rows.getString(1));
                                    }
                                    return read;
                                },
                                store.id().value(),
                                ids.toArray(String[]::new)));
        assertThat(commands).as(table).hasSize(1);
    }

    private List<String> printers() {
        return Stream.of("one", "two", "three")
                .map(name -> agent.unseenPrinter(name, FakeAgent.FIRMWARE_K, ", \"modelName\": \"Trident\""))
                .toList();
    }

    @Test
    void printersAreChangedWithOneStatement() {
        List<String> printers = printers();
        patch("/v1/printers", printers, "{\"tags\":[\"fast\"]}");
        assertWrittenAtOnce("printer", printers);
        String named = "{\"ids\":" + json(printers);
        change("/v1/printers/enabled", named + ",\"enabled\":false}");
        assertWrittenAtOnce("printer", printers);
        agent.client().made("/v1/macros", """
                        {"name": "push", "type": "bed_clearing", "gcode": "G1 Y220",
                         "compatibilities": [{"vendorName": "Voron", "modelName": "Trident"}]}""");
        change("/v1/printers/continous-print", named + ",\"enabled\":true}");
        assertWrittenAtOnce("printer", printers);
        change("/v1/printers/confirm-ready", named + ",\"ready\":true}");
        assertWrittenAtOnce("printer", printers);
        change("/v1/printers/confirm-ready", named + ",\"ready\":false}");
        assertWrittenAtOnce("printer", printers);
        change("/v1/maintenance/mode", "{\"printerIds\":" + json(printers) + ",\"enabled\":true}");
        assertWrittenAtOnce("printer", printers);
        change("/v1/printers/set-config", "{\"printerIds\":" + json(printers) + ",\"providerConfig\":{}}");
        assertWrittenAtOnce("printer", printers);
    }

    @Test
    void devicesAreClaimedAndReleasedWithOneStatement() throws SQLException {
        List<String> devices = Stream.of(1, 2, 3).map(_ -> Id.next()).toList();
        List<String> printers = registered(client, devices).each("id");
        try (Connection owner = DriverManager.getConnection(SharedApi.ownerUrl());
                Statement read = owner.createStatement();
                ResultSet rows = read.executeQuery("select count(*), count(distinct xmin::text || '/' || cmin)"
                        + " from farm.\"deviceClaim\" where \"storeId\" = '"
                        + store.id().value() + "'")) {
            rows.next();
            assertThat(List.of(rows.getInt(1), rows.getInt(2))).containsExactly(3, 1);
        }
        Client other = Client.of(new Socket(), SharedApi.newStore().key());
        assertThat(registered(other, devices.reversed()).at("conflicts"))
                .as("in the order of the request")
                .isEqualTo(devices.reversed());
        patch("/v1/printers", printers, "{\"deviceId\":null}");
        assertThat(registered(other, devices).status()).isEqualTo(200);
    }

    private static Answer registered(Client client, List<String> devices) {
        return client.send(
                "PUT",
                "/v1/printers",
                Client.utf8(devices.stream()
                        .map(device -> """
                                {"name": "p", "nozzleDiameter": "0.4", "commMethod": "fuse", "deviceId": "%s", "enabled": true,
                                 "integrationId": null, "integrationType": null, "metadata": null}""".formatted(device))
                        .collect(Collectors.joining(",", "[", "]"))));
    }

    /** Events of these names are held. */
    private void hold(String events) {
        client.post(
                "/v1/settings/notifications",
                "{\"channel\":\"webhook\",\"data\":{\"webhookUrl\":\"https://receiver.example\",\"apiKey\":\""
                        + "k".repeat(32) + "\"}}");
        client.patch("/v1/settings/notifications/webhook/events", events);
        client.patch("/v1/settings/notifications/webhook", "{\"enabled\":false}");
    }

    @Test
    void ordersAreCancelledWithOneStatementAndOneEventEach() {
        hold("{\"onOrderCancelled\":true}");
        List<String> orders = IntStream.range(0, 25)
                .mapToObj(i -> client.post(
                        "/v1/orders",
                        "{\"order\":{},\"customer\":{\"name\":\"c" + i + "\"},\"items\":[{\"title\":\"t" + i
                                + "\",\"quantity\":1}]}"))
                .map(made -> String.valueOf(made.at("order.id")))
                .toList();
        change("/v1/orders/batch/cancel", "{\"orderIds\":" + json(orders) + "}");
        assertWrittenAtOnce("order", orders);
        Answer deliveries = client.get("/v1/settings/notifications/webhook/deliveries");
        assertThat(deliveries.each("body.data.order.id")).containsExactlyInAnyOrderElementsOf(orders);
        for (int i = 0; i < orders.size(); i++) {
            int number = deliveries.each("body.data.order.id").indexOf(orders.get(i));
            assertThat(deliveries.at("[" + number + "].body.data.order.items[0].title"))
                    .isEqualTo("t" + i);
            assertThat(deliveries.at("[" + number + "].body.data.order.customer.name"))
                    .isEqualTo("c" + i);
        }
    }

    @Test
    void quarantineIsChangedWithOneStatementAndOneEventEach() {
        hold("{\"onPrinterQuarantined\":true,\"onPartHeld\":true}");
        List<String> printers = printers();
        List<String> parts =
                Stream.of(1, 2, 3).map(_ -> ReadyParts.uploaded(store, client)).toList();
        for (boolean taken : new boolean[] {true, false}) {
            change("/v1/printers/quarantine", "{\"ids\":" + json(printers) + ",\"quarantined\":" + taken + "}");
            assertWrittenAtOnce("printer", printers);
            change("/v1/parts/hold", "{\"ids\":" + json(parts) + ",\"held\":" + taken + "}");
            assertWrittenAtOnce("part", parts);
        }
        String log = "/v1/settings/notifications/webhook/deliveries?event=";
        assertThat(client.get(log + "onPrinterQuarantined").each("body.data.printer.id"))
                .containsExactlyInAnyOrderElementsOf(printers);
        assertThat(client.get(log + "onPartHeld").each("body.data.part.id")).containsExactlyInAnyOrderElementsOf(parts);
    }

    @Test
    void partsAreChangedAndMovedWithOneStatement() {
        List<String> parts =
                Stream.of(1, 2, 3).map(_ -> ReadyParts.uploaded(store, client)).toList();
        String folder = client.made("/v1/folders", "{\"type\":\"part\",\"name\":\"lamps\",\"parentId\":null}");
        patch("/v1/parts", parts, "{\"folderId\":\"" + folder + "\"}");
        assertWrittenAtOnce("part", parts);
        change("/v1/folders/move", "{\"entities\":{\"partIds\":" + json(parts) + "},\"toFolderId\":null}");
        assertWrittenAtOnce("part", parts);
    }

    @Test
    void throttleGroupChangesItsPrintersWithOneStatement() {
        List<String> printers = printers();
        String group = client.made(
                "/v1/printer-throttle-groups",
                "{\"name\":\"fuse\",\"enabled\":true,\"maxConcurrentStarts\":1,\"fallbackTimeoutSeconds\":600,"
                        + "\"temperatureToleranceC\":2,\"releaseConditions\":{},\"printerIds\":" + json(printers)
                        + "}");
        assertWrittenAtOnce("printer", printers);
        assertThat(client.get("/v1/printers").each("throttleGroupId")).containsOnly(group);
        change("/v1/printer-throttle-groups/" + group, "{\"printerIds\":[]}");
        assertWrittenAtOnce("printer", printers);
        assertThat(client.get("/v1/printers").each("throttleGroupId")).containsOnly("null");
    }

    @Test
    void jobsAreApprovedWithOneStatement() {
        client.patch("/v1/settings/store", "{\"requireApproval\":true}");
        List<String> jobs = Stream.of("one", "two", "three")
                .map(name -> {
                    agent.printer(name, "");
                    return agent.job("");
                })
                .toList();
        agent.round();
        Answer approved = client.patch("/v1/print-jobs/approve", "{\"printJobIds\":" + json(jobs) + "}");
        assertThat(approved.json().size()).as(approved.text()).isEqualTo(3);
        assertWrittenAtOnce("printJob", jobs);
    }

    @Test
    void itemsOfOrdersAreChangedWithOneStatement() {
        List<String> items = Stream.of("1", "2", "3")
                .map(number -> client.post(
                        "/v1/orders",
                        "{\"order\":{\"orderNumber\":\"" + number
                                + "\"},\"items\":[{\"externalSku\":\"LAMP\",\"quantity\":1}]}"))
                .map(made -> String.valueOf(made.at("items[0].id")))
                .toList();
        patch("/v1/orders/items", items, "{\"quantity\":2}");
        assertWrittenAtOnce("orderItem", items);
    }

    @Test
    void itemsOfOneOrderAreChangedIndividuallyWithOneStatement() {
        String lamps = Stream.of("1", "2", "3")
                .map(size -> "{\"externalId\":\"" + size + "\",\"externalSku\":\"LAMP-" + size + "\",\"quantity\":1}")
                .collect(Collectors.joining(",", "[", "]"));
        Answer made = client.post("/v1/orders", "{\"order\":{},\"items\":" + lamps + "}");
        String order = "/v1/orders/" + made.at("order.id");
        List<String> items = client.get(order + "/items").each("id");
        change(
                order + "/items/batch",
                "{\"updates\":[{\"id\":\"%s\",\"quantity\":2},{\"id\":\"%s\",\"title\":\"b\"},{\"id\":\"%s\",\"title\":\"c\"},{\"id\":\"%s\",\"quantity\":9}]}"
                        .formatted(items.get(0), items.get(1), items.get(2), items.get(2)));
        assertWrittenAtOnce("orderItem", items);
        assertThat(client.get(order + "/items").each("quantity")).containsExactly("2", "1", "9");
        assertThat(client.get(order + "/items").each("title")).containsExactly("null", "b", "c");
        Answer put = client.send(
                "PUT", order, Client.utf8("{\"items\":" + lamps.replace("\"quantity\":1", "\"quantity\":4") + "}"));
        assertThat(put.status()).as(put.text()).isEqualTo(200);
        assertWrittenAtOnce("orderItem", items);
        assertThat(client.get(order + "/items").each("quantity")).containsOnly("4");
    }

    @Test
    void spoolsAreChangedWithOneStatement() {
        List<String> spools = Stream.of("PLA", "PETG", "ASA")
                .map(type -> client.made("/v1/materials/instances", "{\"materialType\":\"" + type + "\"}"))
                .toList();
        patch("/v1/materials/instances", spools, "{\"remainingGrams\":900}");
        assertWrittenAtOnce("materialInstance", spools);
        assertThat(client.get("/v1/materials/instances").each("materialType")).containsExactly("PLA", "PETG", "ASA");
    }
}
