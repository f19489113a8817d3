package farm.gantry.api.http;

import io.micronaut.context.annotation.Value;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.server.HttpServerConfiguration.CorsConfiguration;
import io.micronaut.http.server.cors.CorsOriginConfiguration;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;

/** Allows pages of the configured origins ({@code gantry.cors-origins}) to use the API; by default none. */
@Singleton
public final class CorsOrigins implements BeanCreatedEventListener<CorsConfiguration> {
    private static final List<String> EXPOSED_HEADERS = List.of(
            "ETag",
            CsvResponses.CURSOR_HEADER,
            CsvResponses.MORE_HEADER,
            IgnoredNames.HEADER,
            "Idempotency-Replayed",
            IgnoredNames.APPLIED,
            "RateLimit-Limit",
            "RateLimit-Remaining",
            "RateLimit-Reset",
            "Retry-After",
            "X-Request-Id");

    private final List<String> origins;

    CorsOrigins(@Value("${gantry.cors-origins:}") List<String> configured) {
        this.origins = configured.stream()
                .map(String::strip)
                .filter(origin -> !origin.isEmpty())
                .toList();
    }

    /** Whether pages of the origin may use the API. */
    public boolean contains(String origin) {
        return origins.contains(origin);
    }

    @Override
    public CorsConfiguration onCreated(BeanCreatedEvent<CorsConfiguration> event) {
        CorsConfiguration cors = event.getBean();
        if (!origins.isEmpty()) {
            CorsOriginConfiguration open = new CorsOriginConfiguration();
            open.setAllowedOrigins(origins);
            open.setExposedHeaders(EXPOSED_HEADERS);
            open.setAllowCredentials(false);
            cors.setEnabled(true);
            cors.setConfigurations(Map.of("gantry", open));
        }
        return cors;
    }
}
