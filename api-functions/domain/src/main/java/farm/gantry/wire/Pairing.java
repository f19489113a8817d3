package farm.gantry.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.NotBlank;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Pairing of an agent with a store: a person creates a code, and the agent exchanges it for its token. */
public final class Pairing {
    private Pairing() {}

    /** A pairing code, valid once, for 15 minutes. */
    @Serdeable
    public record Code(String code, Instant expiresAt) {}

    @Serdeable
    public record Request(@NotBlank String code, @NotBlank String name, String version, String platform) {}

    /** The agent's token; {@code api} is the address to use from now on, if it differs from that of the pairing. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Response(
            String agentId,
            String storeId,
            String token,
            @Nullable String api) {}
}
