package farm.gantry.wire;

import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.NotBlank;
import java.time.Instant;

/** How an agent comes to belong to a store: a person makes a code, the agent shows it and gets its token. */
public final class Pairing {
    private Pairing() {}

    /** Good once, for 15 minutes. */
    @Serdeable
    public record Code(String code, Instant expiresAt) {}

    @Serdeable
    public record Request(@NotBlank String code, @NotBlank String name, String version, String platform) {}

    @Serdeable
    public record Answer(String agentId, String storeId, String token) {}
}
