package farm.gantry.api.aws;

import farm.gantry.StoreId;
import farm.gantry.api.link.AgentMarks;
import farm.gantry.api.link.AgentPresence;
import farm.gantry.api.queue.StoreActivity;
import farm.gantry.api.queue.Wakeups;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;

/**
 * Marks of stores and agents in DynamoDB, keyed by the store: what the functions must know while the database pauses.
 * Times are in milliseconds. While DynamoDB is unreachable, nothing is known, and callers read the database.
 */
@Singleton
@Requires(property = "gantry.aws.table-prefix")
final class DynamoDbMarks implements StoreActivity, AgentMarks {
    static final String TABLE = "marks";
    static final String STORE = "storeId";
    static final String ITEM = "item";
    static final String EXPIRES_AT = "expiresAt";

    /** The item of the store itself; the others are named after their agents. */
    private static final String OF_STORE = "store";
    /** The partition that names the store of an agent, whose token does not. */
    private static final String OF_AGENT = "agent ";
    /** The partition of the last sweep. */
    private static final String OF_SWEEP = "sweep";

    private static final String ACTIVE_UNTIL = "activeUntil";
    private static final String DUE = "due ";
    private static final String SEEN_AT = "seenAt";
    /** Minimum time between two records of this process that a store is in use. */
    private static final Duration TOUCH_INTERVAL = Duration.ofMinutes(1);
    /** After this, an agent's items are deleted by the table, unless they are written again. */
    private static final Duration LIFETIME = Duration.ofDays(30);

    private final DynamoDbClient tables;
    private final String table;
    private final InstantSource clock;
    private final TableFallback fallback;
    /** Separate, so that a failed read does not prevent the record that a store is in use. */
    private final TableFallback touchFallback;

    private final Map<StoreId, Instant> touchedAt = new ConcurrentHashMap<>();
    private final Map<String, StoreId> storesOfAgents = new ConcurrentHashMap<>();

    DynamoDbMarks(DynamoDbClient tables, AwsSettings settings, InstantSource clock) {
        this.tables = tables;
        this.table = settings.tablePrefix() + TABLE;
        this.clock = clock;
        this.fallback = new TableFallback(table, "functions read the database instead", clock);
        this.touchFallback =
                new TableFallback(table, "agents and the sweep notice changes only with the next full check", clock);
    }

    /** The last complete sweep, and what it counted. */
    record Sweep(Instant at, AgentPresence presence) {}

    /** A time at which a store has work, by its attribute. */
    record DueWork(String storeId, String attribute, Instant at) {}

    /** When a marked agent last polled. */
    record SeenAgent(String storeId, String agentId, Instant at) {}

    /** All marks; {@code activeUntil} is the latest time until which a store is in use. */
    record AllMarks(@Nullable Sweep sweep, Instant activeUntil, List<DueWork> due, List<SeenAgent> agents) {}

    @Override
    public void touch(StoreId store) {
        Instant now = clock.instant();
        Instant last = touchedAt.get(store);
        if (last != null && now.isBefore(last.plus(TOUCH_INTERVAL))) {
            return;
        }
        boolean isRecorded = touchFallback.get(
                () -> update(
                        store.value(),
                        OF_STORE,
                        "set #name = :value",
                        null,
                        Map.of("#name", ACTIVE_UNTIL),
                        Map.of(":value", time(now.plus(ACTIVE_TIME)))),
                () -> false);
        if (isRecorded) {
            touchedAt.put(store, now);
        }
    }

    @Override
    public boolean touchAt(StoreId store, Wakeups.Purpose purpose, Instant due) {
        return fallback.get(
                () -> {
                    try {
                        return update(
                                store.value(),
                                OF_STORE,
                                "set #name = :value",
                                "attribute_not_exists(#name) or #name > :value or #name <= :now",
                                Map.of("#name", DUE + purpose.queue()),
                                Map.of(":value", time(due), ":now", time(clock.instant())));
                    } catch (ConditionalCheckFailedException e) {
                        return true; // an earlier time that has not come yet remains
                    }
                },
                () -> false);
    }

    @Override
    public Optional<AgentReading> read(String agentId) {
        return fallback.get(
                () -> findStore(agentId).map(store -> {
                    Map<String, Map<String, AttributeValue>> items = getItems(store, OF_STORE, agentId);
                    Map<String, AttributeValue> ofAgent = items.get(agentId);
                    return new AgentReading(
                            store, !isIdle(items.get(OF_STORE)), ofAgent == null ? null : toMark(ofAgent));
                }),
                Optional::empty);
    }

    @Override
    public boolean isIdle(StoreId store) {
        return fallback.get(() -> isIdle(getItems(store, OF_STORE).get(OF_STORE)), () -> false);
    }

    private boolean isIdle(@Nullable Map<String, AttributeValue> ofStore) {
        return ofStore == null || !readTime(ofStore, ACTIVE_UNTIL).isAfter(clock.instant());
    }

    /** Reads items of the store consistently, because a store that came into use before must be seen. */
    private Map<String, Map<String, AttributeValue>> getItems(StoreId store, String... names) {
        KeysAndAttributes keys = KeysAndAttributes.builder()
                .keys(Arrays.stream(names).map(name -> key(store.value(), name)).toList())
                .consistentRead(true)
                .build();
        BatchGetItemResponse response = tables.batchGetItem(get -> get.requestItems(Map.of(table, keys)));
        if (!response.unprocessedKeys().isEmpty()) {
            throw new IllegalStateException("DynamoDB limits the rate of reads");
        }
        return response.responses().getOrDefault(table, List.of()).stream()
                .collect(Collectors.toMap(item -> text(item, ITEM), item -> item));
    }

    private Optional<StoreId> findStore(String agentId) {
        StoreId known = storesOfAgents.get(agentId);
        if (known != null) {
            return Optional.of(known);
        }
        Map<String, AttributeValue> item = tables.getItem(
                        get -> get.tableName(table).key(key(OF_AGENT + agentId, OF_STORE)))
                .item();
        Optional<StoreId> store =
                Optional.ofNullable(item.get("of")).map(AttributeValue::s).map(StoreId::new);
        store.ifPresent(found -> storesOfAgents.put(agentId, found));
        return store;
    }

    private static Mark toMark(Map<String, AttributeValue> item) {
        AttributeValue instance = item.get("instance");
        return new Mark(
                text(item, "tokenSalt"),
                text(item, "tokenHash"),
                text(item, "session"),
                count(item, "sequence"),
                instance == null ? null : instance.s(),
                count(item, "ackSequence"),
                readTime(item, "checkedAt"));
    }

    @Override
    public void put(StoreId store, String agentId, Mark mark) {
        tryRequest(() -> {
            if (!storesOfAgents.containsKey(agentId)) {
                Map<String, AttributeValue> pointer = new HashMap<>(key(OF_AGENT + agentId, OF_STORE));
                pointer.put("of", AttributeValue.fromS(store.value()));
                putExpiring(pointer);
                storesOfAgents.put(agentId, store);
            }
            Map<String, AttributeValue> item = new HashMap<>(key(store.value(), agentId));
            item.put("tokenSalt", AttributeValue.fromS(mark.tokenSalt()));
            item.put("tokenHash", AttributeValue.fromS(mark.tokenHash()));
            item.put("session", AttributeValue.fromS(mark.session()));
            item.put("sequence", number(mark.sequence()));
            String instance = mark.instance();
            if (instance != null) {
                item.put("instance", AttributeValue.fromS(instance));
            }
            item.put("ackSequence", number(mark.ackSequence()));
            item.put("checkedAt", time(mark.checkedAt()));
            item.put(SEEN_AT, time(clock.instant()));
            putExpiring(item);
            return true;
        });
    }

    private void putExpiring(Map<String, AttributeValue> item) {
        item.put(EXPIRES_AT, number(clock.instant().plus(LIFETIME).getEpochSecond()));
        tables.putItem(put -> put.tableName(table).item(item));
    }

    @Override
    public boolean markSeen(StoreId store, String agentId) {
        return tryRequest(() -> update(
                store.value(),
                agentId,
                "set #name = :now",
                "attribute_exists(#name)",
                Map.of("#name", SEEN_AT),
                Map.of(":now", time(clock.instant()))));
    }

    @Override
    public Optional<Map<String, Instant>> findSeen(StoreId store) {
        return fallback.get(
                () -> {
                    Map<String, Instant> seen = new HashMap<>();
                    tables
                            .queryPaginator(query -> query.tableName(table)
                                    .consistentRead(true)
                                    .keyConditionExpression("#store = :store")
                                    .expressionAttributeNames(Map.of("#store", STORE))
                                    .expressionAttributeValues(Map.of(":store", AttributeValue.fromS(store.value()))))
                            .items()
                            .stream()
                            .filter(item -> item.containsKey(SEEN_AT))
                            .forEach(item -> seen.put(text(item, ITEM), readTime(item, SEEN_AT)));
                    return Optional.of(seen);
                },
                Optional::empty);
    }

    /** Returns all marks; empty if they cannot be read. */
    Optional<AllMarks> findAll() {
        return fallback.get(
                () -> {
                    Sweep sweep = null;
                    Instant activeUntil = Instant.EPOCH;
                    List<DueWork> due = new ArrayList<>();
                    List<SeenAgent> agents = new ArrayList<>();
                    for (Map<String, AttributeValue> item : tables.scanPaginator(
                                    scan -> scan.tableName(table).consistentRead(true))
                            .items()) {
                        String partition = text(item, STORE);
                        if (partition.equals(OF_SWEEP)) {
                            sweep = new Sweep(
                                    readTime(item, "sweptAt"),
                                    new AgentPresence(count(item, "online"), count(item, "expected")));
                        } else if (item.containsKey(SEEN_AT)) {
                            agents.add(new SeenAgent(partition, text(item, ITEM), readTime(item, SEEN_AT)));
                        } else if (!partition.startsWith(OF_AGENT)) {
                            Instant until = readTime(item, ACTIVE_UNTIL);
                            activeUntil = until.isAfter(activeUntil) ? until : activeUntil;
                            item.keySet().stream()
                                    .filter(name -> name.startsWith(DUE))
                                    .forEach(name -> due.add(new DueWork(partition, name, readTime(item, name))));
                        }
                    }
                    return Optional.of(new AllMarks(sweep, activeUntil, due, agents));
                },
                Optional::empty);
    }

    /** Records a complete sweep. */
    void putSweep(Sweep sweep) {
        tryRequest(() -> {
            Map<String, AttributeValue> item = new HashMap<>(key(OF_SWEEP, OF_SWEEP));
            item.put("sweptAt", time(sweep.at()));
            item.put("online", number(sweep.presence().online()));
            item.put("expected", number(sweep.presence().expected()));
            tables.putItem(put -> put.tableName(table).item(item));
            return true;
        });
    }

    /** Deletes a time whose work was done, unless it was changed. */
    void remove(DueWork due) {
        tryRequest(() -> update(
                due.storeId(),
                OF_STORE,
                "remove #name",
                "#name = :value",
                Map.of("#name", due.attribute()),
                Map.of(":value", time(due.at()))));
    }

    /** Deletes the mark of an agent, unless it has polled since. */
    void remove(SeenAgent agent) {
        tryRequest(() -> {
            tables.deleteItem(delete -> delete.tableName(table)
                    .key(key(agent.storeId(), agent.agentId()))
                    .conditionExpression("#name = :value")
                    .expressionAttributeNames(Map.of("#name", SEEN_AT))
                    .expressionAttributeValues(Map.of(":value", time(agent.at()))));
            return true;
        });
    }

    private boolean update(
            String partition,
            String item,
            String expression,
            @Nullable String condition,
            Map<String, String> names,
            Map<String, AttributeValue> values) {
        tables.updateItem(update -> update.tableName(table)
                .key(key(partition, item))
                .updateExpression(expression)
                .conditionExpression(condition)
                .expressionAttributeNames(names)
                .expressionAttributeValues(values));
        return true;
    }

    /** Returns false if the table is unreachable or the condition of the request does not hold. */
    private boolean tryRequest(Supplier<Boolean> request) {
        return fallback.get(
                () -> {
                    try {
                        return request.get();
                    } catch (ConditionalCheckFailedException e) {
                        return false;
                    }
                },
                () -> false);
    }

    private static Map<String, AttributeValue> key(String partition, String item) {
        return Map.of(STORE, AttributeValue.fromS(partition), ITEM, AttributeValue.fromS(item));
    }

    private static AttributeValue time(Instant at) {
        return number(at.toEpochMilli());
    }

    private static AttributeValue number(long value) {
        return AttributeValue.fromN(Long.toString(value));
    }

    private static String text(Map<String, AttributeValue> item, String name) {
        return Objects.requireNonNull(item.get(name)).s();
    }

    private static long count(Map<String, AttributeValue> item, String name) {
        return Long.parseLong(Objects.requireNonNull(item.get(name)).n());
    }

    private static Instant readTime(Map<String, AttributeValue> item, String name) {
        AttributeValue value = item.get(name);
        return value == null ? Instant.EPOCH : Instant.ofEpochMilli(Long.parseLong(value.n()));
    }
}
