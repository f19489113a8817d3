package farm.gantry.api.store;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.database.Database;
import farm.gantry.api.database.schema.PostgresVersion;
import farm.gantry.api.fixture.SharedApi;
import org.junit.jupiter.api.Test;

/** Tests which versions of PostgreSQL are accepted. */
final class PostgresVersionTest {
    @Test
    void olderVersionIsRejectedWithFoundAndRequiredVersion() {
        assertThat(PostgresVersion.findFault(150_004))
                .hasValue("the database is PostgreSQL 15.4, and this version of Gantry needs PostgreSQL 17 or newer:"
                        + " upgrade it, or start without --jdbc-url to use the one that Gantry contains");
        assertThat(PostgresVersion.findFault(169_999)).isPresent();
        assertThat(PostgresVersion.findFault(170_000)).isEmpty();
        assertThat(PostgresVersion.findFault(190_001)).isEmpty();
    }

    @Test
    void testVersionIsAccepted() {
        PostgresVersion.check(SharedApi.bean(Database.class));
    }
}
