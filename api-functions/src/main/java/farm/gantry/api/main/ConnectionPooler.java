package farm.gantry.api.main;

import farm.gantry.api.database.Database;
import io.micronaut.context.ApplicationContext;
import java.util.List;
import java.util.Map;

/** Settings of connections through a pooler such as PgBouncer, which gives each transaction any of its sessions. */
final class ConnectionPooler {
    private static final String MISSING_TIMEOUTS = """
            select name from (values ('statement_timeout', ?), ('lock_timeout', ?),
              ('idle_in_transaction_session_timeout', ?)) needed (name, value)
            where current_setting(name)::interval <> value::interval order by name""";

    private ConnectionPooler() {}

    /** Returns the settings of a pool whose sessions keep nothing between transactions: no timeouts, no prepared statements. */
    static Map<String, Object> settings() {
        return Map.of(
                "datasources.default.connection-init-sql",
                "set time zone 'UTC'",
                "datasources.default.data-source-properties.prepareThreshold",
                "0");
    }

    /** Checks that the pooler sets the timeouts of its sessions, which the API then cannot set. */
    static void checkTimeouts(ApplicationContext context) {
        if (context.getProperty(Database.DIRECT_URL, String.class).orElse("").isEmpty()) {
            return;
        }
        String statement = context.getRequiredProperty("gantry.database.statement-timeout", String.class);
        String lock = context.getRequiredProperty("gantry.database.lock-timeout", String.class);
        String idle = context.getRequiredProperty("gantry.database.idle-transaction-timeout", String.class);
        List<String> missing = context.getBean(Database.class).texts(MISSING_TIMEOUTS, statement, lock, idle);
        if (!missing.isEmpty()) {
            throw new IllegalStateException("the connection pooler does not set " + String.join(", ", missing)
                    + ": append to the line of the database in pgbouncer.ini, and restart PgBouncer: connect_query='"
                    + set("statement_timeout", statement) + set("lock_timeout", lock)
                    + set("idle_in_transaction_session_timeout", idle) + "'");
        }
    }

    private static String set(String name, String value) {
        return "set " + name + " = ''" + value + "''; ";
    }
}
