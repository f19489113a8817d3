package farm.gantry.api.database.schema;

import farm.gantry.api.database.DatabaseException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Describes a database without its content: version, schema, sizes of tables and the versions of agents. */
public final class DatabaseSummary {
    private static final String QUERY = """
            select 'PostgreSQL ' || current_setting('server_version')
            union all select 'size ' || pg_size_pretty(pg_database_size(current_database()))
            union all (select 'schema V' || version || ', success ' || success from flyway.flyway_schema_history
              order by installed_rank desc limit 1)
            union all (select 'agents of version ' || case when version ~ '^[0-9a-z.-]{1,30}$' then version else 'unknown' end
                || ': ' || count(*) || ', online ' || count(*) filter (where "isOnline")
              from farm.agent group by version order by version)
            union all (select 'rows of ' || table_name || ': '
                || (xpath('/row/n/text()', query_to_xml(format('select count(*) n from farm.%I', table_name), true, true, '')))[1]
              from information_schema.tables where table_schema = 'farm' and table_type = 'BASE TABLE' order by table_name)""";

    private DatabaseSummary() {}

    /** Returns the lines of the description; the URL is that of the database's owner. */
    public static List<String> read(String ownerUrl) {
        try (Connection connection = DriverManager.getConnection(ownerUrl);
                Statement statement = connection.createStatement()) {
            List<String> lines = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery(QUERY)) {
                while (rows.next()) {
                    lines.add(rows.getString(1));
                }
            }
            return lines;
        } catch (SQLException e) {
            throw new DatabaseException(e);
        }
    }
}
