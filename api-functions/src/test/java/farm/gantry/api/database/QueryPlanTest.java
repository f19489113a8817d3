package farm.gantry.api.database;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.StoreId;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.query.Columns;
import farm.gantry.api.query.Cursor;
import farm.gantry.api.query.ListQuery;
import farm.gantry.part.Part;
import io.micronaut.json.tree.JsonNode;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that common list queries of a large store use an index instead of a full scan. */
final class QueryPlanTest {
    private static final int PARTS = 20_000;
    private static final StoreId STORE = SharedApi.newStore().id();
    private static final Columns<Part> COLUMNS = Columns.of(Part.class);

    @BeforeAll
    static void createLargeStore() throws SQLException {
        try (Connection connection = DriverManager.getConnection(SharedApi.ownerUrl());
                PreparedStatement insert = connection.prepareStatement("""
                        insert into farm.part ("storeId", id, "createdAt", "updatedAt", name, type, description,
                            "fileUris", "fileHashes", parameters, "printTags", "use3MFProcessProfile", arrangeable,
                            "userTags", "customMetadata")
                        select ?, lpad(to_hex(i), 24, '0'), now() - i * interval '1 minute',
                            now() - i * interval '1 minute', 'part ' || i, (array['stl', '3mf', 'gcode'])[1 + i % 3], '',
                            '[]', '[]', '[]', '{}', false, true, '[]', '{}'
                        from generate_series(1, ?) i""")) {
            insert.setString(1, STORE.value());
            insert.setInt(2, PARTS);
            insert.executeUpdate();
            connection.createStatement().execute("analyze farm.part");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "limit=50",
                "id=000000000000000000000abc",
                "id.in=000000000000000000000abc,000000000000000000000abd",
                "updatedAt.gt=2999-01-01&limit=50",
                "sort=createdAt:desc&limit=50",
                "sort=updatedAt&limit=50",
                "type=scad&sort=name",
                "folderId=000000000000000000000abc"
            })
    void commonListQueryUsesAnIndex(String parameters) throws SQLException {
        List<String> scanned = scanned(list(parameters));
        assertThat(scanned).as(parameters).isNotEmpty().noneMatch(node -> node.equals("Seq Scan"));
    }

    @Test
    void cursorStartsAtTheEndOfThePreviousPage() throws SQLException {
        String cursor = Cursor.encode(list("").sort(), List.of("2026-01-01T00:00:00Z", "000000000000000000000abc"));
        assertThat(scanned(list("limit=50&cursor=" + cursor))).noneMatch(node -> node.equals("Seq Scan"));
    }

    private static ListQuery list(String parameters) {
        Map<String, List<String>> asked = Arrays.stream(parameters.split("&"))
                .filter(each -> !each.isEmpty())
                .map(each -> each.split("=", 2))
                .collect(Collectors.toMap(each -> each[0], each -> List.of(each[1])));
        return ListQuery.of(COLUMNS, asked);
    }

    /** Returns the scan nodes of the query plan. */
    private static List<String> scanned(ListQuery query) throws SQLException {
        SqlStatement statement = SqlStatement.selectPage(COLUMNS, STORE, query);
        List<String> scans = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(SharedApi.databaseUrl())) {
            connection.createStatement().execute("select set_config('gantry.store', '" + STORE.value() + "', false)");
            try (PreparedStatement explain = SqlStatement.bind(
                            connection, "explain (format json) " + statement.sql(), statement.values());
                    ResultSet rows = explain.executeQuery()) {
                rows.next();
                collect(Answer.tree(Client.utf8(rows.getString(1))).get(0).get("Plan"), scans);
            }
        }
        return scans;
    }

    private static void collect(JsonNode plan, List<String> scans) {
        String type = plan.get("Node Type").getStringValue();
        if (type.endsWith("Scan")) {
            scans.add(type);
        }
        JsonNode inner = plan.get("Plans");
        if (inner != null) {
            inner.values().forEach(each -> collect(each, scans));
        }
    }
}
