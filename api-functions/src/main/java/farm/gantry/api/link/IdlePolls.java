package farm.gantry.api.link;

import farm.gantry.Id;
import farm.gantry.StoreId;
import farm.gantry.api.apikey.Pepper;
import farm.gantry.api.queue.StoreActivity;
import farm.gantry.apikey.SecretToken;
import farm.gantry.wire.LinkResponse;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Answers polls of idle agents from their marks, so that the database may pause. An agent gets a mark when the database
 * has nothing for it and its store is not in use. The mark answers a poll that repeats the agent's last one, until the
 * store is used, or until the next full check, which limits the damage of a lost record.
 */
@Singleton
final class IdlePolls {
    private static final int SALT_LENGTH = 24;

    private final Optional<AgentMarks> marks;
    private final Optional<StoreActivity> activity;
    private final LinkRateLimit rateLimit;
    private final LinkSettings times;
    private final Pepper pepper;
    private final InstantSource clock;
    /** Agents whose last response was not that of an idle agent; their marks are not read. */
    private final Set<String> busyAgents = ConcurrentHashMap.newKeySet();

    IdlePolls(
            Optional<AgentMarks> marks,
            Optional<StoreActivity> activity,
            LinkRateLimit rateLimit,
            LinkSettings times,
            Pepper pepper,
            InstantSource clock) {
        this.marks = marks;
        this.activity = activity;
        this.rateLimit = rateLimit;
        this.times = times;
        this.pepper = pepper;
        this.clock = clock;
    }

    /**
     * A request of an agent before the database is read.
     *
     * @param token null if the header has none
     * @param storeUse whether the agent's store was in use
     * @param response null if the database must be read
     */
    record Poll(
            @Nullable SecretToken token,
            JsonNode body,
            boolean hasChanges,
            Instant readAt,
            StoreUse storeUse,
            @Nullable LinkResponse response) {}

    /** Whether a store is in use: {@code NOT_READ} for an agent that cannot get a mark, {@code UNKNOWN} before its first. */
    enum StoreUse {
        NOT_READ,
        UNKNOWN,
        IN_USE,
        IDLE
    }

    /** Reads the agent's mark if its poll may be answered from it, or may lead to a mark. */
    Poll read(@Nullable String authorization, JsonNode body) {
        SecretToken token = AgentTokens.parse(authorization).orElse(null);
        boolean hasChanges = !isEmpty(body, "events") || !isEmpty(body, "acks");
        Instant now = clock.instant();
        if (marks.isEmpty() || token == null || hasChanges || busyAgents.contains(token.id())) {
            return new Poll(token, body, hasChanges, now, StoreUse.NOT_READ, null);
        }
        AgentMarks.AgentReading reading = marks.get().read(token.id()).orElse(null);
        if (reading == null || reading.isStoreInUse()) {
            return new Poll(token, body, false, now, reading == null ? StoreUse.UNKNOWN : StoreUse.IN_USE, null);
        }
        return new Poll(token, body, false, now, StoreUse.IDLE, answer(token, body, now, reading));
    }

    private @Nullable LinkResponse answer(
            SecretToken token, JsonNode body, Instant now, AgentMarks.AgentReading reading) {
        AgentMarks.Mark mark = reading.mark();
        if (mark == null
                || !isEmpty(body, "reports")
                || isEnding(body)
                || !mark.session().equals(text(body, "session"))
                || mark.sequence() != number(body, "sequence")
                || !Objects.equals(mark.instance(), instance(body))
                || times.fullCheckPeriod(now) != times.fullCheckPeriod(mark.checkedAt())
                || !pepper.matches(token, mark.tokenSalt(), mark.tokenHash())) {
            return null;
        }
        rateLimit.check(token.id());
        return marks.get().markSeen(reading.store(), token.id()) ? idleResponse(mark.ackSequence()) : null;
    }

    /** Records, before they are applied, that the request changes the store, or reads whether the store is in use. */
    Poll begin(Poll poll, StoreId store) {
        if (poll.hasChanges()) {
            activity.ifPresent(records -> records.touch(store));
        }
        boolean isIdle = poll.storeUse() == StoreUse.UNKNOWN
                && marks.filter(found -> found.isIdle(store)).isPresent();
        return isIdle ? new Poll(poll.token(), poll.body(), false, clock.instant(), StoreUse.IDLE, null) : poll;
    }

    /** Stores a mark if the response is that of an idle agent, and otherwise records that its store is in use. */
    LinkResponse end(Poll poll, AgentTokens.Bearer agent, LinkResponse response) {
        if (marks.isEmpty()) {
            return response;
        }
        if (poll.hasChanges() || isEnding(poll.body()) || !isIdle(response)) {
            busyAgents.add(agent.agentId());
            activity.ifPresent(records -> records.touch(agent.store()));
            return response;
        }
        busyAgents.remove(agent.agentId());
        String session = text(poll.body(), "session");
        SecretToken token = poll.token();
        if (poll.storeUse() != StoreUse.IDLE || session == null || token == null) {
            return response;
        }
        String salt = Id.random(SALT_LENGTH);
        marks.get()
                .put(
                        agent.store(),
                        agent.agentId(),
                        new AgentMarks.Mark(
                                salt,
                                pepper.hash(token, salt),
                                session,
                                number(poll.body(), "sequence"),
                                instance(poll.body()),
                                response.ackSequence(),
                                poll.readAt()));
        return idleResponse(response.ackSequence());
    }

    private boolean isIdle(LinkResponse response) {
        return response.commands().isEmpty()
                && response.printers() == null
                && response.stills() == null
                && times.idlePollInterval().compareTo(times.pollInterval()) > 0
                && response.pollAfterMs() == times.idlePollInterval().toMillis();
    }

    /**
     * Returns the response to an idle agent. It reports what is not urgent as rarely as the database is read: nobody reads it until the
     * store is used, and then the next response shortens the interval.
     */
    private LinkResponse idleResponse(long ackSequence) {
        return new LinkResponse(
                ackSequence,
                null,
                List.of(),
                times.idlePollInterval().toMillis(),
                times.fullCheckInterval().toMillis(),
                null,
                null);
    }

    private static boolean isEmpty(JsonNode body, String field) {
        JsonNode list = body.get(field);
        return list == null || list.isNull() || (list.isArray() && list.size() == 0);
    }

    private static @Nullable String text(JsonNode object, String field) {
        JsonNode value = object.get(field);
        return value != null && value.isString() ? value.getStringValue() : null;
    }

    /** Returns the number, or -1, which no agent sends, if it is none. */
    private static long number(JsonNode body, String field) {
        JsonNode value = body.get(field);
        return value != null && value.isNumber() ? value.getLongValue() : -1;
    }

    private static @Nullable String instance(JsonNode body) {
        JsonNode instance = body.get("instance");
        return instance == null ? null : text(instance, "id");
    }

    private static boolean isEnding(JsonNode body) {
        JsonNode instance = body.get("instance");
        JsonNode ended = instance == null ? null : instance.get("ended");
        return ended != null && ended.isBoolean() && ended.getBooleanValue();
    }
}
