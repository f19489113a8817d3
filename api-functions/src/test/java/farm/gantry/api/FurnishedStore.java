package farm.gantry.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A store with a record of each kind. */
public record FurnishedStore(SharedApi.Store store, FakeAgent fakeAgent, Client client) {
    private static final String TABLES = """
            select s.table_name, exists (select from information_schema.columns i where i.table_schema = 'farm'
                     and i.table_name = s.table_name and i.column_name = 'id' and i.data_type = 'text') has_id
            from information_schema.columns s where s.table_schema = 'farm' and s.column_name = 'storeId' order by 1
            """;

    public static FurnishedStore open() {
        SharedApi.Store store = SharedApi.newStore();
        FakeAgent fakeAgent = new FakeAgent(store, new Socket());
        FurnishedStore furnished = new FurnishedStore(store, fakeAgent, fakeAgent.client());
        furnished.furnish();
        return furnished;
    }

    private void furnish() {
        client.post("/v1/settings/notifications", """
                {"channel": "webhook", "data": {"webhookUrl": "http://127.0.0.1:9/",
                 "apiKey": "0123456789012345678901234567890123456789"}}""");
        client.patch("/v1/settings/notifications/webhook/events", "{\"onOrderCreatedManual\": true}");
        client.post("/v1/agents/pairing-codes", "{}");
        client.made("/v1/sessions", "{\"name\":\"Ada\"}");
        client.post("/v1/sessions/codes", "{}");
        client.made("/v1/integrations", "{\"name\":\"Shop\",\"type\":\"market1\"}");
        client.made("/v1/folders", "{\"name\":\"parts\",\"type\":\"part\"}");
        client.made("/v1/macros", "{\"name\":\"wipe\",\"type\":\"bed_clearing\",\"gcode\":\"G28\"}");
        client.made("/v1/layouts", """
                {"name": "wall", "mode": "grid", "formatVersion": 1, "definition": {"formatVersion": 1, "mode": "grid", "cards": []}}""");
        client.made("/v1/sequences", "{\"name\":\"serial\"}");
        client.made("/v1/printer-models", "{\"vendorName\":\"Voron\",\"modelName\":\"Trident\"}");
        client.made("/v1/profiles", """
                {"name": "fine", "type": "process", "source": "manual", "data": {}, "metadata": {}, "inherits": "",
                 "compatibilityList": ""}""");
        String group = client.made("/v1/printer-throttle-groups", """
                {"name": "fuse", "enabled": true, "maxConcurrentStarts": 1, "fallbackTimeoutSeconds": 300,
                 "temperatureToleranceC": 2, "releaseConditions": {}}""");
        String printer = fakeAgent.printer("p", ", \"throttleGroupId\": \"" + group + "\"");
        String material = client.made("/v1/materials", """
                {"name": "PLA", "brand": "b", "type": "PLA", "tags": []}""");
        String variant =
                client.made("/v1/materials/variants", "{\"name\":\"red\",\"materialId\":\"" + material + "\"}");
        String materialGroup = client.made("/v1/materials/groups", "{\"name\":\"reds\"}");
        client.made(
                "/v1/materials/group-members",
                "{\"groupId\":\"" + materialGroup + "\",\"variantId\":\"" + variant + "\"}");
        client.made("/v1/materials/instances", "{\"materialId\":\"" + material + "\",\"remainingGrams\":100}");
        String part = ReadyParts.uploaded(store, client);
        client.made("/v1/parts", new Uploads(client).part("b.gcode", "gcode", """
                , "assignedMaterials": {"0": [{"materialId": "%s"}]}""".formatted(material)));
        String sku = client.made(
                "/v1/skus",
                "{\"sku\":\"LAMP-1\",\"title\":\"Lamp\",\"linkedParts\":[" + LampStore.linked(part, "foot", 1, "")
                        + "]}");
        String component = client.made("/v1/cost-components", """
                {"name": "box", "type": "labor", "unit": "min", "rate": 1}""");
        client.made("/v1/sku-costs", """
                {"skuId": "%s", "costComponentId": "%s", "quantity": 1}""".formatted(sku, component));
        String option = client.made("/v1/sku-options", "{\"name\":\"size\"}");
        String value = client.made("/v1/sku-option-values", """
                {"optionId": "%s", "name": "M"}""".formatted(option));
        String binding = client.made("/v1/sku-option-bindings", """
                {"optionId": "%s", "skuId": "%s"}""".formatted(option, sku));
        client.made("/v1/sku-option-value-filters", """
                {"bindingId": "%s", "skuId": "%s", "optionId": "%s", "optionValueId": "%s"}""".formatted(binding, sku, option, value));
        String property = client.made("/v1/sku-option-properties", """
                {"optionId": "%s", "bindingId": "%s", "name": "size", "type": "text"}""".formatted(option, binding));
        client.made("/v1/sku-option-property-values", """
                {"propertyId": "%s", "optionValueId": "%s", "textValue": "M"}""".formatted(property, value));
        Answer ordered = client.post("/v1/orders", """
                {"order": {"orderNumber": "1042"}, "customer": {"name": "Ada", "externalId": "ada"},
                 "items": [{"skuId": "%s", "quantity": 1}]}""".formatted(sku));
        assertThat(ordered.status()).as(ordered.text()).isEqualTo(201);
        assertThat(client.post("/v1/orders/print", "{}").status()).isEqualTo(201);
        fakeAgent.jobOf(part, "");
        Answer built = client.post("/v2/builds", "{\"skus\":[{\"skuId\":\"" + sku + "\",\"quantity\":1}]}");
        assertThat(built.status()).as(built.text()).isEqualTo(201);
        client.patch("/v1/printer-slots/assign", """
                {"printerIds": ["%s"], "slots": [{"amsIndex": 0, "slotIndex": 0}], "materialId": "%s"}""".formatted(printer, material));
        client.post("/v1/printer-commands/send", """
                {"ids": ["%s"], "command": {"command": "set-temperature", "type": "bed", "temperature": 60}}""".formatted(printer));
    }

    /** The id of one record of each table that has any. */
    public Map<String, String> ids() {
        Map<String, String> ids = new TreeMap<>();
        try (Connection owner = DriverManager.getConnection(SharedApi.ownerUrl())) {
            for (Map.Entry<String, Boolean> table : tables(owner).entrySet()) {
                if (table.getValue()) {
                    texts(
                                    owner,
                                    "select id::text from farm.\"" + table.getKey()
                                            + "\" where \"storeId\" = ? order by 1 limit 1")
                            .forEach(id -> ids.put(table.getKey(), id));
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return ids;
    }

    /** Of every record of the store. */
    String hash() {
        StringBuilder all = new StringBuilder();
        try (Connection owner = DriverManager.getConnection(SharedApi.ownerUrl())) {
            for (String table : tables(owner).keySet()) {
                all.append(table)
                        .append(texts(
                                owner,
                                "select md5(coalesce(string_agg(t::text, ' ' order by t::text), '')) from farm.\""
                                        + table + "\" t where \"storeId\" = ?"))
                        .append('\n');
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return all.toString();
    }

    private static Map<String, Boolean> tables(Connection owner) throws SQLException {
        Map<String, Boolean> tables = new TreeMap<>();
        try (PreparedStatement statement = owner.prepareStatement(TABLES);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                tables.put(rows.getString(1), rows.getBoolean(2));
            }
        }
        return tables;
    }

    private List<String> texts(Connection owner, String sql) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (PreparedStatement statement = owner.prepareStatement(sql)) {
            statement.setString(1, store.id().value());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    texts.add(rows.getString(1));
                }
            }
        }
        return texts;
    }
}
