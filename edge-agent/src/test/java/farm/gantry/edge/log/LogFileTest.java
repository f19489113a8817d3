package farm.gantry.edge.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.util.Duration;
import ch.qos.logback.core.util.FileSize;
import farm.gantry.edge.Eventually;
import farm.gantry.edge.FakeApi;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uses the log configuration of {@link Logging}, with files of 10 kB instead of 5 MB. */
class LogFileTest {
    private static final int KILOBYTES = 10;

    private final LoggerContext context = new LoggerContext();
    private final Logger logger;
    private final Path folder;
    private final LogFile log;

    LogFileTest(@TempDir Path data) {
        this.folder = data.resolve("logs");
        this.log = new LogFile(data);
        Logging logging = new Logging();
        logging.setContext(context);
        context.getLogger(Logger.ROOT_LOGGER_NAME)
                .addAppender(logging.file(folder.toString(), new FileSize(KILOBYTES << 10), new Duration(0)));
        context.setMDCAdapter(new LogbackMDCAdapter());
        this.logger = context.getLogger("Line");
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    @Test
    void logKeepsAtMostTenFiles() throws IOException {
        for (int i = 0; i < 4_000; i++) {
            logger.info("line {} of many", i);
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files)
                    .hasSize(10)
                    .allSatisfy(file -> assertThat(file.toFile().length()).isLessThan((KILOBYTES + 1) << 10));
        }
        assertThat(log.tail(1)).singleElement().asString().contains("line 3999 of many");
    }

    @Test
    void tokensAndAccessCodesAreMaskedInTheLog() throws IOException {
        SecretMask.register("agent-token-1");
        SecretMask.register(FakeApi.vendorA("k1", 1, "SERIAL", "access-code-1"));
        logger.warn("refused: access-code-1", new IOException("Authorization: AgentToken agent-token-1"));
        assertThat(Files.readString(log.path()))
                .contains("refused: ********", "AgentToken ********", "LogFileTest")
                .doesNotContain("access-code-1")
                .doesNotContain("agent-token-1");
    }

    @Test
    void followingTheLogReturnsEveryLineAcrossFiles() throws Exception {
        logger.info("the first");
        assertThat(log.tail(10)).singleElement().asString().contains("the first");
        StringWriter out = new StringWriter();
        Thread reader = Thread.ofVirtual().start(() -> follow(new PrintWriter(out, true)));
        for (int i = 0; i < 150; i++) {
            logger.info("line {} of many", i);
        }
        Eventually.until("the last one is read", () -> out.toString().contains("line 149 of many"), out::toString);
        reader.interrupt();
        List<String> lines = out.toString().lines().toList();
        assertThat(lines).hasSize(150).first().asString().contains("line 0 of many");
    }

    private void follow(PrintWriter out) {
        try {
            log.follow(out::println);
        } catch (IOException e) {
            out.println(e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
