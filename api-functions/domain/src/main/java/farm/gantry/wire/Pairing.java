package farm.gantry.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.NotBlank;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How an agent comes to belong to a store: a person makes a code, the agent shows it and gets its token. */
public final class Pairing {
    private Pairing() {}

    /** Good once, for 15 minutes. */
    @Serdeable
    public record Code(String code, Instant expiresAt) {}

    @Serdeable
    public record Request(@NotBlank String code, @NotBlank String name, String version, String platform) {}

    /** The agent's token; {@code api} is the address that it uses from now on, where that is not where it was paired. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Answer(
            String agentId,
            String storeId,
            String token,
            @Nullable String api) {}
}
