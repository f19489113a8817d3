package farm.gantry.api.notification;

import io.micronaut.serde.annotation.Serdeable;
import org.jspecify.annotations.Nullable;

/** A message to people: a title, one or two sentences, and the page of the console that shows more. */
@Serdeable
public record Message(
        String title,
        String text,
        Severity severity,
        @Nullable String link) {

    /** The severity of a message, which becomes the priority of the service that sends it. */
    @Serdeable
    public enum Severity {
        info,
        warning,
        error
    }
}
