package farm.gantry.api.link;

import farm.gantry.Id;
import farm.gantry.StoreId;
import farm.gantry.api.apikey.Pepper;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.store.AgentRows;
import farm.gantry.apikey.KeyText;
import jakarta.inject.Singleton;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Agent tokens: created and hashed like API keys, valid for the link only. */
@Singleton
final class AgentTokens {
    private static final String SCHEME = "agenttoken ";

    private final AgentRows rows;
    private final Pepper pepper;

    AgentTokens(AgentRows rows, Pepper pepper) {
        this.rows = rows;
        this.pepper = pepper;
    }

    /** The agent that a token authenticates. */
    record Bearer(StoreId store, String agentId) {}

    Bearer check(@Nullable String authorization) {
        KeyText token = Optional.ofNullable(authorization)
                .filter(header -> header.toLowerCase(Locale.ROOT).startsWith(SCHEME))
                .flatMap(header ->
                        KeyText.parse(header.substring(SCHEME.length()).strip()))
                .orElseThrow(() -> new ProblemException(new Problem.Unauthorized()));
        return rows.find(token.id())
                .filter(row -> row.tokenSalt() != null
                        && row.tokenHash() != null
                        && token.matches(pepper.value(), row.tokenSalt(), row.tokenHash()))
                .map(row -> new Bearer(new StoreId(row.storeId()), token.id()))
                .orElseThrow(() -> new ProblemException(new Problem.Unauthorized()));
    }

    /** The columns of a new token, hashed. */
    Map<String, String> hashedColumns(KeyText token) {
        String salt = Id.random(24);
        return Map.of("tokenSalt", salt, "tokenHash", token.hash(pepper.value(), salt));
    }
}
