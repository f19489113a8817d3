package farm.gantry.api.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests with random requests that responses match the description and contain only the caller's store. */
@Tag("requests")
final class RequestFuzzTest {
    private static final String MARKER = "xyzzy9another9store";
    /** The number of stores that send concurrently. */
    private static final int STORES = 2;

    @Test
    void everyResponseMatchesTheDescriptionAndTheCallersStore() throws Exception {
        long seed = Long.getLong("fuzz.seed", 20_261_123);
        int requests = Integer.getInteger("fuzz.requests", 4_000) / STORES;
        List<String> foreign = filled(SharedApi.newStore().key());
        List<RequestFuzzer> fuzzers = new ArrayList<>();
        List<Future<?>> runs = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(STORES)) {
            for (int i = 0; i < STORES; i++) {
                RequestFuzzer fuzzer =
                        new RequestFuzzer(seed + i, SharedApi.newStore().key(), MARKER, foreign);
                fuzzers.add(fuzzer);
                runs.add(threads.submit(() -> fuzzer.run(requests)));
            }
            for (Future<?> run : runs) {
                run.get();
            }
        }
        assertThat(fuzzers).allSatisfy(fuzzer -> assertThat(fuzzer.faults()).isEmpty());
    }

    /** Creates records of another store, each with the marker, and returns their ids. */
    private static List<String> filled(String key) {
        Client other = Client.of(new Socket(), key);
        List<String> ids = new ArrayList<>();
        Map<String, String> bodies = Map.of(
                "/v1/macros", "{\"name\":\"%s\",\"type\":\"purge\",\"gcode\":\"%s\",\"compatibilities\":[]}",
                "/v1/skus", "{\"sku\":\"%s\",\"title\":\"%s\",\"linkedParts\":[]}",
                "/v1/customers", "{\"name\":\"%s\",\"email\":\"%s@example.com\"}",
                "/v1/orders", "{\"order\":{\"orderNumber\":\"%s\",\"note\":\"%s\"}}",
                "/v1/api-keys", "{\"name\":\"%s\",\"externalRef\":\"%s\"}",
                "/v1/integrations", "{\"name\":\"%s\",\"type\":\"market1\",\"externalId\":\"%s\"}",
                "/v1/sequences", "{\"name\":\"%s\",\"prefix\":\"%s\",\"next\":1,\"step\":1,\"padding\":3}",
                "/v1/sku-options", "{\"name\":\"%s\",\"isPersonalization\":false}",
                "/v1/cost-components", "{\"name\":\"%s\",\"type\":\"labor\",\"unit\":\"hour\",\"rate\":1}");
        bodies.forEach((path, body) -> {
            Answer made = other.post(path, body.replace("%s", MARKER));
            if (made.status() == 201) {
                Object id = path.equals("/v1/orders") ? made.at("order.id") : made.at("id");
                ids.add(String.valueOf(id));
            }
        });
        assertThat(ids).hasSizeGreaterThan(6);
        return ids;
    }
}
