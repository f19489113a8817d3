package farm.gantry.api.aws;

import farm.gantry.Id;
import farm.gantry.ingest.function.emulator.SdkSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

    /** Creates the tables of an install and returns their prefix. */
    public String newTables() {
        String prefix = "gantry-" + Id.next() + "-";
        addRateLimits(client, prefix);
        addMarks(client, prefix);
        return prefix;
    }

    /** Creates the table of marks as the stack does. */
    static void addMarks(DynamoDbClient client, String prefix) {
        List<String> keys = List.of(DynamoDbMarks.STORE, DynamoDbMarks.ITEM);
        client.createTable(table -> table.tableName(prefix + DynamoDbMarks.TABLE)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .attributeDefinitions(keys.stream()
                        .map(name -> AttributeDefinition.builder()
                                .attributeName(name)
                                .attributeType(ScalarAttributeType.S)
                                .build())
                        .toList())
                .keySchema(
                        KeySchemaElement.builder()
                                .attributeName(DynamoDbMarks.STORE)
                                .keyType(KeyType.HASH)
                                .build(),
                        KeySchemaElement.builder()
                                .attributeName(DynamoDbMarks.ITEM)
                                .keyType(KeyType.RANGE)
                                .build()));
    }

    /** Deletes the table of marks. */
    public void deleteMarks(String prefix) {
        client.deleteTable(delete -> delete.tableName(prefix + DynamoDbMarks.TABLE));
    }

    /** Sets the time until which a store is in use. */
    public void touch(String prefix, String store, Instant until) {
        set(prefix, store, "store", "activeUntil", until);
    }

    /** Sets the time at which a marked agent last polled. */
    public void setSeen(String prefix, String store, String agentId, Instant at) {
        set(prefix, store, agentId, "seenAt", at);
    }

    private void set(String prefix, String store, String item, String name, Instant value) {
        client.updateItem(update -> update.tableName(prefix + DynamoDbMarks.TABLE)
                .key(Map.of(
                        DynamoDbMarks.STORE, AttributeValue.fromS(store),
                        DynamoDbMarks.ITEM, AttributeValue.fromS(item)))
                .updateExpression("set #name = :value")
                .expressionAttributeNames(Map.of("#name", name))
                .expressionAttributeValues(
                        Map.of(":value", AttributeValue.fromN(Long.toString(value.toEpochMilli())))));
    }

    /** Changes the times of all stores' marks as if none had been used for a while. */
    public void endUse(String prefix) {
        String name = prefix + DynamoDbMarks.TABLE;
        client.scan(scan -> scan.tableName(name)).items().stream()
                .filter(item -> item.containsKey("activeUntil"))
                .forEach(item -> touch(
                        prefix,
                        Objects.requireNonNull(item.get(DynamoDbMarks.STORE)).s(),
                        Instant.EPOCH));
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
