package farm.gantry.edge.journal;

import io.micronaut.serde.annotation.Serdeable;

/** The progress of a print. From {@code start_sent} on, the printer may be printing, and start is never sent again. */
@Serdeable
public enum JobStep {
    taken,
    downloaded,
    uploaded,
    start_sent,
    started,
    /** The printer has shown the print as running. */
    shown,
    ended
}
