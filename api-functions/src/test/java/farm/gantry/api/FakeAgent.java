package farm.gantry.api;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import farm.gantry.api.schedule.SchedulingRound;
import farm.gantry.api.store.Database;
import farm.gantry.api.store.Tables;
import io.micronaut.serde.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** An agent that is on the wire only and reports what a test wants, with the printers of a store that it serves. */
final class FakeAgent {
    /** The metadata of a printer that is served. */
    static final String FIRMWARE_K = """
            "provider": "firmwareK", "extruder_count": 1, "nozzle_diameter": 0.4, "server_port": 7125,
            "host": "10.0.0.7\"""";

    private final SharedApi.Store store;
    private final Client client;
    private final Client agent;
    private final String agentId;
    private final String token;
    private final String session = Id.random(16);
    private final AtomicLong sequence = new AtomicLong();
    private final Map<String, String> devices = new HashMap<>();

    FakeAgent(SharedApi.Store store, Host host) {
        this(
                store,
                host,
                String.valueOf(Client.of(host, store.key())
                        .post("/v1/agents/pairing-codes", "{}")
                        .at("code")));
    }

    /** One whose agent pairs by this code. */
    FakeAgent(SharedApi.Store store, Host host, String code) {
        this.store = store;
        this.client = Client.of(host, store.key());
        Answer paired = client.post(
                "/v1/agents/pair",
                "{\"code\":\"" + code + "\",\"name\":\"a\",\"version\":\"1\",\"platform\":\"linux\"}");
        this.agentId = String.valueOf(paired.at("agentId"));
        this.token = String.valueOf(paired.at("token"));
        this.agent = Client.of(host).with("authorization", "AgentToken " + token);
    }

    SharedApi.Store store() {
        return store;
    }

    Client client() {
        return client;
    }

    String agentId() {
        return agentId;
    }

    String token() {
        return token;
    }

    /** Of the agent's connection. */
    String session() {
        return session;
    }

    /** A printer that is online, and whose bed is clear; {@code more} are members of its body. */
    String printer(String name, String more) {
        return printer(name, FIRMWARE_K, more);
    }

    /** Of the make that its metadata tells. */
    String printer(String name, String metadata, String more) {
        String id = unseenPrinter(name, metadata, more);
        exchange(List.of(event(id, "printerOnline", Map.of())), List.of(), List.of(report(id, "idle")));
        confirm(id);
        return id;
    }

    /** The same, of which nothing was told yet. */
    String unseenPrinter(String name, String metadata, String more) {
        Answer registered = client.with("content-type", "application/json")
                .send("PUT", "/v1/printers", Client.utf8("""
                        [{"name": "%s", "nozzleDiameter": "0.4", "commMethod": "fuse", "deviceId": "%s", "enabled": true,
                          "integrationId": null, "integrationType": null, "proxyClientId": "%s",
                          "metadata": {%s}%s}]""".formatted(name, Id.next(), agentId, metadata, more)));
        assertThat(registered.status()).as(registered.text()).isEqualTo(200);
        return String.valueOf(registered.at("[0].id"));
    }

    <R> void change(Class<R> type, String id, Map<String, ?> changes) {
        SharedApi.bean(Database.class)
                .in(store.id(), tx -> SharedApi.bean(Tables.class).of(type).change(tx, id, Map.of(), changes));
    }

    Answer confirm(String printer) {
        return client.patch("/v1/printers/confirm-ready", "{\"ids\":[\"" + printer + "\"],\"ready\":true}");
    }

    /** A job of a G-code part; {@code more} are members of the wish. */
    String job(String more) {
        return jobOf(ReadyParts.uploaded(store, client), more);
    }

    String jobOf(String part, String more) {
        Answer built = client.post("/v2/builds", "{\"parts\":[{\"partId\":\"" + part + "\"" + more + "}]}");
        assertThat(built.status()).as(built.text()).isEqualTo(201);
        return client.get("/v1/print-jobs?partBuildId=" + built.at("partBuilds[0].id"))
                .each("id")
                .getFirst();
    }

    void round() {
        roundAt(Instant.now());
    }

    void roundAt(Instant now) {
        SharedApi.bean(Database.class)
                .in(store.id(), tx -> SharedApi.bean(SchedulingRound.class).run(tx, now));
    }

    Answer stored(String job) {
        return client.get("/v1/print-jobs/" + job);
    }

    String status(String job) {
        return String.valueOf(stored(job).at("status"));
    }

    Answer stateOf(String printer) {
        return client.get("/v1/printers/" + printer);
    }

    /** What the agent is to do. */
    Answer exchange() {
        return exchange(List.of(), List.of(), List.of());
    }

    /** Sends what the printer's camera shows, at a width. */
    Answer still(String printer, int width, byte[] jpeg) {
        Map<String, ?> still = Map.of(
                "deviceId",
                deviceOf(printer),
                "width",
                width,
                "image",
                Base64.getEncoder().encodeToString(jpeg));
        return agent.post("/v1/agents/link/stills", json(still));
    }

    /** Says why its camera shows nothing. */
    Answer noStill(String printer, int width, String fault) {
        return agent.post(
                "/v1/agents/link/stills", json(Map.of("deviceId", deviceOf(printer), "width", width, "fault", fault)));
    }

    /** Sends the message, whatever it is. */
    Answer link(String message) {
        return agent.post("/v1/agents/link?wait=0", message);
    }

    Answer exchange(List<?> events, List<?> acks, List<?> reports) {
        Answer answer = link(json(Map.of(
                "session", session, "sequence", sequence.get(), "reports", reports, "events", events, "acks", acks)));
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer;
    }

    /** Says that this happened to the job's present attempt. */
    void happened(String printer, String kind, String job) {
        Answer now = stored(job);
        exchange(
                List.of(event(printer, kind, Map.of("jobId", job, "attempt", now.at("attempt")))),
                List.of(),
                List.of());
    }

    long nextSequence() {
        return sequence.incrementAndGet();
    }

    /** The number of its latest event. */
    long lastSequence() {
        return sequence.get();
    }

    Map<String, Object> event(String printer, String kind, Map<String, ?> more) {
        Map<String, Object> event = new HashMap<>(more);
        event.put("sequence", nextSequence());
        event.put("at", Instant.now().toString());
        event.put("deviceId", deviceOf(printer));
        event.put("kind", kind);
        return event;
    }

    String deviceOf(String printer) {
        return devices.computeIfAbsent(printer, id -> String.valueOf(stateOf(id).at("deviceId")));
    }

    /** What the printer looks like: its status, its heaters and what is in its places for filament. */
    Map<String, Object> report(String printer, String status, Map<String, ?> temperatures, List<?> filamentSlots) {
        return report(printer, status, temperatures, filamentSlots, Map.of());
    }

    /** The same; {@code more} are further members of the state. */
    Map<String, Object> report(
            String printer,
            String status,
            Map<String, ?> temperatures,
            List<?> filamentSlots,
            Map<String, ? extends @Nullable Object> more) {
        return reportOfDevice(deviceOf(printer), status, temperatures, filamentSlots, more);
    }

    /** The same of a printer by its device's id. */
    static Map<String, Object> reportOfDevice(
            String deviceId,
            String status,
            Map<String, ?> temperatures,
            List<?> filamentSlots,
            Map<String, ? extends @Nullable Object> more) {
        String now = Instant.now().toString();
        Map<String, @Nullable Object> state = new HashMap<>(more);
        state.put("connection", "online");
        state.put("status", status);
        state.put("temperatures", temperatures);
        state.put("filamentSlots", filamentSlots);
        state.putIfAbsent("errors", List.of());
        state.put("at", now);
        return Map.of("deviceId", deviceId, "at", now, "state", state);
    }

    /** What it looks like, with nothing to say but its status. */
    Map<String, Object> report(String printer, String status) {
        return report(printer, status, Map.of(), List.of());
    }

    /** What it looks like: its status, the file that it prints or null, whose job that is, and its counter of prints. */
    Map<String, Object> report(String printer, String status, @Nullable String file, @Nullable String job, int prints) {
        Map<String, @Nullable Object> progress = new HashMap<>();
        progress.put("jobId", job);
        progress.put("fileName", file);
        progress.put("percent", 10);
        Map<String, @Nullable Object> more = new HashMap<>();
        more.put("job", file == null ? null : progress);
        more.put("printCounter", String.valueOf(prints));
        return report(printer, status, Map.of(), List.of(), more);
    }

    private static String json(@Nullable Object value) {
        try {
            return SharedApi.bean(ObjectMapper.class).writeValueAsString(value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
