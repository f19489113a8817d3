package farm.gantry.api.stream;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Duration;

/**
 * Settings of event streams.
 *
 * @param mostOfStore (plain-words: ok) maximum number of open streams per store and host
 * @param lookEvery interval between reads
 * @param quiet time without events after which a keep-alive comment is sent
 * @param memory retention of moves of jobs for interrupted streams
 */
@ConfigurationProperties("gantry.stream")
record StreamSettings(
        @Bindable(defaultValue = "50") int mostOfStore, // plain-words: ok
        @Bindable(defaultValue = "500ms") Duration lookEvery,
        @Bindable(defaultValue = "15s") Duration quiet,
        @Bindable(defaultValue = "24h") Duration memory) {}
