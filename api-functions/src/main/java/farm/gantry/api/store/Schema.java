package farm.gantry.api.store;

import org.flywaydb.core.Flyway;

/** The tables, brought to this version as a step of its own, by the role that owns them. */
public final class Schema {
    private Schema() {}

    public static void migrate(String url, String owner, String password) {
        Flyway.configure()
                .dataSource(url, owner, password)
                .schemas("flyway")
                .locations("classpath:db/migration")
                .load()
                .migrate();
    }
}
