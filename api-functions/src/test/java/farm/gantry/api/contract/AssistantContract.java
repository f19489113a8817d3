package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.database.Database;
import farm.gantry.api.database.Tables;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import io.micronaut.json.tree.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** Tests the server for assistants: the messages of the Model Context Protocol, its tools and its resources. */
public interface AssistantContract {
    String CURRENT = "2026-07-28";

    Host host();

    /** Sends a request as clients do since the revision that names its version in each request. */
    private static Answer send(Client client, String method, String name, String parameters) {
        String body = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"" + method + "\",\"params\":{" + parameters
                + (parameters.isEmpty() ? "" : ",")
                + "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"" + CURRENT + "\"}}}";
        Client named = name.isEmpty() ? client : client.with("Mcp-Name", name);
        return named.with("accept", "application/json, text/event-stream")
                .with("MCP-Protocol-Version", CURRENT)
                .with("Mcp-Method", method)
                .post("/mcp", body);
    }

    private static Answer call(Client client, String tool, String arguments) {
        Answer answer = send(client, "tools/call", tool, "\"name\":\"" + tool + "\",\"arguments\":{" + arguments + "}");
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer;
    }

    private static String text(Answer answer) {
        return String.valueOf(answer.at("result.content[0].text"));
    }

    private static Answer work(Client client, String tool, String arguments) {
        Answer answer = call(client, tool, arguments);
        assertThat(answer.at("result.isError")).as(answer.text()).isEqualTo(false);
        return answer;
    }

    private static String rejected(Client client, String tool, String arguments) {
        Answer answer = call(client, tool, arguments);
        assertThat(answer.at("result.isError")).as(answer.text()).isEqualTo(true);
        return text(answer);
    }

    private static List<String> names(JsonNode list, String field) {
        return StreamSupport.stream(list.values().spliterator(), false)
                .map(each -> each.get(field).getStringValue())
                .toList();
    }

    private static List<String> tools(Client client) {
        return names(send(client, "tools/list", "", "").json().get("result").get("tools"), "name");
    }

    @Test
    default void keySeesAndCallsOnlyTheToolsOfItsPermissions() {
        SharedApi.Store store = SharedApi.newStore();
        Client owner = Client.of(host(), store.key());
        Client viewer = owner.permitted("queue.view");
        assertThat(tools(owner))
                .containsExactly(
                        "list_jobs",
                        "explain_job",
                        "queue_copies",
                        "pause_job",
                        "resume_job",
                        "cancel_job",
                        "list_printers",
                        "pause_printer",
                        "resume_printer",
                        "filament_low",
                        "order_status",
                        "failures",
                        "promises");
        assertThat(tools(viewer)).containsExactly("list_jobs", "explain_job", "failures", "promises");
        String job = new FakeAgent(store, host()).job("");
        Answer refused = call(viewer, "cancel_job", "\"job\":\"" + job + "\"");
        assertThat(refused.at("error.code")).isEqualTo(-32602);
        assertThat(String.valueOf(refused.at("error.message"))).contains("cancel_job", "permissions");
        assertThat(owner.get("/v1/print-jobs/" + job).at("status")).isEqualTo("Pending");
    }

    @Test
    default void disabledKeySeesNoToolsAtOnce() {
        Client owner = Client.of(host(), SharedApi.newStore().key());
        Answer made = owner.post("/v1/api-keys", "{\"name\":\"assistant\",\"permissions\":[\"queue.view\"]}");
        Client assistant = owner.keyed(String.valueOf(made.at("key")));
        assertThat(tools(assistant)).contains("list_jobs");
        owner.patch("/v1/api-keys/" + made.at("id"), "{\"active\":false}");
        assertThat(send(assistant, "tools/list", "", "").status()).isEqualTo(401);
    }

    @Test
    default void toolsSayWhatTheyChange() {
        Client client = Client.of(host(), SharedApi.newStore().key());
        JsonNode tools = send(client, "tools/list", "", "").json().get("result").get("tools");
        for (JsonNode tool : tools.values()) {
            String name = tool.get("name").getStringValue();
            boolean isRead = name.startsWith("list_")
                    || List.of("explain_job", "order_status", "failures", "promises", "filament_low")
                            .contains(name);
            assertThat(Answer.at(tool, "annotations.readOnlyHint")).as(name).isEqualTo(isRead);
            assertThat(Answer.at(tool, "annotations.destructiveHint")).as(name).isEqualTo(name.equals("cancel_job"));
            assertThat(Answer.at(tool, "inputSchema.additionalProperties")).isEqualTo(false);
            for (Map.Entry<String, JsonNode> argument :
                    tool.get("inputSchema").get("properties").entries()) {
                assertThat(argument.getValue().get("description").getStringValue())
                        .as(name + " " + argument.getKey())
                        .isNotBlank();
            }
        }
    }

    @Test
    default void copiesAreQueuedOncePerRequestId() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        ReadyParts.change(store, ReadyParts.uploaded(store, client), "name", "Hinge");
        String wish = "\"part\":\"Hinge\",\"quantity\":2,\"requestId\":\"first\"";
        Answer queued = work(client, "queue_copies", wish);
        assertThat(text(queued)).startsWith("Queued 2 of Hinge. The first job waits: The store has no printer");
        assertThat(queued.at("result.structuredContent.builds[0].quantity")).isEqualTo(2);
        assertThat(text(work(client, "queue_copies", wish))).isEqualTo(text(queued));
        assertThat(client.get("/v1/print-jobs").each("id")).hasSize(2);
        assertThat(rejected(client, "queue_copies", "\"part\":\"Hinge\",\"quantity\":3,\"requestId\":\"first\""))
                .contains("already used with a different request");
        work(client, "queue_copies", "\"part\":\"Hinge\"");
        assertThat(client.get("/v1/print-jobs").each("id")).hasSize(3);
    }

    @Test
    default void wrongArgumentsAreNamedWithTheirRemedy() {
        Client client = Client.of(host(), SharedApi.newStore().key());
        assertThat(rejected(client, "queue_copies", "\"part\":\"a\",\"sku\":\"b\""))
                .isEqualTo("sku or part is required, and not both");
        assertThat(rejected(client, "queue_copies", "\"part\":7,\"quantity\":501,\"copies\":2"))
                .contains("part must be a text", "quantity must be 1 to 500", "copies is not an argument of this tool");
        assertThat(rejected(client, "queue_copies", "\"sku\":\"LAMP-1\",\"quantity\":1.5"))
                .isEqualTo("quantity must be a whole number");
        assertThat(rejected(client, "queue_copies", "\"sku\":\"LAMP-1\"")).contains("LAMP-1");
        assertThat(rejected(client, "queue_copies", "\"part\":\"Hinge\""))
                .contains("part: nothing has", "'Hinge'", "ask the person");
        assertThat(rejected(client, "list_jobs", "\"state\":\"done\""))
                .isEqualTo("state must be one of completed, failed, printing, waiting");
        assertThat(rejected(client, "cancel_job", "")).startsWith("job is required");
        assertThat(rejected(client, "cancel_job", "\"job\":\"Hinge\"")).contains("id of a job", "list_jobs");
        assertThat(rejected(client, "cancel_job", "\"job\":\"" + SharedApi.unknownId() + "\""))
                .contains("no such print job");
        assertThat(rejected(client, "order_status", "\"order\":\"1042\"")).contains("order: nothing has", "'1042'");
    }

    @Test
    default void personLearnsWhatPrintsAndWhatWaits() {
        SharedApi.Store store = SharedApi.newStore();
        FakeAgent agent = new FakeAgent(store, host());
        Client client = agent.client();
        String printer = agent.printer("Voron 03", "");
        String job = agent.job("");
        agent.round();
        change(store, job, Map.of("status", JobStatus.Printing));
        Answer printing = work(client, "list_jobs", "");
        assertThat(text(printing)).startsWith("1 job is printing.").contains(" on Voron 03: Printing", job);
        assertThat(printing.at("result.structuredContent.jobs[0].printer")).isEqualTo("Voron 03");
        String waiting = agent.job("");
        assertThat(text(work(client, "list_jobs", "\"state\":\"waiting\""))).contains(waiting);
        Answer explained = work(client, "explain_job", "\"job\":\"" + waiting + "\"");
        assertThat(text(explained)).contains(" is Pending.", "\nVoron 03: ");
        Answer printers = work(client, "list_printers", "\"name\":\"voron\"");
        assertThat(printers.at("result.structuredContent.printers[0].printer")).isEqualTo(printer);
        assertThat(text(printers)).contains("Voron 03: idle");
        assertThat(text(work(client, "failures", "\"days\":30"))).contains("In the last 30 days 0 prints failed");
        assertThat(text(work(client, "promises", "")))
                .startsWith("Finish times of the last 30 days")
                .contains("no job with an estimate was completed");
        assertThat(text(work(client, "filament_low", ""))).startsWith("There is enough filament");
    }

    private static void change(SharedApi.Store store, String id, Map<String, ?> changes) {
        SharedApi.bean(Database.class)
                .in(
                        store.id(),
                        tx -> SharedApi.bean(Tables.class)
                                .of(PrintJob.class)
                                .change(tx, id, FakeAgent.change(changes)));
    }

    @Test
    default void orderIsFoundByItsNumber() {
        Client client = Client.of(host(), SharedApi.newStore().key());
        Answer made = client.post(
                "/v1/orders",
                "{\"order\":{\"orderNumber\":\"1042\",\"deadline\":\"2031-05-01T10:00:00Z\"},\"items\":[]}");
        Object order = made.at("order.id");
        Answer status = work(client, "order_status", "\"order\":\"1042\"");
        assertThat(status.at("result.structuredContent.order")).isEqualTo(order);
        assertThat(text(status)).startsWith("Order 1042 is open:").contains("Deadline: 2031-05-01 10:00 UTC");
        assertThat(text(work(client, "order_status", "\"order\":\"" + order + "\"")))
                .isEqualTo(text(status));
        assertThat(rejected(client, "order_status", "\"order\":\"104\""))
                .contains("order: nothing has the id or orderNumber '104'", "similar ones are 1042");
    }

    @Test
    default void printIsPausedAndCancelledAsByTheApi() {
        SharedApi.Store store = SharedApi.newStore();
        FakeAgent agent = new FakeAgent(store, host());
        Client client = agent.client();
        agent.printer("Voron 03", "");
        String job = agent.job("");
        agent.round();
        String named = "\"job\":\"" + job + "\"";
        assertThat(rejected(client, "pause_job", named)).contains("nothing was changed, because the job is ");
        change(store, job, Map.of("status", JobStatus.Printing));
        assertThat(text(work(client, "pause_job", named))).contains("is asked to pause");
        assertThat(text(work(client, "pause_printer", "\"printer\":\"Voron 03\"")))
                .contains("asked to pause");
        assertThat(agent.exchange().text()).contains("pause");
        work(client, "cancel_job", named);
        assertThat(agent.status(job)).isEqualTo("Cancelled");
        Answer audit = client.get("/v1/audit-logs?entityId=" + job + "&sort=createdAt:desc&limit=1");
        assertThat(audit.text()).contains(store.key().substring(0, 24));
    }

    @Test
    default void resourcesAreThoseOfTheKey() {
        SharedApi.Store store = SharedApi.newStore();
        FakeAgent agent = new FakeAgent(store, host());
        String printer = agent.printer("Voron 03", "");
        Client owner = agent.client();
        assertThat(names(
                        send(owner, "resources/list", "", "")
                                .json()
                                .get("result")
                                .get("resources"),
                        "uri"))
                .startsWith("gantry://printers", "gantry://jobs", "gantry://docs/index")
                .contains("gantry://docs/assistants");
        assertThat(read(owner, "gantry://docs/printers/klipper")).contains("# Klipper");
        assertThat(read(owner, "gantry://printers")).contains("Voron 03");
        assertThat(read(owner, "gantry://printers/" + printer)).contains("\"name\":\"Voron 03\"");
        Client nobody = owner.permitted("sku.view");
        assertThat(names(
                        send(nobody, "resources/list", "", "")
                                .json()
                                .get("result")
                                .get("resources"),
                        "uri"))
                .startsWith("gantry://docs/index");
        assertThat(names(
                        send(nobody, "resources/templates/list", "", "")
                                .json()
                                .get("result")
                                .get("resourceTemplates"),
                        "uriTemplate"))
                .isEmpty();
        Client other = Client.of(host(), SharedApi.newStore().key());
        for (Client each : List.of(nobody, other)) {
            String uri = "gantry://printers/" + printer;
            Answer absent = send(each, "resources/read", uri, "\"uri\":\"" + uri + "\"");
            assertThat(absent.at("error.code")).as(absent.text()).isEqualTo(-32602);
            assertThat(absent.at("error.data.uri")).isEqualTo(uri);
        }
    }

    private static String read(Client client, String uri) {
        Answer answer = send(client, "resources/read", uri, "\"uri\":\"" + uri + "\"");
        assertThat(answer.at("result.contents[0].uri")).as(answer.text()).isEqualTo(uri);
        return String.valueOf(answer.at("result.contents[0].text"));
    }

    @Test
    default void requestOfTheCurrentRevisionMustAgreeWithItsHeaders() {
        Client client = Client.of(host(), SharedApi.newStore().key());
        Answer discovered = send(client, "server/discover", "", "");
        assertThat(discovered.at("result.supportedVersions[0]")).isEqualTo(CURRENT);
        assertThat(discovered.at("result.resultType")).isEqualTo("complete");
        assertThat(discovered.at("result.cacheScope")).isEqualTo("private");
        Answer wrongName = send(client, "tools/call", "list_jobs", "\"name\":\"cancel_job\"");
        assertThat(wrongName.status()).isEqualTo(400);
        assertThat(wrongName.at("error.code")).isEqualTo(-32020);
        Answer encoded = send(client, "tools/call", "=?base64?bGlzdF9qb2Jz?=", "\"name\":\"list_jobs\"");
        assertThat(encoded.at("result.isError")).as(encoded.text()).isEqualTo(false);
        Answer unknown = send(client, "prompts/list", "", "");
        assertThat(unknown.status()).isEqualTo(404);
        assertThat(unknown.at("error.code")).isEqualTo(-32601);
        Answer version = client.with("MCP-Protocol-Version", "1900-01-01")
                .post("/mcp", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}");
        assertThat(version.status()).isEqualTo(400);
        assertThat(version.at("error.code")).isEqualTo(-32022);
        assertThat(version.at("error.data.supported[0]")).isEqualTo(CURRENT);
    }

    @Test
    default void olderClientsAgreeOnTheirRevision() {
        Client client = Client.of(host(), SharedApi.newStore().key());
        String initialize =
                "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"%s\"}}";
        assertThat(client.post("/mcp", initialize.formatted("2025-06-18")).at("result.protocolVersion"))
                .isEqualTo("2025-06-18");
        Answer newest = client.post("/mcp", initialize.formatted("2024-11-05"));
        assertThat(newest.at("result.protocolVersion")).isEqualTo("2025-11-25");
        assertThat(newest.at("result.serverInfo.name")).isEqualTo("gantry");
        assertThat(newest.at("id")).isEqualTo("a");
        Answer initialized = client.post("/mcp", "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
        assertThat(initialized.status()).isEqualTo(202);
        assertThat(initialized.text()).isEmpty();
        Answer list = client.with("MCP-Protocol-Version", "2025-11-25")
                .post("/mcp", "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}");
        assertThat(list.at("result.resultType")).isEqualTo("(absent)");
        assertThat(list.at("result.tools[0].name")).isEqualTo("list_jobs");
    }

    @Test
    default void whatIsNoMessageIsRejected() {
        SharedApi.Store store = SharedApi.newStore();
        Client client = Client.of(host(), store.key());
        assertThat(client.get("/mcp").status()).isEqualTo(405);
        assertThat(client.delete("/mcp").status()).isEqualTo(405);
        for (String body : List.of(
                "[]",
                "{}",
                "{\"jsonrpc\":\"2.0\",\"id\":1}",
                "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}")) {
            Answer answer = client.post("/mcp", body);
            assertThat(answer.status()).as(body).isEqualTo(400);
            assertThat(answer.at("error.code")).as(body).isEqualTo(-32600);
        }
        String ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
        assertThat(client.with("origin", "https://evil.example")
                        .post("/mcp", ping)
                        .status())
                .isEqualTo(403);
        Client none = Client.of(host());
        assertThat(none.post("/mcp", ping).status()).isEqualTo(401);
        assertThat(none.with("x-api-key", store.key()).post("/mcp", ping).status())
                .isEqualTo(200);
        assertThat(none.with("authorization", "Bearer " + store.key())
                        .post("/mcp", ping)
                        .status())
                .isEqualTo(200);
        assertThat(none.with("authorization", "Bearer " + store.key())
                        .get("/v1/parts")
                        .status())
                .as("the scheme is for assistants alone")
                .isEqualTo(401);
    }
}
