package farm.gantry.api.link;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.Lambda;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.main.function.HttpApiFunction;
import io.micronaut.context.ApplicationContext;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the rate limit of an agent. */
final class LinkRateLimitTest {
    @Test
    void agentIsRateLimitedWithoutAffectingOthers() {
        try (ApplicationContext install = SharedApi.another(Map.of(
                "gantry.agents.rate-limit-per-minute", "1",
                "gantry.agents.rate-limit-burst", "2",
                "gantry.agents.public-url", "https://link.example/",
                "micronaut.server.host", ""))) {
            Lambda host = new Lambda(new HttpApiFunction(install));
            FakeAgent busy = new FakeAgent(SharedApi.newStore(), host);
            String exchange = "{\"session\":\"s\",\"sequence\":1}";
            List<Integer> statuses = List.of(
                    busy.link(exchange).status(),
                    busy.link(exchange).status(),
                    busy.link(exchange).status());
            assertThat(statuses).containsExactly(201, 201, 429);
            assertThat(busy.link(exchange).header("retry-after")).isNotNull();
            assertThat(new FakeAgent(SharedApi.newStore(), host).link(exchange).status())
                    .isEqualTo(201);
        }
    }
}
