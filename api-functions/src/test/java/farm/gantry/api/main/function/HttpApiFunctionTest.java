package farm.gantry.api.main.function;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.LambdaLogger;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Lambda;
import farm.gantry.api.fixture.SharedApi;
import io.micronaut.context.ApplicationContext;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class HttpApiFunctionTest {
    private static final String SECRET = "gantry-origin-secret";

    @Test
    void requestLeavesNothingInTheContext() {
        Client client = Client.of(new Lambda(), SharedApi.newStore().key());
        assertThat(client.get("/v1/macros").status()).isEqualTo(200);
        int definitions = SharedApi.context().getAllBeanDefinitions().size();
        client.get("/v1/macros");
        assertThat(SharedApi.context().getAllBeanDefinitions()).hasSize(definitions);
        assertThat(List.of(Context.class, LambdaLogger.class))
                .noneMatch(type -> SharedApi.context().containsBean(type));
    }

    @Test
    void requestThatBypassesCloudFrontIsRejected() {
        try (ApplicationContext behindCloudFront =
                SharedApi.another(Map.of("gantry.aws.origin-secret", "a-long-secret", "micronaut.server.host", ""))) {
            Client gateway = Client.of(
                    new Lambda(new HttpApiFunction(behindCloudFront)),
                    SharedApi.newStore().key());
            for (Client caller : List.of(gateway, gateway.with(SECRET, "a-long-secreT"))) {
                Answer rejected = caller.get("/v1/macros");
                assertThat(rejected.status()).isEqualTo(403);
                assertThat(rejected.text()).contains("use the address of the console");
            }
            Client distribution = gateway.with(SECRET, "a-long-secret");
            assertThat(distribution.get("/v1/macros").status()).isEqualTo(200);
            String restricted =
                    String.valueOf(distribution.post("/v1/api-keys", """
                    {"name": "office", "permissions": ["macro.view"], "ipAllowlist": ["192.0.2.7"]}""").at("key"));
            Client office = Client.of(new Lambda(new HttpApiFunction(behindCloudFront)), restricted)
                    .with(SECRET, "a-long-secret");
            for (String forwarded : List.of("192.0.2.7", "198.51.100.1, 192.0.2.7", "192.0.2.7, 127.0.0.1")) {
                assertThat(office.with("x-forwarded-for", forwarded)
                                .get("/v1/macros")
                                .status())
                        .as(forwarded)
                        .isEqualTo(200);
            }
            for (String forwarded : List.of("192.0.2.7, 198.51.100.1", "192.0.2.7, 198.51.100.1, 127.0.0.1", "x")) {
                assertThat(office.with("x-forwarded-for", forwarded)
                                .get("/v1/macros")
                                .status())
                        .as(forwarded)
                        .isEqualTo(403);
            }
        }
    }
}
