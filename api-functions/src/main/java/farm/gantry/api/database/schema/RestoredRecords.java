package farm.gantry.api.database.schema;

import farm.gantry.api.database.DatabaseException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * What a restored database contains: the number of its records, each of which was read, and the URIs of the stored
 * files that parts refer to.
 */
public record RestoredRecords(long count, List<String> fileUris) {
    private static final String TABLES = """
            select format('%I.%I', table_schema, table_name) from information_schema.tables
            where table_schema = 'farm' and table_type = 'BASE TABLE'""";
    private static final String FILES = """
            select distinct uri #>> '{}' from farm.part p, jsonb_path_query(
              jsonb_build_array(
                to_jsonb(p) -> 'fileUris', to_jsonb(p) -> 'thumbnailUri', to_jsonb(p) -> 'meshUri',
                to_jsonb(p) -> 'gcodePlateUris'),
              'strict $.** ? (@.type() == "string" && @ starts with "files:")') uri""";

    /** Reads all records; the URL is that of the database's owner. */
    public static RestoredRecords read(String ownerUrl) {
        try (Connection connection = DriverManager.getConnection(ownerUrl);
                Statement statement = connection.createStatement()) {
            long count = 0;
            for (String table : texts(statement, TABLES)) {
                // Converting rows to text reads large values, too.
                String query = "select count(*) from " + table + " t where t::text is not null";
                count += Long.parseLong(texts(statement, query).getFirst());
            }
            return new RestoredRecords(count, texts(statement, FILES));
        } catch (SQLException e) {
            throw new DatabaseException(e);
        }
    }

    private static List<String> texts(Statement statement, String query) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
        }
        return texts;
    }
}
