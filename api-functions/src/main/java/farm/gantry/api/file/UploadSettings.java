package farm.gantry.api.file;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * Limits of uploads.
 *
 * @param maxConcurrent uploads at a time; further ones are rejected with 503
 * @param throughputInterval interval in which an upload must bring {@code throughputMinBytes}; a slower one is rejected
 */
@ConfigurationProperties("gantry.uploads")
record UploadSettings(
        @Bindable(defaultValue = "64") int maxConcurrent,
        @Bindable(defaultValue = "20s") Duration throughputInterval,
        @Bindable(defaultValue = "65536") long throughputMinBytes) {}
