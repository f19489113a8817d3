package farm.gantry.api.file;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * Limits of uploads. {@code most-at-once}: concurrent uploads; more are rejected with 503. {@code least-bytes}: minimum
 * bytes that each upload must send {@code within} a time; slower ones are closed.
 */
@ConfigurationProperties("gantry.uploads")
record UploadSettings(
        @Bindable(defaultValue = "64") int maxConcurrent,
        @Bindable(defaultValue = "20s") Duration interval,
        @Bindable(defaultValue = "65536") long minBytes) {}
