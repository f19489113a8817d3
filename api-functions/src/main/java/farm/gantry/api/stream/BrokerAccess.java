package farm.gantry.api.stream;

import com.fasterxml.jackson.annotation.JsonProperty;
import farm.gantry.Permission;
import farm.gantry.api.apikey.WorkCallers;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.WithoutApiKey;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Answers an MQTT broker that asks over HTTP whether a client may connect, and what it may subscribe to: a user name is the
 * id of a store and its password an API key of that store. Understands the requests of EMQX and of the plugin
 * mosquitto-go-auth; off unless {@code gantry.events.broker.access-secret} is set.
 */
@Controller("/mqtt-access")
@Blocking
@Requires(property = BrokerAccess.SECRET)
final class BrokerAccess {
    static final String SECRET = "gantry.events.broker.access-secret";

    private static final String GUARD = "the secret of the broker, in the query";
    private static final int MIN_SECRET_LENGTH = 16;
    /** Topics contain records of these types, so that a subscriber needs the permission to view each. */
    private static final List<Permission> NEEDED = List.of(
            Permission.PRINTER_VIEW,
            Permission.QUEUE_VIEW,
            Permission.PART_VIEW,
            Permission.SKU_VIEW,
            Permission.MATERIAL_VIEW,
            Permission.ORDER_VIEW);

    private final byte[] secret;
    private final Optional<EventBrokerSettings> gantry;
    private final WorkCallers callers;
    private final RecordReader reader;

    BrokerAccess(
            @Value("${" + SECRET + "}") String secret,
            Optional<EventBrokerSettings> gantry,
            WorkCallers callers,
            RecordReader reader) {
        if (secret.length() < MIN_SECRET_LENGTH) {
            throw new IllegalArgumentException(SECRET + " must have at least " + MIN_SECRET_LENGTH + " characters");
        }
        this.secret = secret.getBytes(StandardCharsets.UTF_8);
        this.gantry = gantry;
        this.callers = callers;
        this.reader = reader;
    }

    /**
     * A question of the broker: with a topic, whether the user may use it, otherwise whether the password is right. {@code
     * action} is EMQX's {@code publish} or {@code subscribe}; {@code acc} is that of mosquitto-go-auth: 1 to read, 2 to
     * write, 3 both, 4 to subscribe.
     */
    @Serdeable
    record AccessRequest(
            @Nullable String username,
            @Nullable String password,
            @Nullable String topic,
            @Nullable String action,
            @Nullable Integer acc) {

        boolean isOnlyRead() {
            return acc == null ? "subscribe".equals(action) : acc == 1 || acc == 4;
        }
    }

    /** The answer, in the words of EMQX ({@code result}) and of mosquitto-go-auth ({@code Ok}, {@code Error}). */
    @Serdeable
    record AccessAnswer(
            String result,
            @JsonProperty("is_superuser") boolean isSuperuser,
            @JsonProperty("Ok") boolean ok,
            @JsonProperty("Error") String error) {
        private static AccessAnswer of(boolean allowed, boolean isSuperuser, String reason) {
            return new AccessAnswer(allowed ? "allow" : "deny", isSuperuser, allowed, allowed ? "" : reason);
        }
    }

    /** Answers with status 200 also when it denies access, because EMQX ignores other answers. */
    @Post
    @WithoutApiKey(GUARD)
    AccessAnswer check(@QueryValue @Nullable String secret, @Body @BodyType(AccessRequest.class) JsonNode body) {
        if (secret == null || !isEqual(this.secret, secret)) {
            throw new ProblemException(new Problem.Forbidden("secret must be the value of " + SECRET, null));
        }
        AccessRequest request = reader.read(AccessRequest.class, body);
        String user = request.username() == null ? "" : request.username();
        boolean isGantry =
                gantry.filter(settings -> user.equals(settings.user())).isPresent();
        if (request.topic() != null) {
            boolean allowed = isGantry
                    || (request.isOnlyRead() && request.topic().startsWith("stores/" + user + "/") && !user.isEmpty());
            return AccessAnswer.of(allowed, isGantry, "a store may only read stores/" + user + "/#");
        }
        String password = request.password() == null ? "" : request.password();
        if (isGantry) {
            String own = gantry.map(EventBrokerSettings::password).orElse("");
            boolean isRight = !own.isEmpty() && isEqual(own.getBytes(StandardCharsets.UTF_8), password);
            return AccessAnswer.of(isRight, isRight, "the password is not that of gantry.events.broker.password");
        }
        return isKeyOf(user, password);
    }

    private AccessAnswer isKeyOf(String user, String password) {
        try {
            Caller caller = callers.authenticate(password, "mqtt");
            if (!caller.store().value().equals(user)) {
                return AccessAnswer.of(false, false, "the user name must be the id of the key's store");
            }
            NEEDED.forEach(caller::requirePermission);
            return AccessAnswer.of(true, false, "");
        } catch (ProblemException e) {
            if (e.problem() instanceof Problem.Unauthorized || e.problem() instanceof Problem.Forbidden) {
                return AccessAnswer.of(false, false, e.problem().message());
            }
            throw e;
        }
    }

    private static boolean isEqual(byte[] expected, String given) {
        return MessageDigest.isEqual(expected, given.getBytes(StandardCharsets.UTF_8));
    }
}
