package farm.gantry.api.aws;

import farm.gantry.Id;
import farm.gantry.ingest.function.emulator.SdkSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import org.eclipse.jetty.server.NetworkConnector;
import org.eclipse.jetty.server.Server;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBRequestHandler;
import software.amazon.dynamodb.services.local.server.LocalDynamoDBServerHandler;

/** DynamoDB Local in this process; started without its own runner, which sends telemetry. */
public final class DynamoTables {
    private final LocalDynamoDBServerHandler handler;
    private final Server server;
    private final SdkSettings settings;
    private final DynamoDbClient client;

    public DynamoTables() throws Exception {
        handler = new LocalDynamoDBServerHandler(new LocalDynamoDBRequestHandler(0, true, null, false, false), null);
        server = new Server(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        server.setHandler(handler);
        server.start();
        settings = new SdkSettings("aws.endpointUrlDynamoDb", port());
        client = DynamoDbClient.builder()
                .region(Region.of(SdkSettings.REGION))
                .httpClientBuilder(UrlConnectionHttpClient.builder())
                .build();
    }

    private int port() {
        return ((NetworkConnector) server.getConnectors()[0]).getLocalPort();
    }

    static AwsSettings settings(String prefix) {
        return new AwsSettings(SdkSettings.REGION, "", "", null, prefix);
    }

    /** Creates a client with timeouts long enough for a busy machine; those of the API's client are shorter. */
    DynamoDbClient client() {
        return client;
    }

    /** Creates a table of rate limits and returns its prefix. */
    public String newRateLimits() {
        String prefix = "gantry-" + Id.next() + "-";
        addRateLimits(client, prefix);
        return prefix;
    }

    /** Creates the table of rate limits as the stack does. */
    static void addRateLimits(DynamoDbClient client, String prefix) {
        String name = prefix + DynamoDbRateLimits.TABLE;
        client.createTable(table -> table.tableName(name)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(AttributeDefinition.builder()
                        .attributeName(DynamoDbRateLimits.CALLER)
                        .attributeType(ScalarAttributeType.S)
                        .build())
                .keySchema(KeySchemaElement.builder()
                        .attributeName(DynamoDbRateLimits.CALLER)
                        .keyType(KeyType.HASH)
                        .build()));
        client.updateTimeToLive(time -> time.tableName(name)
                .timeToLiveSpecification(life ->
                        life.attributeName(DynamoDbRateLimits.EXPIRES_AT).enabled(true)));
    }

    /** Returns the number of callers in the table. */
    public int callers(String prefix) {
        return client.scan(scan -> scan.tableName(prefix + DynamoDbRateLimits.TABLE))
                .count();
    }

    /** Returns a caller's remaining tokens. */
    Map<String, AttributeValue> rateLimit(String prefix, String caller) {
        return client.getItem(get -> get.tableName(prefix + DynamoDbRateLimits.TABLE)
                        .key(Map.of(DynamoDbRateLimits.CALLER, AttributeValue.fromS(caller))))
                .item();
    }

    public void stop() throws Exception {
        client.close();
        settings.close();
        server.stop();
        handler.close();
    }
}
