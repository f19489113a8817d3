package farm.gantry.api.apikey;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micronaut.context.ApplicationContext;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests that the API does not start when a route names no permission. */
final class RoutePermissionsTest {
    @Test
    void startFailsWhenARouteHasNoPermission() {
        // The property admits the classes that break a rule.
        try (ApplicationContext context = ApplicationContext.builder()
                .properties(Map.of("never", true))
                .deduceEnvironment(false)
                .banner(false)
                .build()) {
            assertThatThrownBy(context::start)
                    .rootCause()
                    .hasMessageMatching("farm\\.gantry\\.api\\.wrong\\.\\w+\\.route declares no permission");
        }
    }
}
