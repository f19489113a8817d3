package farm.gantry;

import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;

/** A record that was created, updated or deleted; {@code type} is its resource, such as {@code part}. */
@Serdeable
public record RecordChanged(String type, String id, Change change, Instant at) {
    @Serdeable
    public enum Change {
        created,
        updated,
        deleted
    }
}
