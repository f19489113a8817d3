package farm.gantry.edge.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.filter.ThresholdFilter;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.read.CyclicBufferAppender;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.spi.ContextAware;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.spi.LifeCycle;
import ch.qos.logback.core.util.Duration;
import ch.qos.logback.core.util.FileSize;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import org.slf4j.LoggerFactory;

/**
 * Writes the log to the error output; a running agent also writes it to files of its data folder, and keeps warnings
 * for its status page. Configured in code, because Logback's XML would slow down the packaged agent's start and enlarge
 * it. A configuration that is named to Logback takes precedence.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_TOP_PRIORITY)
public final class Logging extends ContextAwareBase implements Configurator {
    static final String FILE = "FILE";
    static final String WARNINGS = "WARNINGS";

    private static final String LINE = "%-5level %logger{0} %hidden(%msg%n%ex)";
    private static final int KEPT_WARNINGS = 20;
    private static final int OLD_FILES = 9;
    private static final FileSize MAX_SIZE = new FileSize(5 * FileSize.MB_COEFFICIENT);
    private static final Duration POLL_INTERVAL = Duration.buildBySeconds(1);

    @Override
    public ExecutionStatus configure(LoggerContext logs) {
        if (isNamedElsewhere()) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        Logger root = root(logs);
        root.setLevel(Level.toLevel(System.getenv("GANTRY_LOG"), Level.INFO));
        root.addAppender(errorOutput());
        logs.getLogger("io.netty").setLevel(Level.WARN);
        logs.getLogger("io.micronaut").setLevel(Level.WARN);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /** Starts to write the log also to files in this folder. */
    static void writeFilesTo(Path folder) {
        if (!isNamedElsewhere()) {
            LoggerContext logs = (LoggerContext) LoggerFactory.getILoggerFactory();
            Logging logging = new Logging();
            logging.setContext(logs);
            root(logs).addAppender(logging.file(folder.toString(), MAX_SIZE, POLL_INTERVAL));
            root(logs).addAppender(logging.warnings());
        }
    }

    private static boolean isNamedElsewhere() {
        return System.getProperty("logback.configurationFile") != null;
    }

    private static Logger root(LoggerContext logs) {
        return logs.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    private Appender<ILoggingEvent> errorOutput() {
        ConsoleAppender<ILoggingEvent> output = withContext(new ConsoleAppender<>());
        output.setTarget("System.err");
        output.setEncoder(encoder("HH:mm:ss.SSS"));
        return startComponent(output);
    }

    /**
     * Returns an appender that rotates ten files. They are numbered instead of dated, so that a changed clock deletes
     * none.
     */
    Appender<ILoggingEvent> file(String folder, FileSize maxSize, Duration checkInterval) {
        RollingFileAppender<ILoggingEvent> file = withContext(new RollingFileAppender<>());
        file.setName(FILE);
        file.setFile(folder + "/agent.log");
        file.setEncoder(encoder("yyyy-MM-dd'T'HH:mm:ss.SSSXXX"));
        FixedWindowRollingPolicy rolling = withContext(new FixedWindowRollingPolicy());
        rolling.setParent(file);
        rolling.setFileNamePattern(folder + "/agent.%i.log");
        rolling.setMinIndex(1);
        rolling.setMaxIndex(OLD_FILES);
        file.setRollingPolicy(startComponent(rolling));
        SizeBasedTriggeringPolicy<ILoggingEvent> full = withContext(new SizeBasedTriggeringPolicy<>());
        full.setMaxFileSize(maxSize);
        full.setCheckIncrement(checkInterval);
        file.setTriggeringPolicy(startComponent(full));
        return startComponent(file);
    }

    private Appender<ILoggingEvent> warnings() {
        CyclicBufferAppender<ILoggingEvent> warnings = withContext(new CyclicBufferAppender<>());
        warnings.setName(WARNINGS);
        warnings.setMaxSize(KEPT_WARNINGS);
        ThresholdFilter filter = withContext(new ThresholdFilter());
        filter.setLevel(Level.WARN.levelStr);
        warnings.addFilter(startComponent(filter));
        return startComponent(warnings);
    }

    private Encoder<ILoggingEvent> encoder(String time) {
        PatternLayout layout = withContext(new PatternLayout());
        layout.getInstanceConverterMap().put("hidden", SecretMaskConverter::new);
        layout.setPattern("%nopex%d{" + time + "} " + LINE);
        LayoutWrappingEncoder<ILoggingEvent> encoder = withContext(new LayoutWrappingEncoder<>());
        encoder.setLayout(startComponent(layout));
        encoder.setCharset(StandardCharsets.UTF_8);
        return startComponent(encoder);
    }

    private <T extends ContextAware> T withContext(T part) {
        part.setContext(Objects.requireNonNull(getContext()));
        return part;
    }

    private static <T extends LifeCycle> T startComponent(T part) {
        part.start();
        return part;
    }
}
