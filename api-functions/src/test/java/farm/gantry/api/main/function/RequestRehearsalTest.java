package farm.gantry.api.main.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import farm.gantry.api.apikey.RehearsalCaller;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Lambda;
import farm.gantry.api.fixture.SharedApi;
import io.micronaut.context.ApplicationContext;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the requests that functions send to themselves before their snapshot. */
final class RequestRehearsalTest {
    private static final HttpApiFunction API = new HttpApiFunction(SharedApi.context());

    @Test
    void requestsOfTheApiAndTheLinkHaveTheExpectedStatuses() {
        rehearse(API, SharedApi.context());
    }

    @Test
    void requestsPassTheCheckOfTheOriginSecret() {
        try (ApplicationContext other = SharedApi.another(
                Map.of(GatewayCallerAddress.SECRET_PROPERTY, "a-long-secret", "micronaut.server.host", ""))) {
            rehearse(new HttpApiFunction(other), other);
        }
    }

    private static void rehearse(HttpApiFunction api, ApplicationContext context) {
        assertThatCode(RequestRehearsal.ofApi(api, context)::run).doesNotThrowAnyException();
        assertThatCode(RequestRehearsal.ofLink(api, context)::run).doesNotThrowAnyException();
    }

    @Test
    void authorizationOfARehearsalPassesUntilItEnds() {
        RehearsalCaller callers = SharedApi.context().getBean(RehearsalCaller.class);
        Client client = Client.of(new Lambda(API)).with("authorization", callers.open());
        assertThat(client.get("/v1/macros").text()).isEqualTo("[]");
        assertThat(client.post("/v1/macros", "{\"name\":\"a\",\"type\":\"generic\",\"gcode\":\"G28\"}")
                        .status())
                .as("a record of a store that does not exist")
                .isGreaterThanOrEqualTo(400);
        callers.close();
        assertThat(client.get("/v1/macros").status()).isEqualTo(401);
    }
}
