package farm.gantry.edge.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.pattern.CompositeConverter;

/** The conversion word {@code %hidden(…)} of the log pattern, which masks secrets. */
public final class SecretMaskConverter extends CompositeConverter<ILoggingEvent> {
    @Override
    protected String transform(ILoggingEvent event, String line) {
        return SecretMask.mask(line);
    }
}
