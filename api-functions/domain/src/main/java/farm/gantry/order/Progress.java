package farm.gantry.order;

import io.micronaut.serde.annotation.Serdeable;

/**
 * Numbers of print jobs: those wanted for what is ordered, and of them those that wait, are at a printer or are done, and
 * those that failed and were not replaced. Nothing is wanted before it is queued for the first time.
 */
@Serdeable
public record Progress(long wanted, long queued, long printing, long done, long failed) {
    static final String NONE = "{\"wanted\":0,\"queued\":0,\"printing\":0,\"done\":0,\"failed\":0}";
}
