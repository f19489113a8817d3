package farm.gantry.api.main.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import farm.gantry.StoreId;
import farm.gantry.api.apikey.ApiKeys;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.MovedStores;
import farm.gantry.api.database.Secrets;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.FurnishedStore;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.fixture.StreamClient;
import farm.gantry.api.fixture.Uploads;
import farm.gantry.api.main.postgres.LocalPostgres;
import farm.gantry.api.store.StoreRows;
import io.micronaut.context.ApplicationContext;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Moves a furnished store to an installation with another cluster, secret key and pepper, while its printers print. */
@Tag("long")
final class StoreMoveTest {
    private static final String DATABASE = "farm";
    /** The secret of the furnished store's webhook. */
    private static final String SECRET = "0123456789012345678901234567890123456789";

    private static final String NEW_ADDRESS = "https://new.example";
    private static final String OTHER_SECRET_KEY = "OTg3NjU0MzIxMDk4NzY1NDMyMTA5ODc2NTQzMjEwOTg=";
    private static final Pattern REMEDY = Pattern.compile("GANTRY_PEPPER='([^']+)'");

    private static final Set<String> STAY = Set.of(
            "deviceClaim", "jobMove", "recordChange", "movedStore", "pairingCode", "signInCode", "still", "wakeup");

    /** Columns whose values belong to the installation. */
    private static final Set<String> OWN_COLUMNS =
            Set.of("changed", "sequence", "queueOrder", "hash", "tokenHash", "lastSeenAt", "streamEpoch");

    @TempDir
    Path folder;

    private final FurnishedStore furnished = FurnishedStore.open();
    private final SharedApi.Store store = furnished.store();
    private final Client before = furnished.client();
    private final FakeAgent agent = furnished.fakeAgent();

    @Test
    void storeMovesWhileItPrints() throws Exception {
        FurnishedStore neighbour = FurnishedStore.open();
        String untouched = neighbour.hash();
        String printing = agent.printer("moving", "");
        String waiting = agent.printer("waiting", "");
        agent.job("");
        agent.job("");
        agent.round();
        Map<String, Object> commands = starts(agent.exchange());
        assertThat(commands)
                .as("a start for each printer")
                .containsKeys(agent.deviceOf(printing), agent.deviceOf(waiting));
        acknowledge(agent, Objects.requireNonNull(commands.get(agent.deviceOf(printing))));
        String job = String.valueOf(agent.stateOf(printing).at("printingJobId"));
        agent.happened(printing, "jobStarted", job);
        Map<String, Object> started = agent.event(printing, "jobPaused", Map.of("jobId", job, "attempt", 1));
        agent.exchange(List.of(started), List.of(), List.of());
        Answer created = before.with("Idempotency-Key", "once").post("/v1/sequences", "{\"name\":\"twice?\"}");
        assertThat(created.status()).isEqualTo(201);
        Answer upload = before.post("/v1/storage/signed-upload-urls", "{\"filenames\":[\"late.gcode\"]}");
        String staged = new Uploads(before).put("staged.gcode", "G28 ; staged");
        String position;
        try (StreamClient events = StreamClient.openAt(SharedApi.url(), store.key(), "")) {
            position = events.until(event -> event.name().equals("ready")).id();
        }

        Path archive = folder.resolve("store.zip");
        new StoreExport(SharedApi.context()).write(store.id().value(), archive);
        assertThat(entry(archive, StoreManifest.RECORDS + "notificationSetting"))
                .contains("sealed:v0:")
                .doesNotContain(SECRET);
        assertThat(entry(archive, StoreManifest.ENTRY)).doesNotContain("\"" + SharedApi.PEPPER + "\"");
        Answer unserved = before.get("/v1/printers");
        assertThat(unserved.status()).as(unserved.text()).isEqualTo(503);
        assertThat(unserved.header("Retry-After")).isEqualTo("10");
        assertThat(agent.link(message("nobody", 0)).status()).isEqualTo(503);
        Object url = upload.at("signedUrls[0].uploadUrl");
        assertThat(Socket.to(url)
                        .send("PUT", Uploads.target(url), Client.utf8("G28"))
                        .status())
                .isEqualTo(503);
        assertThat(SharedApi.bean(Database.class).findStores("all_stores"))
                .contains(neighbour.store().id())
                .doesNotContain(store.id());

        try (LocalPostgres postgres = LocalPostgres.start(folder.resolve("postgres"), Map.of("fsync", "off"))) {
            postgres.prepareDatabase(DATABASE);
            run(postgres.ownerUrl(DATABASE), Files.readString(Path.of("src/test/resources/example/shelf.sql")));
            String pepper;
            try (ApplicationContext other = install(postgres, "another-pepper")) {
                pepper = remedy(other, archive);
            }
            try (ApplicationContext other = install(postgres, pepper)) {
                ApiKeys.CreatedKey resident =
                        other.getBean(StoreRows.class).create("A resident", other.getBean(ApiKeys.class)::createOwner);
                StoreImport.Result imported = importInto(other, archive);
                assertThat(imported.storeId()).isEqualTo(store.id().value());
                assertThat(rows(postgres.ownerUrl(DATABASE))).isEqualTo(rows(SharedApi.ownerUrl()));
                assertThatThrownBy(() -> importInto(other, archive)).hasMessageContaining("exists");

                SharedApi.bean(MovedStores.class).announce(store.id().value(), NEW_ADDRESS);
                Answer moved = before.get("/v1/printers");
                assertThat(moved.status()).isEqualTo(421);
                assertThat(moved.at("error")).isEqualTo("store_moved");
                Answer redirected = agent.link(message("nobody", 0));
                assertThat(redirected.status()).isEqualTo(421);
                assertThat(redirected.at("address")).isEqualTo(NEW_ADDRESS);
                assertThatThrownBy(() -> SharedApi.bean(MovedStores.class)
                                .undo(store.id().value()))
                        .hasMessageContaining(NEW_ADDRESS);

                Socket host =
                        new Socket(other.getBean(EmbeddedServer.class).getURL().toString());
                Client after = Client.of(host, store.key());
                FakeAgent follower = agent.at(host);
                Map<String, Object> unconfirmed = new LinkedHashMap<>(commands);
                unconfirmed.remove(agent.deviceOf(printing));
                assertThat(starts(follower.exchange(List.of(started), List.of(), List.of())))
                        .as("the starts that were not confirmed")
                        .isEqualTo(unconfirmed);
                unconfirmed.values().forEach(command -> acknowledge(follower, command));
                assertThat(starts(follower.exchange())).isEmpty();
                assertThat(follower.status(job)).isEqualTo("Paused");
                follower.happened(printing, "jobResumed", job);
                follower.happened(printing, "jobCompleted", job);
                assertThat(follower.status(job)).isEqualTo("Completed");
                assertThat(after.get("/v1/print-history?printJobId=" + job).each("id"))
                        .hasSize(1);

                Answer repeated = after.with("Idempotency-Key", "once").post("/v1/sequences", "{\"name\":\"twice?\"}");
                assertThat(repeated.at("id")).isEqualTo(created.at("id"));
                assertThat(secret(other.getBean(Database.class), other.getBean(Secrets.class)))
                        .isEqualTo(SECRET);
                String part = after.made("/v1/parts", """
                        {"name": "staged", "type": "gcode", "fileUris": ["%s"]}""".formatted(staged));
                Answer signed = after.post(
                        "/v1/storage/signed-urls",
                        "{\"paths\":[\"" + after.get("/v1/parts/" + part).at("fileUris[0]") + "\"]}");
                assertThat(Client.of(host)
                                .get(Uploads.target(signed.at("signedUrls[0]")))
                                .text())
                        .isEqualTo("G28 ; staged");
                try (StreamClient events = StreamClient.openAt(
                        other.getBean(EmbeddedServer.class).getURL().toString(),
                        store.key(),
                        "",
                        "Last-Event-ID",
                        position)) {
                    assertThat(events.next().name()).isEqualTo("reset");
                }
                String late = follower.jobOf(String.valueOf(follower.stored(job).at("partId")), "");
                assertThat(after.get("/v1/print-jobs?sort=queueOrder:desc&limit=1")
                                .each("id"))
                        .containsExactly(late);
                assertThat(other.getBean(Database.class).findStores("all_stores"))
                        .containsExactlyInAnyOrder(store.id(), new StoreId(resident.storeId()));
            }
        }
        assertThat(neighbour.hash()).isEqualTo(untouched);
    }

    private String message(String session, long sequence) {
        return """
                {"session": "%s", "sequence": %d, "reports": [], "events": [], "acks": []}""".formatted(session, sequence);
    }

    /** Returns the ids of the pending starts by device. */
    private static Map<String, Object> starts(Answer answer) {
        Map<String, Object> starts = new LinkedHashMap<>();
        for (JsonNode command : answer.json().get("commands").values()) {
            if (command.get("action").get("jobId") != null) {
                starts.put(
                        command.get("deviceId").getStringValue(),
                        command.get("commandId").getStringValue());
            }
        }
        return starts;
    }

    private static void acknowledge(FakeAgent agent, Object command) {
        agent.exchange(List.of(), List.of(Map.of("commandId", command, "outcome", "taken")), List.of());
    }

    private ApplicationContext install(LocalPostgres postgres, String pepper) throws IOException {
        return SharedApi.another(Map.of(
                "datasources.default.url",
                postgres.url(DATABASE),
                "datasources.default.password",
                postgres.password(),
                "gantry.pepper",
                pepper,
                "gantry.secret-key",
                OTHER_SECRET_KEY,
                "gantry.files.folder",
                folder.resolve("files").toString()));
    }

    private static String entry(Path archive, String name) throws IOException {
        try (ZipFile zip = new ZipFile(archive.toFile());
                InputStream bytes = zip.getInputStream(zip.getEntry(name))) {
            return new String(bytes.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static StoreImport.Result importInto(ApplicationContext install, Path archive) throws Exception {
        return new StoreImport(install, archive, TransferKey.read(TransferKey.fileOf(archive))).run();
    }

    /** Imports without the pepper of the source, and returns the setting that the error names. */
    private static String remedy(ApplicationContext install, Path archive) {
        Throwable refusal = catchThrowable(() -> importInto(install, archive));
        Matcher remedy = REMEDY.matcher(String.valueOf(refusal.getMessage()));
        assertThat(remedy.find()).as(refusal.toString()).isTrue();
        return remedy.group(1);
    }

    private String secret(Database database, Secrets secrets) {
        return database.in(
                store.id(),
                tx -> secrets.decrypt(tx.texts(
                                "select data->>'apiKey' from farm.\"notificationSetting\" where \"storeId\" = ?",
                                store.id().value())
                        .getFirst()));
    }

    private static void run(String ownerUrl, String sql) throws SQLException {
        try (Connection owner = DriverManager.getConnection(ownerUrl)) {
            owner.createStatement().execute(sql);
        }
    }

    /** Returns the rows of each table of the store, without what belongs to the installation. */
    private Map<String, List<String>> rows(String ownerUrl) throws SQLException {
        Map<String, List<String>> rows = new TreeMap<>();
        String omitted = "'{" + String.join(",", OWN_COLUMNS) + "}'";
        try (Connection owner = DriverManager.getConnection(ownerUrl)) {
            for (String table : texts(
                    owner,
                    "select table_name from information_schema.columns"
                            + " where table_schema = 'farm' and column_name = 'storeId' and table_name > ?",
                    "")) {
                if (!STAY.contains(table)) {
                    rows.put(
                            table,
                            texts(
                                    owner,
                                    """
                            select regexp_replace((to_jsonb(t) - %s::text[])::text, 'sealed:v[0-9]+:[A-Za-z0-9+/=]+', 'sealed', 'g')
                            from farm."%s" t where "storeId" = ? order by 1""".formatted(omitted, table),
                                    store.id().value()));
                }
            }
        }
        return rows;
    }

    private static List<String> texts(Connection owner, String sql, String value) throws SQLException {
        try (PreparedStatement statement = owner.prepareStatement(sql)) {
            statement.setString(1, value);
            List<String> texts = new ArrayList<>();
            try (ResultSet found = statement.executeQuery()) {
                while (found.next()) {
                    texts.add(found.getString(1));
                }
            }
            return texts;
        }
    }
}
