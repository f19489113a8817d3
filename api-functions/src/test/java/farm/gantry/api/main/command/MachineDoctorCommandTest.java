package farm.gantry.api.main.command;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.main.StandaloneServer;
import farm.gantry.api.main.postgres.FreePorts;
import farm.gantry.version.ProductVersion;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Tests {@code gantry doctor} on a running and on a stopped server. */
@Tag("install")
final class MachineDoctorCommandTest {
    /** Words only, which no rule but that of the settings recognizes as a secret. */
    private static final String BROKER_PASSWORD = "correct-horse";

    @TempDir
    Path folder;

    private final int port;
    private final StringWriter output = new StringWriter();

    MachineDoctorCommandTest() throws IOException {
        port = FreePorts.choose(2);
    }

    private StandaloneServer startServer() throws IOException {
        return StandaloneServer.start(
                folder.resolve("data"),
                Map.of(
                        "micronaut.server.port",
                        port,
                        "micronaut.server.host",
                        "127.0.0.1",
                        "gantry.monitoring.port",
                        port + 1,
                        "gantry.worker.in-process",
                        false));
    }

    private int runAdminDoctor() {
        output.getBuffer().setLength(0);
        return GantryCommand.commandLine()
                .setOut(new PrintWriter(output, true))
                .execute("admin", "doctor", "--data", folder.resolve("data").toString());
    }

    private int runDoctor() throws IOException {
        output.getBuffer().setLength(0);
        Path file = Files.writeString(
                folder.resolve("gantry.properties"),
                "port=" + port + "\ndata=" + folder.resolve("data") + "\ngantry.worker.in-process=false\n");
        CommandLine line = GantryCommand.commandLine().setOut(new PrintWriter(output, true));
        return GantryCommand.execute(line, new ServerSettingsFile(file), List.of("doctor"));
    }

    /** Writes a bundle about the server, and returns all its text. */
    private String readBundle(String... options) throws IOException {
        Path archive = folder.resolve("support.zip");
        Path file = Files.writeString(
                folder.resolve("gantry.properties"),
                "port=" + port + "\ndata=" + folder.resolve("data")
                        + "\ngantry.worker.in-process=false\ngantry.events.broker.password=" + BROKER_PASSWORD + "\n");
        List<String> arguments = new ArrayList<>(List.of("support-bundle", "--to", archive.toString()));
        arguments.addAll(List.of(options));
        CommandLine line = GantryCommand.commandLine()
                .setOut(new PrintWriter(output, true))
                .setErr(new PrintWriter(output, true));
        assertThat(GantryCommand.execute(line, new ServerSettingsFile(file), arguments))
                .as(output.toString())
                .isZero();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(archive)))
                .isEqualTo("rw-------");
        StringBuilder text = new StringBuilder();
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            for (ZipEntry entry : Collections.list(zip.entries())) {
                text.append("== ").append(entry.getName()).append('\n');
                text.append(new String(zip.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        Files.delete(archive);
        return text.toString();
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("data"))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void runningServerPassesAllChecksAndItsSupportBundleHasNoSecrets() throws IOException {
        try (StandaloneServer server = startServer()) {
            List<String> before = files();
            assertThat(runDoctor()).as(output.toString()).isZero();
            assertThat(output.toString())
                    .contains(
                            "ok    data folder " + folder.resolve("data") + " writable\n",
                            "ok    port " + port + " open\n",
                            "ok    server ready\n",
                            "ok    database and secrets\n",
                            "ok    file storage\n",
                            "ok    clock equal to that of the database\n",
                            "ok    migrations complete\n",
                            "warn  daily backup: none is made; set gantry.backup.folder\n")
                    .doesNotContain("FAIL");
            assertThat(runAdminDoctor()).as(output.toString()).isZero();
            assertThat(output.toString()).contains("ok    database and secrets\n", "ok    migrations complete\n");
            assertThat(files()).isEqualTo(before);
            assertBundleHasNoSecrets(server);
        }
    }

    private void assertBundleHasNoSecrets(StandaloneServer server) throws IOException {
        List<String> secrets = new ArrayList<>(List.of(server.ownerKey().orElseThrow(), BROKER_PASSWORD));
        for (String file : List.of("pepper", "secret-key", "postgres/password", "postgres/owner-password")) {
            secrets.add(Files.readString(folder.resolve("data").resolve(file)).strip());
        }
        Path log = folder.resolve("server.log");
        Files.writeString(
                log,
                "10:00:00.000 ERROR f.g.api.main.ApiServer - cannot connect as " + String.join(" or ", secrets) + "\n");
        String bundle = readBundle("--log", log.toString());
        secrets.forEach(secret -> assertThat(bundle.contains(secret)).as(secret).isFalse());
        assertThat(bundle)
                .contains(
                        "gantry " + ProductVersion.CURRENT + "\n",
                        "gantry.worker.in-process=false\n",
                        "gantry.events.broker.password=(set, not shown)\n",
                        "ok    server ready\n",
                        "gantry_info{version=",
                        "schema V",
                        "rows of apiKey: 1\n",
                        "== logs/server.log.txt\n10:00:00.000 ERROR f.g.api.main.ApiServer - cannot connect as <");
    }

    @Test
    void stoppedServerFailsAndStaysStopped() throws IOException {
        startServer().close();
        assertThat(runDoctor()).isEqualTo(1);
        assertThat(output.toString())
                .contains(
                        "FAIL  port " + port + " open: nothing listens at 127.0.0.1 port " + port
                                + "; start it, as with: sudo systemctl start gantry\n",
                        "FAIL  server ready: no server answers at http://127.0.0.1:" + (port + 1),
                        "ok    secrets found\n",
                        "warn  database: not checked, because the server is stopped; start it and run this again\n");
        assertThat(runAdminDoctor()).as(output.toString()).isZero();
        assertThat(output.toString())
                .contains("ok    secrets found\n", "warn  database: not checked, because the server is stopped;");
        assertThat(readBundle()).contains("FAIL  server ready", "or the server is stopped.\n");
        assertThat(folder.resolve("data/postgres/data/postmaster.pid")).doesNotExist();
    }

    @Test
    void missingSecretIsReportedAndNotCreated() throws IOException {
        Path pepper = folder.resolve("data/pepper");
        try (StandaloneServer _ = startServer()) {
            Files.delete(pepper);
            assertThat(runDoctor()).isEqualTo(1);
            assertThat(output.toString())
                    .contains("FAIL  secrets: there is no file " + pepper + "; restore it from a backup\n");
            assertThat(pepper).doesNotExist();
        }
    }
}
