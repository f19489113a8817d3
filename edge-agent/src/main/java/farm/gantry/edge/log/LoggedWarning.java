package farm.gantry.edge.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.CyclicBufferAppender;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A warning or error from the log. */
@Serdeable
public record LoggedWarning(Instant at, boolean isError, String text) {

    /** Returns the last few warnings of the running agent, the latest first. */
    public static List<LoggedWarning> latest() {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        return context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender(Logging.WARNINGS)
                        instanceof CyclicBufferAppender<ILoggingEvent> buffer
                ? IntStream.range(0, buffer.getLength())
                        .mapToObj(buffer::get)
                        .map(LoggedWarning::fromEvent)
                        .sorted(Comparator.comparing(LoggedWarning::at).reversed())
                        .toList()
                : List.of();
    }

    private static LoggedWarning fromEvent(ILoggingEvent event) {
        return new LoggedWarning(
                event.getInstant(),
                event.getLevel().isGreaterOrEqual(Level.ERROR),
                SecretMask.mask(event.getFormattedMessage()));
    }
}
