package farm.gantry.edge.printer;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** Captures the level and message of each log line of a class about one printer, until closed. */
final class CapturedLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Logger log;
    private final String about;
    private final List<String> lines = new CopyOnWriteArrayList<>();

    private CapturedLog(Logger log, String about) {
        this.log = log;
        this.about = about;
    }

    /** Captures only messages that contain {@code about}, because other tests run at the same time. */
    static CapturedLog of(Class<?> type, String about) {
        CapturedLog captured = new CapturedLog((Logger) LoggerFactory.getLogger(type), about);
        captured.start();
        captured.log.addAppender(captured);
        return captured;
    }

    List<String> lines() {
        return lines;
    }

    @Override
    protected void append(ILoggingEvent event) {
        if (event.getFormattedMessage().contains(about)) {
            lines.add(event.getLevel() + " " + event.getFormattedMessage());
        }
    }

    @Override
    public void close() {
        log.detachAppender(this);
    }
}
