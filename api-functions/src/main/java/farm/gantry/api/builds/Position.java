package farm.gantry.api.builds;

import io.micronaut.serde.annotation.Serdeable;

/** The position of new jobs in the queue; by default the back. */
@Serdeable
public enum Position {
    front,
    back
}
