package farm.gantry.api.file;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * How many uploads are taken at once, and how many bytes each must bring within a time: those that wait for a place are
 * asked to come again, and those that bring fewer are closed.
 */
@ConfigurationProperties("gantry.uploads")
record UploadSettings(
        @Bindable(defaultValue = "64") int maxConcurrent,
        @Bindable(defaultValue = "20s") Duration interval,
        @Bindable(defaultValue = "65536") long minBytes) {}
