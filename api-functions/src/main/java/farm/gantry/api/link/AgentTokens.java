package farm.gantry.api.link;

import farm.gantry.Id;
import farm.gantry.Sha256;
import farm.gantry.StoreId;
import farm.gantry.agent.Agent;
import farm.gantry.api.apikey.Pepper;
import farm.gantry.api.database.Change;
import farm.gantry.api.database.Database;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.apikey.SecretToken;
import jakarta.inject.Singleton;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Agent tokens, hashed like API keys but valid only for the link, and the pairing codes that are exchanged for them.
 */
@Singleton
final class AgentTokens {
    private static final String SCHEME = "agenttoken";

    private final AgentRows rows;
    private final Database database;
    private final Pepper pepper;

    AgentTokens(AgentRows rows, Database database, Pepper pepper) {
        this.rows = rows;
        this.database = database;
        this.pepper = pepper;
    }

    /** The agent that a token authenticates. */
    record Bearer(StoreId store, String agentId) {}

    Bearer check(@Nullable String authorization) {
        SecretToken token = parse(authorization)
                .orElseThrow(() -> new ProblemException(new Problem.Unauthorized(Problem.Scheme.AgentToken)));
        return rows.find(token.id())
                .filter(row -> row.tokenSalt() != null
                        && row.tokenHash() != null
                        && pepper.matches(token, row.tokenSalt(), row.tokenHash()))
                .map(row -> bearer(token, row))
                .orElseThrow(() -> new ProblemException(new Problem.Unauthorized(Problem.Scheme.AgentToken)));
    }

    /** Returns the token in the header. */
    static Optional<SecretToken> parse(@Nullable String authorization) {
        return SecretToken.parseHeader(authorization, SCHEME);
    }

    /** Authenticates the agent, and rehashes a token that was hashed with an older pepper. */
    private Bearer bearer(SecretToken token, AgentRow row) {
        StoreId store = new StoreId(row.storeId());
        String hash = Objects.requireNonNull(row.tokenHash());
        if (pepper.isOutdated(hash)) {
            String fresh = pepper.hash(token, Objects.requireNonNull(row.tokenSalt()));
            database.in(store, tx -> rows.hashAgain(store.value(), token.id(), hash, fresh));
        }
        return new Bearer(store, token.id());
    }

    /** Returns the columns of a new token, hashed. */
    Change<Agent> hashed(SecretToken token) {
        String salt = Id.random(24);
        return new Change<Agent>().setColumn("tokenSalt", salt).setColumn("tokenHash", pepper.hash(token, salt));
    }

    /** Returns the hash under which a pairing code is stored. */
    String hashed(String pairingCode) {
        return Sha256.of(pepper.oldest() + pairingCode);
    }
}
