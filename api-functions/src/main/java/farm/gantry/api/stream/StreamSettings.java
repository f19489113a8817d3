package farm.gantry.api.stream;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * How changes are streamed.
 *
 * @param mostOfStore how many streams a store may have open at once on one host
 * @param lookEvery how often a stream looks for what is new
 * @param quiet how long a stream says nothing before it says that it is still there
 * @param memory how long moves of jobs are kept for streams that were broken off
 */
@ConfigurationProperties("gantry.stream")
record StreamSettings(
        @Bindable(defaultValue = "50") int mostOfStore,
        @Bindable(defaultValue = "500ms") Duration lookEvery,
        @Bindable(defaultValue = "15s") Duration quiet,
        @Bindable(defaultValue = "24h") Duration memory) {}
