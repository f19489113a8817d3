package farm.gantry.api.integration;

import farm.gantry.Id;
import farm.gantry.StoreId;
import farm.gantry.api.database.Secrets;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.json.JsonText;
import farm.gantry.api.webhook.WebhookSignature;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Requests signed by external services as specified by Standard Webhooks. */
@Singleton
final class SignatureVerifier {
    /** Guard of routes that take signed requests. */
    static final String GUARD = "the signature in webhook-signature, by the integration's secret";

    private static final Duration TOLERANCE = Duration.ofMinutes(5);
    private static final int MAX_ID = 255;

    private final IntegrationRows rows;
    private final Secrets secrets;
    private final InstantSource clock;

    SignatureVerifier(IntegrationRows rows, Secrets secrets, InstantSource clock) {
        this.rows = rows;
        this.secrets = secrets;
        this.clock = clock;
    }

    /** A signed delivery of an integration; {@code id} is the same each time it is sent. */
    record Delivery(StoreId store, String integrationId, String id, JsonNode body) {}

    /** The headers of a signed request, as they came. */
    record Signature(
            @Nullable String id,
            @Nullable String timestamp,
            @Nullable String signatures) {}

    /** Verifies the signature and age of a request and returns its delivery; all failures get the same response. */
    Delivery check(String integrationId, Signature signature, byte[] body) {
        String id = Objects.requireNonNullElse(signature.id(), "");
        String timestamp = Objects.requireNonNullElse(signature.timestamp(), "");
        String signatures = Objects.requireNonNullElse(signature.signatures(), "");
        return Optional.of(integrationId)
                .filter(Id::isValid)
                .filter(_ -> !id.isEmpty() && id.length() <= MAX_ID && isRecent(timestamp))
                .flatMap(rows::find)
                .filter(integration -> WebhookSignature.isOneOf(
                        signatures,
                        integration.secrets().stream().map(secrets::open).toList(),
                        id,
                        Long.parseLong(timestamp),
                        body))
                .map(integration -> new Delivery(integration.store(), integrationId, id, JsonText.parse(body)))
                .orElseThrow(() -> new ProblemException(new Problem.Unauthorized(Problem.Scheme.WebhookSignature)));
    }

    private boolean isRecent(String timestamp) {
        return timestamp.matches("\\d{1,12}")
                && Duration.between(Instant.ofEpochSecond(Long.parseLong(timestamp)), clock.instant())
                                .abs()
                                .compareTo(TOLERANCE)
                        <= 0;
    }
}
