package farm.gantry.api.main.function;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.apikey.RehearsalCaller;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Lambda;
import farm.gantry.api.fixture.SharedApi;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Tests the requests that functions send to themselves before their snapshot. */
final class RequestRehearsalTest {
    private static final HttpApiFunction API = new HttpApiFunction(SharedApi.context());

    @Test
    void rehearsalOfTheApiReadsAndRejects() throws IOException {
        assertThat(RequestRehearsal.ofApi(API, SharedApi.context()).run())
                .as("an unknown key, a list, a missing record, an invalid one and a change of a missing one")
                .containsExactly(401, 200, 404, 400, 404);
    }

    @Test
    void rehearsalOfTheLinkIsRejected() throws IOException {
        assertThat(RequestRehearsal.ofLink(API, SharedApi.context()).run()).containsExactly(401);
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
