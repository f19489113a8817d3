package farm.gantry.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.api.main.BackupCommand;
import farm.gantry.api.main.RestoreCommand;
import farm.gantry.api.main.RestoreDrill;
import farm.gantry.api.main.StandaloneServer;
import farm.gantry.api.main.postgres.LocalPostgres;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Backs up a farm's data to an archive, and restores it to a folder. */
@Tag("full")
@ResourceLock(OwnFarm.FIRST)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class BackupCommandTest {
    private static final String DATABASE = "gantry";

    private final Farm farm = Farm.start(Map.of());

    @TempDir
    Path folder;

    @AfterAll
    void close() throws IOException {
        farm.close();
    }

    private Path backUp() throws IOException {
        Path archive = folder.resolve("farm.zip");
        BackupCommand.writeArchive(farm.data(), archive);
        return archive;
    }

    @Test
    void backupUnderLoadKeepsAcknowledgedDataAndResetsBedConfirmations() throws Exception {
        try (FarmPrinter machine = farm.addPrinter("printer")) {
            machine.confirmBed();
            List<String> acknowledged = new ArrayList<>();
            AtomicBoolean isOver = new AtomicBoolean();
            Thread load = Thread.ofVirtual().start(() -> changeWithout(isOver, acknowledged));
            Eventually.until("ten parts are made", () -> count(acknowledged) >= 10, acknowledged::size);
            List<String> before;
            synchronized (acknowledged) {
                before = List.copyOf(acknowledged);
            }
            Path archive = backUp();
            isOver.set(true);
            load.join();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(archive)))
                    .isEqualTo("rw-------");

            Path restored = folder.resolve("restored");
            RestoreCommand.restoreArchive(archive, restored);
            try (StandaloneServer again = StandaloneServer.start(
                    restored, Map.of("micronaut.server.port", -1, "gantry.worker.in-process", false))) {
                FarmApiClient api = new FarmApiClient(again.url(), farm.key());
                assertThat(FarmRequests.fieldValues(api.get("/v1/parts?fields=id"), "id"))
                        .containsAll(before);
                for (JsonNode part : api.get("/v1/parts?type=gcode").values()) {
                    String uri = part.get("fileUris").get(0).getStringValue();
                    JsonNode signed = api.post("/v1/storage/signed-urls", Map.of("paths", List.of(uri)));
                    assertThat(api.fetchText(signed.get("signedUrls").get(0).getStringValue()))
                            .contains("estimated printing time");
                }
                JsonNode printer = api.get("/v1/printers/" + machine.id());
                assertThat(printer.get("confirmedReady").getBooleanValue()).isFalse();
                assertThat(api.get("/v1/queue").get("paused").getBooleanValue()).isTrue();
            }
            assertThat(Files.exists(restored.resolve("restored"))).isFalse();
        }
    }

    private void changeWithout(AtomicBoolean isOver, List<String> acknowledged) {
        try {
            for (int i = 0; !isOver.get(); i++) {
                JsonNode part = farm.createPart("gcode", PrintFiles.gcode(farm.createFolder(), "part" + i, 60));
                synchronized (acknowledged) {
                    acknowledged.add(FarmRequests.text(part, "id"));
                }
                if (i % 3 == 2) { // rows that no backup lists: created and deleted while it runs
                    JsonNode gone = farm.createPart("gcode", PrintFiles.gcode(farm.createFolder(), "gone" + i, 60));
                    farm.api().delete("/v1/parts/" + FarmRequests.text(gone, "id"));
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int count(List<String> list) {
        synchronized (list) {
            return list.size();
        }
    }

    /** Runs last, because it stops the farm. */
    @Test
    @Order(Integer.MAX_VALUE)
    void restoredFarmHasTheSameRecordsAndFiles() throws Exception {
        try (FarmPrinter machine = farm.addPrinter("printer")) {
            String part = farm.readyPart("gcode3mf", PrintFiles.twoPlates(farm.createFolder(), "plates"));
            machine.confirmBed();
            farm.awaitJob(farm.build(part, 2, Map.of()).getFirst(), "Completed");
            farm.stop();
            Path archive = backUp();
            Path restored = folder.resolve("restored");
            RestoreCommand.restoreArchive(archive, restored);
            assertThat(records(restored)).isEqualTo(records(farm.data()));
            assertThat(files(restored)).isEqualTo(files(farm.data())).hasSizeGreaterThan(5);
            for (String secret : List.of("pepper", "secret-key")) {
                assertThat(restored.resolve(secret))
                        .hasSameBinaryContentAs(farm.data().resolve(secret));
            }
            assertThatThrownBy(() -> RestoreCommand.restoreArchive(archive, restored))
                    .hasMessageContaining("is not empty");
        }
    }

    @Test
    void drillReadsAllRecordsAndFilesAndLeavesNothing() throws Exception {
        farm.readyPart("gcode3mf", PrintFiles.twoPlates(farm.createFolder(), "plates"));
        Path archive = backUp();
        Path drills = Files.createDirectory(folder.resolve("drills"));
        RestoreDrill.Result result = RestoreDrill.run(archive, drills);
        assertThat(result.records()).isGreaterThan(5);
        assertThat(result.files()).isGreaterThan(1);
        assertThat(drills).isEmptyDirectory();

        Path incomplete = folder.resolve("incomplete");
        RestoreCommand.restoreArchive(archive, incomplete);
        try (Stream<Path> files = Files.walk(incomplete.resolve("files/files"))) {
            for (Path file : files.filter(file -> file.toString().endsWith(".3mf"))
                    .filter(Files::isRegularFile)
                    .toList()) {
                Files.delete(file);
            }
        }
        Path without = folder.resolve("without-files.zip");
        BackupCommand.writeArchive(incomplete, without);
        assertThatThrownBy(() -> RestoreDrill.run(without, drills))
                .hasMessageMatching("the file files:.* of a part is missing or damaged");
        assertThat(drills).isEmptyDirectory();
    }

    @Test
    void restoreRejectsDamagedArchivesAndARunningFarm() throws Exception {
        Path archive = backUp();
        assertThatThrownBy(() -> RestoreCommand.restoreArchive(archive, farm.data()))
                .hasMessageContaining("is running");
        Path restored = folder.resolve("restored");
        Path torn = folder.resolve("torn.zip");
        byte[] whole = Files.readAllBytes(archive);
        for (int length : new int[] {0, 1000, whole.length / 2, whole.length - 1}) {
            Files.write(torn, Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> RestoreCommand.restoreArchive(torn, restored))
                    .hasMessageContaining("is not a complete backup");
        }
        Files.write(torn, whole);
        try (FileSystem zip = FileSystems.newFileSystem(torn)) {
            Files.writeString(zip.getPath("pepper"), "another");
        }
        assertThatThrownBy(() -> RestoreCommand.restoreArchive(torn, restored))
                .hasMessageContaining("is damaged at pepper");
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).containsExactlyInAnyOrder(archive, torn);
        }
    }

    /** Returns the hash of all rows for each table. */
    private static Map<String, String> records(Path data) throws IOException, SQLException {
        Map<String, String> records = new TreeMap<>();
        try (LocalPostgres postgres = LocalPostgres.start(data.resolve("postgres"));
                Connection connection = DriverManager.getConnection(postgres.ownerUrl(DATABASE));
                Statement statement = connection.createStatement()) {
            for (String table : texts(statement, """
                    select format('%I.%I', table_schema, table_name) from information_schema.tables
                    where table_schema in ('farm', 'flyway') and table_type = 'BASE TABLE'""")) {
                records.put(
                        table,
                        texts(
                                        statement,
                                        "select count(*) || ' ' || md5(string_agg(t::text, ' ' order by t::text)) from "
                                                + table + " t")
                                .toString());
            }
        }
        assertThat(records).hasSizeGreaterThan(40);
        return records;
    }

    private static List<String> texts(Statement statement, String sql) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                texts.add(String.valueOf(rows.getString(1)));
            }
        }
        return texts;
    }

    private static Map<String, List<Byte>> files(Path data) throws IOException {
        Map<String, List<Byte>> files = new TreeMap<>();
        try (Stream<Path> tree = Files.walk(data.resolve("files"))) {
            for (Path file : tree.filter(Files::isRegularFile).toList()) {
                List<Byte> bytes = new ArrayList<>();
                for (byte each : Files.readAllBytes(file)) {
                    bytes.add(each);
                }
                files.put(data.relativize(file).toString(), bytes);
            }
        }
        return files;
    }
}
