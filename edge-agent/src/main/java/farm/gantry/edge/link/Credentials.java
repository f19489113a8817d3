package farm.gantry.edge.link;

import farm.gantry.edge.file.PrivateFile;
import farm.gantry.edge.log.SecretMask;
import farm.gantry.json.Json;
import io.micronaut.serde.annotation.Serdeable;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** The result of pairing: the API's address and the agent's token. */
@Serdeable
public record Credentials(String api, String agentId, String storeId, String token) {
    /** The name of the file in the agent's data folder. */
    public static final String FILE = "agent.json";

    public Credentials {
        SecretMask.register(token);
    }

    public static Optional<Credentials> read(Path data) throws IOException {
        Path file = data.resolve(FILE);
        return Files.exists(file)
                ? Optional.of(Json.read(Files.readString(file), Credentials.class))
                : Optional.empty();
    }

    public void writeTo(Path data) throws IOException {
        PrivateFile.write(data.resolve(FILE), Json.write(this));
    }

    /**
     * Returns the credentials at the new address of the store, as the API told it. Empty if the agent must not go there: it
     * does not leave an encrypted connection for a plain one, nor its own network by a plain one.
     */
    public Optional<Credentials> movedTo(String address) {
        try {
            URI target = new URI(address);
            boolean isAllowed = target.getHost() != null
                    && target.getRawUserInfo() == null
                    && target.getRawQuery() == null
                    && ("https".equals(target.getScheme()) || (isPlainAndNear(target) && isPlainAndNear(new URI(api))));
            Credentials moved = new Credentials(address.replaceFirst("/+$", ""), agentId, storeId, token);
            return Optional.of(moved).filter(each -> isAllowed && !each.equals(this));
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    /** Returns whether the address is one of HTTP without TLS, of this machine or its private network. */
    private static boolean isPlainAndNear(URI address) {
        if (!"http".equals(address.getScheme())) {
            return false;
        }
        try {
            return Arrays.stream(InetAddress.getAllByName(address.getHost())).allMatch(Credentials::isNear);
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private static boolean isNear(InetAddress address) {
        boolean isUniqueLocal = address instanceof Inet6Address && (address.getAddress()[0] & 0xfe) == 0xfc;
        return address.isLoopbackAddress()
                || address.isSiteLocalAddress()
                || address.isLinkLocalAddress()
                || isUniqueLocal;
    }

    @Override
    public String toString() {
        return "agent " + agentId + " of " + api;
    }
}
