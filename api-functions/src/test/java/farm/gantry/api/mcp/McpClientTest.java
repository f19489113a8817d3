package farm.gantry.api.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator;
import io.modelcontextprotocol.spec.McpSchema;
import org.junit.jupiter.api.Test;

/** Tests the server for assistants with the client of the protocol's official library for Java. */
final class McpClientTest {
    /** The tools have no schemas of results that would have to be validated. */
    private static final JsonSchemaValidator NO_VALIDATION =
            (_, _) -> JsonSchemaValidator.ValidationResponse.asValid("");

    private static McpSyncClient client(String key) {
        return McpClient.sync(HttpClientStreamableHttpTransport.builder(SharedApi.url())
                        .endpoint("/mcp")
                        .addHttpRequestCustomizer(
                                (request, _, _, _, _) -> request.header("Authorization", "Bearer " + key))
                        .build())
                .jsonSchemaValidator(NO_VALIDATION)
                .build();
    }

    @Test
    void officialClientListsAndCallsTools() {
        SharedApi.Store store = SharedApi.newStore();
        new FakeAgent(store, new Socket()).printer("Voron 03", "");
        try (McpSyncClient client = client(store.key())) {
            assertThat(client.initialize().serverInfo().name()).isEqualTo("gantry");
            assertThat(client.getServerInstructions()).contains("list_jobs");
            assertThat(client.listTools().tools())
                    .extracting(McpSchema.Tool::name)
                    .contains("list_printers", "queue_copies", "cancel_job");
            McpSchema.CallToolResult printers = client.callTool(
                    McpSchema.CallToolRequest.builder("list_printers").build());
            assertThat(printers.isError()).isFalse();
            assertThat(printers.content())
                    .singleElement()
                    .isInstanceOfSatisfying(
                            McpSchema.TextContent.class,
                            text -> assertThat(text.text()).contains("Voron 03: idle"));
            assertThat(client.callTool(McpSchema.CallToolRequest.builder("cancel_job")
                                    .build())
                            .isError())
                    .isTrue();
            McpSchema.ReadResourceResult page =
                    client.readResource(McpSchema.ReadResourceRequest.builder("gantry://docs/concepts")
                            .build());
            assertThat(page.contents())
                    .singleElement()
                    .isInstanceOfSatisfying(
                            McpSchema.TextResourceContents.class,
                            text -> assertThat(text.text()).startsWith("# "));
            assertThat(client.listResourceTemplates().resourceTemplates()).hasSize(2);
        }
    }
}
