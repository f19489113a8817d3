package farm.gantry.api.apikey;

import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;

/** The install's own part of every key hash: kept beside the program, so that a stolen table is not enough. */
@Singleton
public record Pepper(@Value("${gantry.pepper}") String value) {}
