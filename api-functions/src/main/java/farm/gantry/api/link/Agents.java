package farm.gantry.api.link;

import farm.gantry.Permission;
import farm.gantry.StoreId;
import farm.gantry.agent.Agent;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Secrets;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.http.IfMatch;
import farm.gantry.api.http.address.TrustedProxies;
import farm.gantry.api.http.ratelimit.RateLimits;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.printer.readiness.PrinterReadiness;
import farm.gantry.api.resource.ReadRoutes;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.api.security.WithoutApiKey;
import farm.gantry.apikey.SecretToken;
import farm.gantry.wire.Pairing;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The routes of agents and their pairing with a store. */
@Controller("/v1/agents")
final class Agents extends ReadRoutes<Agent> {
    private static final Duration CODE_LIFE = Duration.ofMinutes(15);
    private static final String LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ";
    private static final String DIGITS = "23456789";

    private final AgentRows rows;
    private final AgentTokens tokens;
    private final Database database;
    private final RecordReader reader;
    private final ServedPrinterRows served;
    private final TrustedProxies proxies;
    private final PrinterReadiness readiness;
    private final SecureRandom random = new SecureRandom();
    private final PairingRateLimit wrongCodes;
    private final LinkSettings link;

    Agents(
            ResourceFactory factory,
            AgentRows rows,
            AgentTokens tokens,
            Database database,
            RecordReader reader,
            ServedPrinterRows served,
            PrinterReadiness readiness,
            TrustedProxies proxies,
            RateLimits limits,
            LinkSettings link) {
        super(factory.of(Agent.class, "agent"));
        this.rows = rows;
        this.tokens = tokens;
        this.database = database;
        this.reader = reader;
        this.served = served;
        this.proxies = proxies;
        this.readiness = readiness;
        this.wrongCodes = new PairingRateLimit(limits);
        this.link = link;
    }

    /** Creates a pairing code. The code pairs one agent with the store and is valid for 15 minutes. */
    @Post("/pairing-codes")
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.AGENT_MANAGE)
    Pairing.Code pairingCode(Caller caller) {
        String code = randomText(LETTERS) + "-" + randomText(DIGITS);
        database.in(caller, _ -> {
            rows.removeExpiredPairingCodes(caller.store().value());
            rows.addPairingCode(
                    caller.store().value(), tokens.hashed(code), (int) CODE_LIFE.toSeconds(), caller.keyId());
            return code;
        });
        return new Pairing.Code(code, Resources.now().plus(CODE_LIFE));
    }

    private String randomText(String alphabet) {
        return random.ints(4, 0, alphabet.length())
                .collect(
                        StringBuilder::new, (text, index) -> text.append(alphabet.charAt(index)), StringBuilder::append)
                .toString();
    }

    /** Exchanges a pairing code for a token. Wrong codes are rate-limited, so that codes cannot be guessed. */
    @Post("/pair")
    @Status(HttpStatus.CREATED)
    @WithoutApiKey("the pairing code, used once")
    Pairing.Response pair(HttpRequest<?> http, @Body @BodyType(Pairing.Request.class) JsonNode body) {
        Pairing.Request request = reader.read(Pairing.Request.class, body);
        String code = tokens.hashed(request.code().strip().toUpperCase(Locale.ROOT));
        InetAddress from = proxies.callerAddress(http);
        wrongCodes.check(from);
        StoreId store = rows.storeOfPairingCode(code).map(StoreId::new).orElseThrow(() -> {
            wrongCodes.add(from);
            return invalidCode();
        });
        wrongCodes.check(store);
        return database.in(store, tx -> {
            if (rows.takePairingCode(store.value(), code) == 0) {
                wrongCodes.add(store);
                throw invalidCode();
            }
            Agent agent = resources.parseNew(
                    store,
                    reader.toTree(Map.of("name", request.name())),
                    Map.of("version", request.version(), "platform", request.platform()));
            SecretToken token = SecretToken.generate(agent.id());
            resources.table().insert(tx, agent, Secrets.Visibility.HIDDEN);
            resources.table().change(tx, agent.id(), tokens.hashed(token));
            return new Pairing.Response(agent.id(), store.value(), token.toString(), link.publicUrl());
        });
    }

    private static ProblemException invalidCode() {
        return ProblemException.invalid("code", "not_found", "the code is unknown, used or expired: create a new one");
    }

    /** Renames an agent. Returns 412 if the record no longer matches {@code If-Match}. */
    @Patch("/{id}")
    @RequiresPermission(Permission.AGENT_MANAGE)
    HttpResponse<Agent> patch(Caller caller, String id, IfMatch ifMatch, @Body @BodyType(Agent.class) JsonNode body) {
        return resources.patch(caller, id, ifMatch, body);
    }

    /** Revokes an agent. Its token stops working at once, and its printers become unreachable. */
    @Delete("/{id}")
    @RequiresPermission(Permission.AGENT_MANAGE)
    HttpResponse<List<String>> delete(Caller caller, String id, IfMatch ifMatch) {
        Resources.parseId(id);
        return HttpResponse.ok(database.in(caller, tx -> {
            Collection<String> unserved = served.printerIdsByDevice(tx, id).values();
            List<String> deleted = resources.delete(tx, caller, id, ifMatch, _ -> {});
            unserved.forEach(printerId -> readiness.onReplaced(tx, printerId, "its agent was deleted"));
            return deleted;
        }));
    }
}
