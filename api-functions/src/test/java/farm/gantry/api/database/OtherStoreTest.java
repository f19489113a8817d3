package farm.gantry.api.database;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import farm.gantry.api.description.OpenApiDescription;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Call;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.DescribedRequests;
import farm.gantry.api.fixture.FurnishedStore;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.Lambda;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.fixture.Uploads;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests tenant isolation with a store that knows every id of another one. Each operation of the description gets such
 * an id wherever it takes one. Its response must equal that for an unknown id, byte for byte, and the other store must
 * not change.
 */
@Tag("requests")
final class OtherStoreTest {
    /** Tables whose records no request names by id. */
    private static final Set<String> UNNAMED =
            Set.of("idempotencyKey", "outbox", "pendingPrint", "signedDelivery", "webhookFailure");

    /** By default only ids of the matching kind are tried; {@code -Disolation=every-kind} tries each id everywhere. */
    private static final boolean EVERY_KIND = "every-kind".equals(System.getProperty("isolation"));

    private static final List<String> FREE_TEXT =
            List.of("externalId", "deviceId", "userId", "entityId", "orderNumber", "defaultUri");

    /** The other store, which no test changes. */
    private static final FurnishedStore THEIRS = FurnishedStore.open();

    private final FurnishedStore ours = FurnishedStore.open();
    private final Map<String, String> theirIds = THEIRS.ids();
    private final List<String> wrong = new ArrayList<>();
    private int compared;

    static List<Host> hosts() {
        return List.of(new Socket(), new Lambda());
    }

    @ParameterizedTest
    @MethodSource("hosts")
    void idOfAnotherStoresRecordIsUnknown(Host host) throws Exception {
        assertThat(theirIds.keySet()).containsAll(tables());
        String before = THEIRS.hash();
        DescribedRequests bodies =
                new DescribedRequests(SharedApi.bean(OpenApiDescription.class).tree(), ours.ids());
        for (DescribedRequests.Operation operation : bodies.operations()) {
            for (DescribedRequests.Slot slot : bodies.inTarget(operation)) {
                compare(host, operation.method(), slot.text(), bodies.least(operation), slot.word());
            }
            for (DescribedRequests.Slot slot : bodies.inBody(operation, FREE_TEXT)) {
                compare(host, operation.method(), bodies.ownTarget(operation), slot.text(), slot.word());
            }
        }
        assertThat(wrong).as("of %d", compared).isEmpty();
        assertThat(compared).isGreaterThan(EVERY_KIND ? 30_000 : 500);
        assertThat(THEIRS.hash()).isEqualTo(before);
    }

    private static List<String> tables() throws SQLException {
        try (Connection owner = DriverManager.getConnection(SharedApi.ownerUrl());
                PreparedStatement statement = owner.prepareStatement("""
                        select table_name from information_schema.columns where table_schema = 'farm'
                        and column_name = 'storeId' and table_name not in ('store', 'shelf') and table_name in
                          (select table_name from information_schema.columns
                           where table_schema = 'farm' and column_name = 'id' and data_type = 'text')""");
                ResultSet rows = statement.executeQuery()) {
            List<String> tables = new ArrayList<>();
            while (rows.next()) {
                tables.add(rows.getString(1));
            }
            tables.removeAll(UNNAMED);
            return tables;
        }
    }

    private void compare(Host host, String method, String target, String body, String word) throws Exception {
        Set<String> kinds = EVERY_KIND
                ? theirIds.keySet()
                : new TreeSet<>(
                        List.of(DescribedRequests.kind(theirIds.keySet(), word).orElse("part"), "store"));
        for (String kind : kinds) {
            String toTheirs = answer(host, method, target, body, Objects.requireNonNull(theirIds.get(kind)));
            String toUnknown = answer(host, method, target, body, SharedApi.unknownId());
            compared++;
            if (!toTheirs.equals(toUnknown)) {
                wrong.add("%s %s %s with the id of %s:%n  %s%n  instead of%n  %s"
                        .formatted(method, target, body, kind, toTheirs, toUnknown));
            }
        }
    }

    /** Returns the response without the id itself and without members that differ between any two responses. */
    private String answer(Host host, String method, String target, String body, String id) throws Exception {
        Answer answer = host.send(new Call(
                method,
                target.replace(DescribedRequests.VARIED, id),
                List.of(
                        Map.entry("authorization", "ApiKey " + ours.store().key()),
                        Map.entry("content-type", "application/json")),
                Client.utf8(method.equals("GET") ? "" : body.replace(DescribedRequests.VARIED, id))));
        String text = answer.text().replace(id, "*").replaceAll("\"requestId\":\"[^\"]*\"", "");
        return answer.status() + " " + new TreeMap<>(answer.headers()).keySet() + " "
                + (answer.status() < 300
                        ? text.replaceAll("[0-9a-z]{24,}", "*")
                                .replaceAll("\\d{4}-\\d\\d-\\d\\dT[^\"]*Z", "T")
                                .replaceAll("\"(orderNumber|executionTime)\":[^,]*", "")
                        : text);
    }

    @Test
    void filesOfAnotherStoreAreUnknown() throws Exception {
        String uri = String.valueOf(
                THEIRS.client().get("/v1/parts/" + theirIds.get("part")).at("fileUris[0]"));
        assertThat(uri).contains(THEIRS.store().id().value());
        String upload = new Uploads(THEIRS.client()).put("a.gcode");
        String before = THEIRS.hash();
        for (String path : List.of(uri, upload)) {
            for (String target : List.of("/v1/storage/signed-urls", "/v1/parts/extract-3mf-metadata", "/v1/parts")) {
                String body = switch (target) {
                    case "/v1/storage/signed-urls" -> "{\"paths\":[\"%s\"]}";
                    case "/v1/parts" -> "{\"name\":\"a\",\"type\":\"gcode\",\"fileUris\":[\"%s\"]}";
                    case String _ -> "{\"path\":\"%s\"}";
                };
                String unknown = path.replace(THEIRS.store().id().value(), SharedApi.unknownId());
                Answer toTheirs = ours.client().post(target, body.formatted(path));
                Answer toUnknown = ours.client().post(target, body.formatted(unknown));
                assertThat(toTheirs.status()).as(target).isGreaterThanOrEqualTo(400);
                assertThat(alike(toTheirs, path)).isEqualTo(alike(toUnknown, unknown));
            }
        }
        assertThat(THEIRS.hash()).isEqualTo(before);
    }

    private static String alike(Answer answer, String path) {
        return answer.status() + answer.text().replace(path, "PATH").replaceAll("\"requestId\":\"[^\"]*\"", "");
    }

    /** A signed URL of one store must not open a file of another. */
    @Test
    void signedUrlIsForOneFile() throws Exception {
        String ourUri = String.valueOf(
                ours.client().get("/v1/parts/" + ours.ids().get("part")).at("fileUris[0]"));
        String theirUri = String.valueOf(
                THEIRS.client().get("/v1/parts/" + theirIds.get("part")).at("fileUris[0]"));
        String signed = Uploads.target(ours.client()
                .post("/v1/storage/signed-urls", "{\"paths\":[\"" + ourUri + "\"]}")
                .at("signedUrls[0]"));
        Client nobody = Client.of(new Socket());
        assertThat(nobody.get(signed).status()).isEqualTo(200);
        String forTheirs = signed.replace(
                        ours.store().id().value(), THEIRS.store().id().value())
                .replace(String.valueOf(ours.ids().get("part")), String.valueOf(theirIds.get("part")));
        assertThat(forTheirs).isNotEqualTo(signed);
        String forUnknown = signed.replace(String.valueOf(ours.ids().get("part")), SharedApi.unknownId());
        assertThat(theirUri).isNotEqualTo(ourUri);
        assertThat(alike(nobody.get(forTheirs), forTheirs)).isEqualTo(alike(nobody.get(forUnknown), forUnknown));
    }

    /** An agent that names another store's printer, job or command gets the same response as for unknown ids. */
    @Test
    void agentCannotReportPrintersOfAnotherStore() throws Exception {
        String printed = Objects.requireNonNull(theirIds.get("printJob"));
        String command = Objects.requireNonNull(theirIds.get("agentCommand"));
        String device = THEIRS.fakeAgent().deviceOf(Objects.requireNonNull(theirIds.get("printer")));
        String before = THEIRS.hash();
        assertThat(ofAgent(device, printed, command))
                .isEqualTo(ofAgent(Id.next(), SharedApi.unknownId(), SharedApi.unknownId()));
        assertThat(THEIRS.hash()).isEqualTo(before);
    }

    private String ofAgent(String device, String job, String command) {
        Map<String, Object> state = Map.of("connection", "online", "status", "printing", "errors", List.of());
        Map<String, Object> event = Map.of(
                "sequence",
                ours.fakeAgent().nextSequence(),
                "at",
                "2026-01-01T00:00:00Z",
                "deviceId",
                device,
                "kind",
                "jobCompleted",
                "jobId",
                job,
                "attempt",
                1);
        return ours.fakeAgent()
                .exchange(
                        List.of(event),
                        List.of(Map.of("commandId", command, "outcome", "taken")),
                        List.of(Map.of("deviceId", device, "at", "2026-01-01T00:00:00Z", "state", state)))
                .text()
                .replaceAll("\"ackSequence\":\\d+", "")
                .toLowerCase(Locale.ROOT);
    }
}
