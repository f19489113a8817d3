package farm.gantry.api.link;

import io.micronaut.context.annotation.ConfigurationProperties;
import org.jspecify.annotations.Nullable;

/** {@code address} is where agents find the link, unless it is where they were paired. */
@ConfigurationProperties("gantry.link")
record LinkAddress(@Nullable String address) {}
