package farm.gantry.api.file;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * Limits of uploads. At most {@code max-concurrent} uploads run at a time; more are rejected with 503. Each upload must
 * send at least {@code min-bytes} per {@code interval}; slower ones are closed.
 */
@ConfigurationProperties("gantry.uploads")
record UploadSettings(
        @Bindable(defaultValue = "64") int maxConcurrent,
        @Bindable(defaultValue = "20s") Duration interval,
        @Bindable(defaultValue = "65536") long minBytes) {}
