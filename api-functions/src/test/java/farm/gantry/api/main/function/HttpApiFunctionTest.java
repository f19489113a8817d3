package farm.gantry.api.main.function;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.LambdaLogger;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Lambda;
import farm.gantry.api.fixture.SharedApi;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HttpApiFunctionTest {
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
}
