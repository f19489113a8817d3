package farm.gantry.edge.link;

import farm.gantry.version.ProductVersion;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The version that the server last sent. Logs an error when server and agent are too far apart. */
final class ServerVersion {
    private static final Logger LOG = LoggerFactory.getLogger(ServerVersion.class);

    private final ProductVersion agent;
    private final AtomicReference<@Nullable String> server = new AtomicReference<>();

    ServerVersion(ProductVersion agent) {
        this.agent = agent;
    }

    /** Records the version of a response; null leaves the known one. */
    void update(@Nullable String version) {
        if (version != null && !version.equals(server.getAndSet(version))) {
            LOG.info("the server's version is {}, the agent's {}", version, agent);
            mismatch().ifPresent(LOG::error);
        }
    }

    /** Returns why server and agent may not work together, and what to do; empty if they do, or if it is unknown. */
    Optional<String> mismatch() {
        String sent = server.get();
        return sent == null
                ? Optional.empty()
                : ProductVersion.parse(sent)
                        .filter(version -> !agent.isCompatibleWith(version))
                        .map(this::remedy);
    }

    private String remedy(ProductVersion version) {
        return "the server's version is %s and the agent's %s, which may not work together: upgrade the %s"
                .formatted(version, agent, agent.isOlderThan(version) ? "agent" : "server");
    }
}
