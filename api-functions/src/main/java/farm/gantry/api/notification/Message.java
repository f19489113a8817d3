package farm.gantry.api.notification;

import io.micronaut.serde.annotation.Serdeable;
import org.jspecify.annotations.Nullable;

/**
 * A message to people: a title, one or two sentences, and the page of the console that shows more. {@code count} is how often
 * its event occurred within a minute; null for once.
 */
@Serdeable
public record Message(
        String title,
        String text,
        Severity severity,
        @Nullable String link,
        @Nullable Integer count) {

    Message(String title, String text, Severity severity, @Nullable String link) {
        this(title, text, severity, link, null);
    }

    /** Returns how often the event occurred. */
    int occurrences() {
        return count == null ? 1 : count;
    }

    /** The severity of a message, which becomes the priority of the service that sends it. */
    @Serdeable
    public enum Severity {
        info,
        warning,
        error
    }
}
