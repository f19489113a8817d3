package farm.gantry.order;

import io.micronaut.serde.annotation.Serdeable;

/**
 * Counts of an order's print jobs: the number needed, and those that wait, are at a printer, are completed, or failed without a
 * replacement. All are 0 until the order is first queued.
 */
@Serdeable
public record Progress(long wanted, long queued, long printing, long done, long failed) {
    static final String NONE = "{\"wanted\":0,\"queued\":0,\"printing\":0,\"done\":0,\"failed\":0}";
}
