package farm.gantry.api.main.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import farm.gantry.api.apikey.ApiKeys;
import farm.gantry.api.fixture.Eventually;
import farm.gantry.api.main.InstallListener;
import farm.gantry.api.main.StandaloneServer;
import farm.gantry.api.main.process.DataFolderLock;
import farm.gantry.api.main.process.PostgresPrograms;
import farm.gantry.api.store.StoreRows;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests the PostgreSQL server of a single machine: its access control, and its restart after a crash. */
@Tag("install")
@Execution(ExecutionMode.CONCURRENT)
final class LocalPostgresTest {
    private static final String DATABASE = "gantry";
    private static final Map<String, String> QUICK = Map.of("fsync", "off");

    @TempDir
    Path folder;

    private static void assertClosed(String url, String role) {
        for (String password : new String[] {"", "postgres", "wrong"}) {
            assertThatThrownBy(() -> DriverManager.getConnection(url, role, password))
                    .as("%s with the password '%s'", role, password)
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("password");
        }
    }

    @Test
    void startOnAFullDiskSaysToFreeSpace() throws Exception {
        Path disk = Files.createDirectories(folder.resolve("disk"));
        assumeThat(execute("mount", "-t", "tmpfs", "-o", "size=12m", "gantry-test", disk.toString()))
                .as("this user may mount a tmpfs")
                .isTrue();
        try {
            assertThatThrownBy(() -> LocalPostgres.start(disk.resolve("postgres"), QUICK))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("PostgreSQL did not start, because the disk of " + disk)
                    .hasMessageContaining("is full: free space on it, and start again");
        } finally {
            execute("umount", disk.toString());
        }
    }

    private static boolean execute(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).start().waitFor() == 0;
    }

    private static void run(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void connectionNeedsThePasswordOnlyItsOwnerCanRead() throws Exception {
        try (LocalPostgres postgres = LocalPostgres.start(folder, QUICK)) {
            postgres.prepareDatabase(DATABASE);
            assertClosed(postgres.url(DATABASE), "postgres");
            assertClosed(postgres.url(DATABASE), "gantry_app");
            run(postgres.url(DATABASE) + "?user=gantry_app&password=" + postgres.password(), "select 1");
            for (String file : new String[] {"owner-password", "password"}) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(file))))
                        .isEqualTo("rw-------");
            }
            assertThat(LocalPostgres.ownerUrl(folder, DATABASE)).isEqualTo(postgres.ownerUrl(DATABASE));
        }
    }

    @Test
    void versionMatchesTheConfiguredPrograms() throws Exception {
        try (LocalPostgres postgres = LocalPostgres.start(folder, QUICK);
                Connection connection = DriverManager.getConnection(postgres.ownerUrl("postgres"));
                ResultSet version = connection.createStatement().executeQuery("show server_version")) {
            assertThat(version.next()).isTrue();
            assertThat(version.getString(1)).isEqualTo(PostgresPrograms.VERSION);
        }
    }

    @Test
    void failedStartNamesTheLog() throws Exception {
        LocalPostgres.start(folder, QUICK).close();
        Files.delete(folder.resolve("data/global/pg_control"));
        assertThatThrownBy(() -> LocalPostgres.start(folder, QUICK))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(folder.resolve("postgres.log").toString());
        assertThat(refusals()).isEqualTo(1);
    }

    @Test
    void interruptedInitializationIsRepeated() throws Exception {
        Path half = Files.createDirectories(folder.resolve("data.new"));
        Files.writeString(half.resolve("PG_VERSION"), LocalPostgres.MAJOR);
        Files.writeString(half.resolve("postgresql.conf"), "");
        try (LocalPostgres postgres = LocalPostgres.start(folder, QUICK)) {
            run(postgres.ownerUrl("postgres"), "create table kept (id integer)");
        }
        try (LocalPostgres again = LocalPostgres.start(folder, QUICK)) {
            run(again.ownerUrl("postgres"), "insert into kept values (1)");
        }
        assertThat(half).doesNotExist();
    }

    @Test
    void runningServerIsFoundByAnySpellingOfItsFolder() throws Exception {
        Path place = folder.resolve("place");
        try (LocalPostgres postgres = LocalPostgres.start(place.resolve("."), QUICK)) {
            Path link = Files.createSymbolicLink(folder.resolve("link"), place);
            for (Path written : new Path[] {place, link, place.resolve("../place")}) {
                assertThat(LocalPostgres.findRunningUrl(written, DATABASE))
                        .as(written.toString())
                        .contains(postgres.url(DATABASE));
            }
        }
    }

    @Test
    void dataOfAnOpenVersionIsKeptAndSecured() throws Exception {
        try (EmbeddedPostgres old = EmbeddedPostgres.builder()
                .setDataDirectory(folder.resolve("data"))
                .setOverrideWorkingDirectory(new PostgresPrograms(folder, folder.resolve("log"))
                        .archiveFolder()
                        .toFile())
                .setCleanDataDirectory(false)
                .setLocaleConfig("locale-provider", "builtin")
                .setLocaleConfig("builtin-locale", "C.UTF-8")
                .setPGStartupWait(Duration.ofMinutes(2))
                .start()) {
            run(old.getJdbcUrl("postgres", "postgres"), "create table kept as select 7 as seven");
        }
        try (LocalPostgres postgres = LocalPostgres.start(folder, QUICK)) {
            run(postgres.ownerUrl("postgres"), "insert into kept select seven + 1 from kept where seven = 7");
            assertClosed(postgres.url("postgres"), "postgres");
        }
        try (LocalPostgres again = LocalPostgres.start(folder, QUICK)) {
            run(again.ownerUrl("postgres"), "select 1 / (count(*) - 1) from kept");
        }
    }

    @Test
    @Tag("long")
    void requestIsUnavailableWhileTheServerIsDown() throws Exception {
        LocalPostgres postgres = LocalPostgres.start(folder.resolve("postgres"), QUICK);
        postgres.prepareDatabase(DATABASE);
        try (ApplicationContext context = ApplicationContext.builder()
                        .properties(Map.of(
                                "datasources.default.url",
                                postgres.url(DATABASE),
                                "datasources.default.password",
                                postgres.password(),
                                "datasources.default.connection-timeout",
                                5_000,
                                "gantry.pepper",
                                "pepper",
                                "gantry.secret-key",
                                "c2l4dGVlbiBieXRlcyBvZiBzaXh0ZWVuIGJ5dGVzISE=",
                                "gantry.files.folder",
                                folder.resolve("files").toString(),
                                "micronaut.server.port",
                                -1))
                        .deduceEnvironment(false)
                        .start();
                HttpClient client = HttpClient.newHttpClient()) {
            String url = context.getBean(EmbeddedServer.class).start().getURL().toString();
            String key = context.getBean(StoreRows.class)
                    .create("A farm", context.getBean(ApiKeys.class)::createOwner)
                    .key();
            assertThat(answer(client, listing(url, key)).statusCode()).isEqualTo(200);
            postgres.close();
            HttpResponse<String> gone = answer(client, listing(url, key));
            assertThat(gone.statusCode()).as(gone.body()).isEqualTo(503);
            assertThat(gone.headers().firstValue("retry-after")).isPresent();
            assertThat(gone.body()).contains("unavailable", "the database is unreachable");
        }
    }

    @Test
    void killedServerIsRestarted() throws Exception {
        BlockingQueue<String> notices = new LinkedBlockingQueue<>();
        InstallListener listener = new InstallListener() {
            @Override
            public void onNotice(String notice) {
                if (notice.startsWith("PostgreSQL")) {
                    notices.add(notice);
                }
            }
        };
        try (StandaloneServer machine = StandaloneServer.start(
                        folder,
                        Map.of(
                                "micronaut.server.port",
                                -1,
                                "gantry.rate-limit.per-minute",
                                0,
                                "datasources.default.connection-timeout",
                                5_000),
                        listener);
                HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest listing = listing(machine.url(), machine.ownerKey().orElseThrow());
            kill(folder.resolve("postgres"));
            assertThat(notices.poll(5, TimeUnit.MINUTES)).contains("PostgreSQL ended unexpectedly");
            while (notices.isEmpty()) {
                assertThat(answer(client, listing).statusCode()).isIn(200, 503);
            }
            assertThat(notices.poll(5, TimeUnit.MINUTES)).contains("PostgreSQL was restarted");
            HttpResponse<String> back = answer(client, listing);
            long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
            while (back.statusCode() == 503
                    && System.nanoTime() < deadline) { // the pool still holds connections of the old one
                back = answer(client, listing);
            }
            assertThat(back.statusCode()).as(back.body()).isEqualTo(200);
        }
    }

    @Test
    void startIsRetriedUntilItSucceeds() throws Exception {
        BlockingQueue<String> notices = new LinkedBlockingQueue<>();
        try (LocalPostgres postgres = LocalPostgres.start(folder, QUICK)) {
            postgres.prepareDatabase(DATABASE);
            postgres.restartOnFailure(notices::add);
            Path needed = folder.resolve("data/global/pg_control");
            Path hidden = Files.move(needed, folder.resolve("pg_control"));
            kill(folder);
            assertThat(notices.poll(5, TimeUnit.MINUTES)).contains("PostgreSQL ended unexpectedly");
            Eventually.until("it was tried twice", () -> refusals() > 1);
            Files.move(hidden, needed);
            assertThat(notices.poll(5, TimeUnit.MINUTES)).contains("PostgreSQL was restarted");
            run(postgres.ownerUrl(DATABASE), "select 1");
        }
        assertThat(LocalPostgres.isRunning(folder)).isFalse();
    }

    private static void kill(Path postgres) throws IOException, InterruptedException {
        String process = Files.readAllLines(postgres.resolve("data/postmaster.pid"))
                .getFirst()
                .strip();
        assertThat(new ProcessBuilder("kill", "-9", process).start().waitFor()).isZero();
    }

    private int refusals() {
        try {
            return Files.readString(folder.resolve("postgres.log"))
                            .split("could not find the database system", -1)
                            .length
                    - 1;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static HttpRequest listing(String url, String key) {
        return HttpRequest.newBuilder(URI.create(url + "/v1/parts"))
                .header("authorization", "ApiKey " + key)
                .timeout(Duration.ofSeconds(20))
                .build();
    }

    private static HttpResponse<String> answer(HttpClient client, HttpRequest request)
            throws IOException, InterruptedException {
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void folderInUseIsRejectedWithTheProcessThatHoldsIt() throws IOException {
        try (DataFolderLock _ = DataFolderLock.acquire(folder, "port 8080", Duration.ZERO)) {
            assertThatThrownBy(() -> DataFolderLock.acquire(folder, "port 8081", Duration.ZERO))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(String.valueOf(ProcessHandle.current().pid()))
                    .hasMessageContaining("port 8080")
                    .hasMessageContaining(folder.toString());
        }
        DataFolderLock.acquire(folder, "port 8081", Duration.ZERO).close();
    }
}
