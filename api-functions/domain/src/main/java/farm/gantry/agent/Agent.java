package farm.gantry.agent;

import farm.gantry.Permission;
import farm.gantry.annotation.Default;
import farm.gantry.annotation.Resource;
import farm.gantry.annotation.SystemSet;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.NotBlank;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The record of an edge agent: a daemon on the farm's network that connects the printers whose {@code proxyClientId} is its id. */
@Serdeable
@Resource(table = "agent", view = Permission.AGENT_VIEW)
public record Agent(
        @SystemSet String id,
        @SystemSet String storeId,
        @SystemSet Instant createdAt,
        @SystemSet Instant updatedAt,
        @NotBlank String name,
        @SystemSet String version,
        @SystemSet String platform,
        @SystemSet @Default("false") boolean isOnline,
        @SystemSet @Nullable Instant lastSeenAt) {}
