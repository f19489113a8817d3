package farm.gantry.api.job;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.database.Database;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests the stored number of ended jobs, which is the total of the print history. */
final class EndedJobCountTest {
    private static final int JOBS = 150;

    private final SharedApi.Store store = SharedApi.newStore();
    private final Client client = Client.of(new Socket(), store.key());

    private int update(String sql, Object... values) {
        return SharedApi.bean(Database.class).in(store.id(), tx -> tx.update(sql, values));
    }

    private void change(int queueOrder, String status) {
        int changed = update(
                "update farm.\"printJob\" set status = ?, \"cancelledAt\" = now() where \"storeId\" = ? and \"queueOrder\" = ?",
                status,
                store.id().value(),
                queueOrder);
        assertThat(changed).isEqualTo(1);
    }

    private long query(String sql) {
        return SharedApi.bean(Database.class)
                .in(
                        store.id(),
                        tx -> tx.one(sql, rows -> rows.getLong(1), store.id().value()));
    }

    private String total(String path) {
        Answer page = client.get(path);
        assertThat(page.status()).as(page.text()).isEqualTo(200);
        return String.valueOf(page.at("meta.total"));
    }

    @Test
    void totalOfTheHistoryIsTheNumberOfEndedJobs() {
        String part = ReadyParts.uploaded(store, client);
        Answer built =
                client.post("/v2/builds", "{\"parts\":[{\"partId\":\"" + part + "\",\"quantity\":" + JOBS + "}]}");
        assertThat(built.status()).as(built.text()).isEqualTo(201);
        assertThat(total("/v2/print-history")).isEqualTo("0");
        update("""
                update farm."printJob" j set "queueOrder" = n.number
                from (select id, row_number() over (order by id) as number from farm."printJob" where "storeId" = ?) n
                where j."storeId" = ? and j.id = n.id""", store.id().value(), store.id().value());
        CompletableFuture.allOf(IntStream.rangeClosed(1, JOBS)
                        .mapToObj(i -> CompletableFuture.runAsync(() -> change(i, "Cancelled")))
                        .toArray(CompletableFuture[]::new))
                .join();
        change(1, "Failed");
        change(2, "Pending");
        update(
                "delete from farm.\"printJob\" where \"storeId\" = ? and \"queueOrder\" = 3",
                store.id().value());
        assertThat(query("select count(*) from farm.\"endedJobCount\" where \"storeId\" = ?"))
                .as("additions that are not summed up yet")
                .isLessThan(JOBS);
        assertThat(total("/v2/print-history")).isEqualTo(Integer.toString(JOBS - 2));
        assertThat(total("/v2/print-history?offset=1000")).isEqualTo(Integer.toString(JOBS - 2));
        assertThat(total("/v1/print-history?meta=true&limit=1&sort=createdAt")).isEqualTo(Integer.toString(JOBS - 2));
        assertThat(total("/v2/print-history?status=Failed")).isEqualTo("1");
    }
}
