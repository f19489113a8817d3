package farm.gantry.api.link;

import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.file.FileUrls;
import farm.gantry.wire.LinkRequest;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The link's messages over MQTT 5, whoever takes them from the broker: a request at {@code gantry/link/AGENT/up}, its answer at
 * {@code gantry/link/AGENT/down}, and what the broker says for an agent whose line broke at {@code gantry/link/AGENT/gone}.
 * What is a header over HTTPS is a user property here.
 */
@Singleton
public final class MqttExchange {
    private static final Logger LOG = LoggerFactory.getLogger(MqttExchange.class);

    /** Of an agent, or of {@code +} for all, and what it is for. */
    public static final String TOPIC = "gantry/link/%s/%s";

    public static final String UP = "up";
    public static final String DOWN = "down";
    public static final String GONE = "gone";

    private final AgentTokens tokens;
    private final LinkExchange exchanges;
    private final AgentWatchdog watchdog;
    private final JsonMapper mapper;
    private final FileUrls urls;

    MqttExchange(AgentTokens tokens, LinkExchange exchanges, AgentWatchdog watchdog, JsonMapper mapper, FileUrls urls) {
        this.tokens = tokens;
        this.exchanges = exchanges;
        this.watchdog = watchdog;
        this.mapper = mapper;
        this.urls = urls;
    }

    /**
     * A message of an agent.
     *
     * @param agentId as the topic names it
     * @param kind {@link #UP} or {@link #GONE}
     * @param authorization the user property of that name
     * @param waitSeconds the user property {@code wait}
     */
    public record Message(
            String agentId,
            String kind,
            @Nullable String authorization,
            @Nullable String waitSeconds,
            String body) {}

    /** An answer, at {@link #DOWN}. */
    public record Answer(int status, String body) {
        public Map<String, String> userProperties() {
            return Map.of(
                    "status", Integer.toString(status), "date", Instant.now().toString());
        }
    }

    /** Does what the message says; empty where nobody waits for an answer. */
    public Optional<Answer> handle(Message message) throws InterruptedException {
        try {
            AgentTokens.Bearer agent = tokens.check(message.authorization());
            if (!agent.agentId().equals(message.agentId())) {
                throw new ProblemException(new Problem.Unauthorized(Problem.Scheme.AgentToken));
            }
            JsonNode body = Objects.requireNonNull(mapper.readValue(message.body(), Argument.of(JsonNode.class)));
            if (message.kind().equals(GONE)) {
                watchdog.onDisconnect(agent, session(body));
                return Optional.empty();
            }
            return Optional.of(new Answer(
                    201, mapper.writeValueAsString(exchanges.exchange(agent, body, seconds(message), urls.base()))));
        } catch (ProblemException e) {
            String why = e.problem().message();
            if (e.problem() instanceof Problem.AgentSuperseded) {
                return Optional.of(refusal(409, Map.of("error", LinkRequest.Instance.SUPERSEDED, "message", why)));
            }
            return Optional.of(refusal(e.problem() instanceof Problem.Unauthorized ? 401 : 400, why));
        } catch (IOException e) {
            return Optional.of(refusal(400, "the message is no JSON"));
        }
    }

    private static String session(JsonNode body) {
        JsonNode session = body.get("session");
        if (session == null || !session.isString()) {
            throw ProblemException.invalid("session", "required", "session is required");
        }
        return session.getStringValue();
    }

    private static int seconds(Message message) {
        String wait = message.waitSeconds();
        return wait != null && wait.matches("\\d{1,4}") ? Integer.parseInt(wait) : 0;
    }

    /** An answer that says why there is no other. */
    public Answer refusal(int status, String why) {
        return refusal(status, Map.of("message", why));
    }

    private Answer refusal(int status, Map<String, String> body) {
        try {
            return new Answer(status, mapper.writeValueAsString(body));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The answer to a message that could not be handled for no fault of the agent; the log says why. */
    public Answer failure(String agentId, RuntimeException fault) {
        LOG.error("what agent {} says cannot be answered", agentId, fault);
        return refusal(500, "something went wrong here");
    }

    /** The agent whose token this is, which a broker may ask for when somebody connects. */
    public Optional<String> agentOf(String token) {
        try {
            return Optional.of(tokens.check("AgentToken " + token).agentId());
        } catch (ProblemException e) {
            return Optional.empty();
        }
    }
}
