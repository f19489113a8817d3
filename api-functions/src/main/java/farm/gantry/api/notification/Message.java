package farm.gantry.api.notification;

import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message to people: a title, one or two sentences, and the page of the console that shows more. {@code count} is how often
 * its event occurred within a minute; null for once. {@code picture} is null for a message without one.
 */
@Serdeable
public record Message(
        String title,
        String text,
        Severity severity,
        @Nullable String link,
        @Nullable Integer count,
        @Nullable PictureSource picture) {

    Message(String title, String text, Severity severity, @Nullable String link) {
        this(title, text, severity, link, null, null);
    }

    /** Returns the message with a picture from the source, or without one. */
    public Message withPicture(@Nullable PictureSource source) {
        return new Message(title, text, severity, link, count, source);
    }

    /**
     * The source of a message's picture, which is read when the message is sent: the camera of a printer, unless that is long after the event,
     * else a thumbnail.
     */
    @Serdeable
    public record PictureSource(
            Instant eventAt,
            @Nullable String cameraOf,
            @Nullable String thumbnailUri) {}

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
