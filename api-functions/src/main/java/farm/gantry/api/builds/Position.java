package farm.gantry.api.builds;

import io.micronaut.serde.annotation.Serdeable;

/** Where in the queue new jobs go; at the back unless named. */
@Serdeable
public enum Position {
    front,
    back
}
