package farm.gantry.api.apikey;

import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.Sha256;
import farm.gantry.annotation.Default;
import farm.gantry.api.database.Change;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Secrets;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.http.IfMatch;
import farm.gantry.api.http.address.TrustedProxies;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.resource.ReadRoutes;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.api.security.WithoutApiKey;
import farm.gantry.apikey.ApiKey;
import farm.gantry.apikey.SecretToken;
import farm.gantry.apikey.Session;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Sessions of signed-in browsers, each with a key whose text the browser does not hold. */
@Controller("/v1/sessions")
final class Sessions extends ReadRoutes<Session> {
    private static final Duration LIFETIME = Duration.ofDays(30);
    /** Lifetime of a wall display's session: the maximum that browsers keep a cookie. */
    private static final Duration WALL_LIFETIME = Duration.ofDays(400);

    private static final Duration CODE_LIFETIME = Duration.ofMinutes(10);
    /** Characters; over 256 bits. */
    private static final int CODE_LENGTH = 50;

    private static final int MAX_PER_USER_AGENT = 300;

    private final Table<ApiKey> keys;
    private final Authentication authentication;
    private final SessionCookie cookie;
    private final SessionRows rows;
    private final Pepper pepper;
    private final Database database;
    private final RecordReader reader;
    private final TrustedProxies proxies;

    Sessions(
            ResourceFactory factory,
            Tables tables,
            Authentication authentication,
            SessionCookie cookie,
            SessionRows rows,
            Pepper pepper,
            Database database,
            RecordReader reader,
            TrustedProxies proxies) {
        super(factory.of(Session.class, "session"));
        this.keys = tables.of(ApiKey.class);
        this.authentication = authentication;
        this.cookie = cookie;
        this.rows = rows;
        this.pepper = pepper;
        this.database = database;
        this.reader = reader;
        this.proxies = proxies;
    }

    /** A sign-in: a name, and a code or key unless the key is in the header. */
    @Serdeable
    record SignInRequest(
            @Default("\"unnamed\"") @NotBlank @Size(max = 100)
            String name,

            @Nullable String code,
            @Nullable String apiKey) {}

    /** A sign-in code, valid once, for ten minutes. */
    @Serdeable
    record SignInCode(String code, Instant expiresAt) {}

    /**
     * Signs a browser in. The session lasts 30 days, or 400 days if {@code wall.view} is the key's only permission. The
     * response sets a cookie that replaces the key in later requests; pages of other origins cannot use it.
     * Authenticate with a {@code code}, or with an API key as {@code apiKey} or in the header ({@code authorization:
     * ApiKey <key>}).
     */
    @Post
    @Status(HttpStatus.CREATED)
    @WithoutApiKey("a single-use code, unless the header or the body contains an API key")
    HttpResponse<Session> signIn(HttpRequest<?> request, @Body @BodyType(SignInRequest.class) JsonNode body) {
        cookie.rejectOtherOrigins(request);
        SignInRequest wanted = reader.read(SignInRequest.class, body);
        String name = wanted.name().strip();
        String code = wanted.code() == null ? null : hashSignInCode(wanted.code());
        Caller caller = code == null
                ? authentication.authenticateByKey(request, wanted.apiKey(), name)
                : authentication.authenticateByCode(
                        request, rows.findKeyOfCode(code).orElseThrow(Sessions::invalidCode), name);
        rows.deleteExpired(caller.store());
        Duration life = caller.hasOnly(Permission.WALL_VIEW) ? WALL_LIFETIME : LIFETIME;
        String id = Id.next();
        SecretToken token = SecretToken.generate(id);
        Session session = resources.parseNew(
                caller.store(), reader.toTree(Map.of("name", name)), systemFields(request, id, caller.keyId(), life));
        String salt = Id.random(24);
        database.in(caller, tx -> {
            if (code != null && !rows.consumeCode(tx, code)) {
                throw invalidCode();
            }
            resources.table().insert(tx, session, Secrets.Visibility.HIDDEN);
            return resources
                    .table()
                    .change(
                            tx,
                            id,
                            new Change<Session>().setColumn("salt", salt).setColumn("hash", pepper.hash(token, salt)));
        });
        MutableHttpResponse<Session> response = HttpResponse.created(session);
        cookie.set(request, response, token, life);
        return response;
    }

    private Map<String, Object> systemFields(HttpRequest<?> request, String id, String keyId, Duration life) {
        Map<String, Object> system = new HashMap<>(Map.of(
                "id",
                id,
                "keyId",
                keyId,
                "expiresAt",
                Resources.now().plus(life).toString()));
        String userAgent = request.getHeaders().get(HttpHeaders.USER_AGENT);
        if (userAgent != null) {
            system.put("userAgent", userAgent.substring(0, Math.min(userAgent.length(), MAX_PER_USER_AGENT)));
        }
        InetAddress address = proxies.callerAddress(request);
        if (address != null) {
            system.put("address", address.getHostAddress());
        }
        return system;
    }

    private String hashSignInCode(String code) {
        return Sha256.of(pepper.oldest() + code.strip());
    }

    private static ProblemException invalidCode() {
        return ProblemException.invalid("code", "not_found", "the code is unknown, used or expired: create a new one");
    }

    /** Creates a sign-in code for the caller's key. It signs one browser in without revealing the key. */
    @Post("/codes")
    @Status(HttpStatus.CREATED)
    @RequiresPermission({})
    SignInCode code(Caller caller, HttpRequest<?> request) {
        if (authentication.findSession(request).isPresent()) {
            throw new ProblemException(
                    new Problem.Forbidden("a session cannot create sign-in codes: use the API key", null));
        }
        String code = Id.random(CODE_LENGTH);
        database.in(caller, tx -> {
            rows.addCode(tx, hashSignInCode(code), caller.keyId(), CODE_LIFETIME);
            return code;
        });
        return new SignInCode(code, Resources.now().plus(CODE_LIFETIME));
    }

    /** Returns the session of the request. */
    @Get("/current")
    @RequiresPermission({})
    Session current(Caller caller, HttpRequest<?> request) {
        return resources.find(caller, requireSession(request).id());
    }

    /** Signs the browser out. */
    @Delete("/current")
    @RequiresPermission({})
    HttpResponse<List<String>> signOut(Caller caller, HttpRequest<?> request) {
        String id = requireSession(request).id();
        MutableHttpResponse<List<String>> response =
                HttpResponse.ok(database.in(caller, tx -> resources.delete(tx, List.of(id))));
        cookie.clear(request, response);
        return response;
    }

    private SessionRow requireSession(HttpRequest<?> request) {
        return authentication.findSession(request).orElseThrow(() -> ProblemException.notFound("session"));
    }

    /**
     * Ends a session. Its next request is rejected. A session whose key has permissions that the caller lacks cannot be
     * ended.
     */
    @Delete("/{id}")
    @RequiresPermission(Permission.API_KEY_DELETE)
    HttpResponse<List<String>> delete(Caller caller, String id, IfMatch ifMatch) {
        Resources.parseId(id);
        return HttpResponse.ok(database.in(
                caller,
                tx -> resources.delete(
                        tx,
                        caller,
                        id,
                        ifMatch,
                        session -> keys.find(tx, session.keyId())
                                .ifPresent(key -> ApiKeyIssuer.checkGrant(caller, key)))));
    }
}
