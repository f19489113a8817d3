package farm.gantry.local;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import farm.gantry.api.main.ServeCommand;
import farm.gantry.api.main.postgres.FreePorts;
import farm.gantry.api.main.process.ChildProcess;
import farm.gantry.edge.AgentCommand;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("two farms at once are more than a small machine can carry")
@Tag("full")
class FarmLauncherTest {
    private static final int PORTS = 30;

    @TempDir
    Path data;

    @Test
    @Tag("long")
    void upSkipsTheDemoWhenPrintJobsAreUnfinished() throws Exception {
        int port = FreePorts.choose(PORTS);
        try (ChildProcess first = up(port)) {
            first.awaitLine("Build ");
        }
        try (ChildProcess second = up(port)) {
            second.awaitLine("The farm stays up");
            assertThat(Files.readString(second.log()))
                    .contains("Skipping the demo, because the farm has unfinished print jobs");
        }
    }

    @Test
    @Tag("long")
    void upStartsWhileTheOwnerKeyIsRateLimited() throws Exception {
        int port = FreePorts.choose(PORTS);
        try (ChildProcess first = up(port, "--no-demo")) {
            first.awaitLine("The farm stays up");
            limitOwnersKey(port);
        }
        AtomicBoolean stopped = new AtomicBoolean();
        AtomicLong rateLimited = new AtomicLong();
        FarmApiClient client = ownersApi(port);
        Thread busy = Thread.ofPlatform().start(() -> {
            while (!stopped.get()) {
                rateLimited.addAndGet(isRateLimited(client) ? 1 : 0);
            }
        });
        try (ChildProcess second = up(port, "--no-demo")) {
            second.awaitLine("The farm stays up");
            Eventually.until("the client is rate limited", () -> rateLimited.get() > 0, rateLimited::get);
        } finally {
            stopped.set(true);
            busy.join();
        }
    }

    @Test
    @Tag("long")
    void upRestartsKilledApiAndAgent() throws Exception {
        int port = FreePorts.choose(PORTS);
        try (ChildProcess up = up(port, "--no-demo")) {
            up.awaitLine("The farm stays up");
            kill(up, AgentCommand.class);
            up.awaitLine("Process 'agent' was restarted");
            kill(up, ServeCommand.class);
            up.awaitLine("Process 'api' was restarted");
            FarmApiClient api = ownersApi(port);
            JsonNode printers = Eventually.see(
                    "both printers are online", () -> api.get("/v1/printers?isOnline=true"), list -> list.size() == 2);
            assertThat(printers.size()).isEqualTo(2);
            assertThat(up.isAlive()).isTrue();
        }
    }

    private void limitOwnersKey(int port) throws IOException {
        FarmApiClient api = ownersApi(port);
        JsonNode owner = api.get("/v1/api-keys?name=owner").get(0);
        api.patch("/v1/api-keys/" + FarmRequests.text(owner, "id"), Map.of("requestsPerMinute", 1));
    }

    private FarmApiClient ownersApi(int port) throws IOException {
        return new FarmApiClient("http://127.0.0.1:" + port, Files.readString(data.resolve("farm/owner.key")));
    }

    private static void kill(ChildProcess up, Class<?> main) {
        ProcessHandle process = up.handle()
                .children()
                .filter(child -> commandLine(child).contains("\0" + main.getName() + "\0"))
                .findFirst()
                .orElseThrow();
        process.destroyForcibly();
        process.onExit().join();
    }

    /** Reads the process table, because {@link ProcessHandle.Info#commandLine} is empty for one longer than a page. */
    private static String commandLine(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
        } catch (IOException e) {
            return "";
        }
    }

    private static boolean isRateLimited(FarmApiClient client) {
        try {
            return client.attempt("GET", "/v1/printers", Map.of(), Id.next()).status() == 429;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ChildProcess up(int port, String... options) throws IOException {
        return ChildProcess.start(
                "up",
                data.resolve("test-logs"),
                ChildProcess.SMALL_JVM_OPTIONS,
                FarmLauncher.class.getName(),
                Stream.concat(
                                Stream.of(
                                        "--data",
                                        data.resolve("farm").toString(),
                                        "--port",
                                        String.valueOf(port),
                                        "--speed",
                                        "1"),
                                Stream.of(options))
                        .toList());
    }
}
