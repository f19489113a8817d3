package farm.gantry.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import farm.gantry.Id;
import farm.gantry.api.main.ServeCommand;
import farm.gantry.api.main.postgres.FreePorts;
import farm.gantry.api.main.postgres.LocalPostgres;
import farm.gantry.api.main.process.ChildProcess;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A farm whose data is on its own disk, which becomes full and then has space again. Skipped for users who may not
 * mount one.
 */
@Tag("full")
@ResourceLock(OwnFarm.FIRST)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DiskFullTest {
    private static final String GROUPS = "/v1/materials/groups";
    private static final int DISK_MB = 320;
    private static final int RESERVE_MB = 32;
    private static final int MEGABYTE = 1 << 20;
    private static final int LAST_LINES = 40;
    /** A text so large that each record needs new pages on the disk. */
    private static final String NOTES = Stream.generate(Id::next).limit(800).reduce("", String::concat);

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<String> acknowledged = new ArrayList<>();

    @TempDir
    static Path folder;

    private @Nullable ChildProcess process;
    private Api api = new Api("http://127.0.0.1", "");
    private int monitoringPort;

    private Path disk() {
        return folder.resolve("disk");
    }

    private Path data() {
        return disk().resolve("data");
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).start().waitFor() == 0;
    }

    @BeforeAll
    void start() throws Exception {
        Files.createDirectories(disk());
        assumeThat(run("mount", "-t", "tmpfs", "-o", "size=" + DISK_MB + "m", "gantry-test", disk().toString()))
                .as("this user may mount a tmpfs")
                .isTrue();
        int port = FreePorts.choose();
        monitoringPort = FreePorts.choose();
        process = ChildProcess.start(
                "api",
                folder.resolve("logs"),
                ChildProcess.SMALL_JVM_OPTIONS,
                ServeCommand.class.getName(),
                List.of(
                        "--data=" + data(),
                        "--port=" + port,
                        "--set=gantry.monitoring.port=" + monitoringPort,
                        "--set=gantry.rate-limit.per-minute=0",
                        "--set=datasources.default.connection-timeout=5000",
                        "--set=gantry.files.min-free-bytes=" + RESERVE_MB * MEGABYTE));
        api = new Api("http://127.0.0.1:" + port, process.awaitLine("key "));
        process.awaitLine("url ");
    }

    @AfterEach
    void makeRoom() throws IOException {
        Files.deleteIfExists(ballast());
    }

    @AfterAll
    void stop() throws Exception {
        if (process != null) {
            process.close();
        }
        run("umount", disk().toString());
    }

    /** Fills the disk until only this many megabytes are free. */
    private void fill(int left) throws IOException {
        byte[] megabyte = new byte[MEGABYTE];
        try (OutputStream ballast = Files.newOutputStream(ballast())) {
            while (left == 0 || disk().toFile().getUsableSpace() > (long) left * MEGABYTE) {
                ballast.write(megabyte);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left");
        }
    }

    private Path ballast() {
        return disk().resolve("ballast");
    }

    private Path file(String name, int megabytes) throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(file, "; layer\n".repeat(megabytes * MEGABYTE / 8));
        return file;
    }

    private String ready() throws IOException, InterruptedException {
        URI url = URI.create("http://127.0.0.1:" + monitoringPort + "/health/ready");
        return http.send(HttpRequest.newBuilder(url).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    /** Returns the response to a change; records a created record. */
    private Api.Reply change() throws IOException {
        Map<String, String> group = Map.of("name", "group " + acknowledged.size(), "description", NOTES);
        Api.Reply reply = api.attempt("POST", GROUPS, group, Id.next());
        if (reply.status() == 201) {
            acknowledged.add(FarmCalls.text(api.parse(reply.body()), "id"));
        }
        return reply;
    }

    private void changeUntil(int status) {
        List<Api.Reply> replies = new ArrayList<>();
        Eventually.until(
                "a change is answered " + status,
                () -> {
                    try {
                        replies.add(change());
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                    assertThat(replies.getLast().status())
                            .as(replies.getLast().body())
                            .isIn(201, 503);
                    return replies.getLast().status() == status;
                },
                () -> replies.getLast() + "\n" + lastOf(data().resolve("postgres/postgres.log")) + "\n"
                        + lastOf(folder.resolve("logs/api.log")));
        assertThat(replies)
                .filteredOn(reply -> reply.status() == 503)
                .allSatisfy(reply -> assertThat(reply.body()).contains("\"unavailable\""));
    }

    private static String lastOf(Path log) {
        try {
            List<String> lines = Files.readAllLines(log);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> groups() throws IOException {
        return FarmCalls.each(api.get(GROUPS + "?fields=id&limit=1000"), "id");
    }

    private void assertHolds(String path, Path file) throws IOException {
        JsonNode signed = api.post("/v1/storage/signed-urls", Map.of("paths", List.of(path)));
        assertThat(api.fetch(signed.get("signedUrls").get(0).getStringValue())).isEqualTo(Files.readString(file));
    }

    private void assertNoDrafts() throws IOException {
        try (Stream<Path> drafts = Files.list(data().resolve("files/drafts"))) {
            assertThat(drafts).isEmpty();
        }
    }

    @Test
    void uploadsAreRejectedBeforePostgresRunsOutOfSpaceAndThenResume() throws Exception {
        Path small = file("small.gcode", 1);
        Path large = file("large.gcode", 24);
        String upload = api.upload(small);
        fill(RESERVE_MB + 12);
        assertThat(ready()).contains("up");
        assertThatThrownBy(() -> api.upload(large)).hasMessageContaining("503").hasMessageContaining("disk is full");
        assertNoDrafts();
        fill(RESERVE_MB - 1);
        assertThat(ready()).contains("the disk is full");
        assertThatThrownBy(() -> api.upload(small)).hasMessageContaining("503");
        assertThat(change().status()).isEqualTo(201);
        assertHolds(upload, small);
        Files.delete(ballast());
        assertThat(ready()).contains("up");
        assertHolds(api.upload(large), large);
        assertHolds(upload, small);
    }

    @Test
    void fullDiskRejectsWritesAndLosesNoAcknowledgedData() throws Exception {
        change();
        fill(0);
        changeUntil(503);
        assertThat(groups()).containsExactlyInAnyOrderElementsOf(acknowledged);
        Files.delete(ballast());
        changeUntil(201);
        assertThat(groups()).containsExactlyInAnyOrderElementsOf(acknowledged);
    }

    @Test
    void postgresRestartsWhenSpaceForItsLogIsAvailable() throws Exception {
        change();
        fill(0);
        String owner = LocalPostgres.ownerUrl(data().resolve("postgres"), "gantry");
        Eventually.until("the log cannot be written", () -> !switchLog(owner), () -> "it can");
        changeUntil(503);
        assumeThat(Files.readString(data().resolve("postgres/postgres.log")))
                .as("PostgreSQL came to write its log, and not only a table")
                .contains("PANIC");
        Files.delete(ballast());
        changeUntil(201);
        assertThat(groups()).containsExactlyInAnyOrderElementsOf(acknowledged);
        assertThat(ready()).contains("up");
    }

    /** Makes PostgreSQL continue in the next file of its log, which it must write whole before. */
    private static boolean switchLog(String owner) {
        try (Connection connection = DriverManager.getConnection(owner);
                Statement statement = connection.createStatement()) {
            statement.execute("select pg_logical_emit_message(false, 'fill', 'x'), pg_switch_wal()");
            return true;
        } catch (SQLException e) {
            return false;
        }
    }
}
