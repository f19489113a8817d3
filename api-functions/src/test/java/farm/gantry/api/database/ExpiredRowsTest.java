package farm.gantry.api.database;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.SharedApi;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ExpiredRowsTest {
    /** Earlier than what any other test writes. */
    private static final Instant RETENTION = Instant.parse("2001-01-01T00:00:00Z");

    private final SharedApi.Store store = SharedApi.newStore();
    private final Database database = SharedApi.bean(Database.class);

    @Test
    void moreRowsThanABatchAreDeleted() {
        database.in(store.id(), tx -> tx.update("""
                insert into farm."jobMove" ("storeId", "printJobId", status, attempt, at)
                select ?, 'job', 'Pending', 0, case number when 1 then now() else timestamptz '2000-01-01' end
                from generate_series(1, 10002) number""", store.id().value()));
        SharedApi.bean(ExpiredRows.class).delete("jobMove", RETENTION);
        long left = database.in(
                store.id(),
                tx -> tx.query(
                        "select count(*) from farm.\"jobMove\" where \"storeId\" = ?",
                        rows -> {
                            rows.next();
                            return rows.getLong(1);
                        },
                        store.id().value()));
        assertThat(left).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"webhookDelivery", "signedDelivery", "jobMove", "recordChange", "auditLog"})
    void databaseKnowsHowToDeleteRowsOf(String table) {
        assertThat(database.texts("select farm.delete_expired(?, '2001-01-01', 1)::text", table))
                .hasSize(1);
    }
}
