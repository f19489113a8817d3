package farm.gantry.api.webhook;

import io.micronaut.context.annotation.Context;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides which receivers are allowed, by their URL and by the addresses it resolves to. */
@Context
public final class ReceiverPolicy {
    private static final Logger LOG = LoggerFactory.getLogger(ReceiverPolicy.class);
    private static final Pattern LOCAL_NAME =
            Pattern.compile("(.*\\.)?(localhost|local|localdomain|internal|intranet|private|corp|home|lan|arpa)\\.?");
    /** Some resolvers accept {@code 127.1}, {@code 2130706433} and {@code 0x7f.1} as addresses. */
    private static final Pattern NUMERIC_NAME = Pattern.compile("(.*\\.)?(\\d+|0x[0-9a-f]*)\\.?");

    private static final Map<String, Integer> DEFAULT_PORTS =
            Map.of("http", 80, "https", 443, "smtp", 587, "smtps", 465);

    private final boolean insecure;
    private final Set<String> localReceivers;

    ReceiverPolicy(WebhookSettings settings) {
        this.localReceivers = settings.localReceivers().stream()
                .filter(text -> !text.isBlank())
                .map(ReceiverPolicy::configuredOrigin)
                .collect(Collectors.toSet());
        this.insecure = settings.allowInsecureLocalReceiversForDevelopment();
        if (insecure) {
            LOG.warn("!!! Webhooks may go to http and to local addresses. This is for development only: anyone who may "
                    + "edit a store's settings can reach this machine's network. !!!");
        }
    }

    private static String configuredOrigin(String text) {
        try {
            URI uri = new URI(text.strip()).parseServerAuthority();
            if (uri.getHost() != null && uri.toString().matches("(?i)(http|smtp)s?://[^/?#@]+")) {
                return origin(uri);
            }
        } catch (URISyntaxException e) {
            // rejected below
        }
        throw new IllegalArgumentException("gantry.webhooks.local-receivers: " + text
                + " is not an origin; write it as http://192.168.1.20:8080 or smtp://192.168.1.20:25, without a path");
    }

    private static String origin(URI uri) {
        String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        int port = uri.getPort() >= 0 ? uri.getPort() : DEFAULT_PORTS.getOrDefault(scheme, 0);
        return scheme + "://" + uri.getHost().toLowerCase(Locale.ROOT) + ":" + port;
    }

    /** Returns whether the operator allows deliveries to this server, whatever its address. */
    boolean isLocalReceiver(URI url) {
        return localReceivers.contains(origin(url));
    }

    /** Returns the fault of a receiver's URL; empty if it is allowed. */
    public Optional<String> fault(String url) {
        return fault(url, localReceivers);
    }

    /** Returns the fault of a URL to download from, which must be public; empty if it is allowed. */
    Optional<String> downloadFault(String url) {
        return fault(url, Set.of());
    }

    private Optional<String> fault(String url, Set<String> localReceivers) {
        URI uri;
        try {
            uri = new URI(url).parseServerAuthority();
        } catch (URISyntaxException e) {
            return Optional.of("must be an absolute https address");
        }
        boolean isLocalReceiver =
                uri.getHost() != null && uri.getScheme() != null && localReceivers.contains(origin(uri));
        Set<String> schemes = insecure || isLocalReceiver ? Set.of("https", "http") : Set.of("https");
        if (uri.getScheme() == null || !schemes.contains(uri.getScheme().toLowerCase(Locale.ROOT))) {
            return Optional.of("must begin with https://");
        }
        if (uri.getHost() == null || uri.getUserInfo() != null || uri.getFragment() != null || url.length() > 2000) {
            return Optional.of("must be an absolute address without user or fragment");
        }
        if (uri.getPort() == 0 || uri.getPort() > 65535) {
            return Optional.of("must have a port of 1 to 65535, or none");
        }
        return hostFault(uri, isLocalReceiver);
    }

    /** Returns the fault of a mail server; empty if messages may be submitted to it, without encryption if not {@code encrypted}. */
    Optional<String> mailServerFault(URI server, boolean encrypted) {
        if (server.getHost() == null) {
            return Optional.of("must be a host name or an IP address");
        }
        boolean isLocalReceiver = isLocalReceiver(server);
        return encrypted || insecure || isLocalReceiver
                ? hostFault(server, isLocalReceiver)
                : Optional.of(
                        "is reached without encryption, which only servers of gantry.webhooks.local-receivers may be;"
                                + " set settings.security to starttls or tls");
    }

    private Optional<String> hostFault(URI uri, boolean isLocalReceiver) {
        if (insecure || isLocalReceiver) {
            return Optional.empty();
        }
        return isLocal(uri.getHost().toLowerCase(Locale.ROOT))
                ? Optional.of("must not be a local or private address")
                : Optional.empty();
    }

    private static boolean isLocal(String host) {
        try {
            return !PublicAddresses.contains(InetAddress.ofLiteral(host.replaceAll("[\\[\\]]", "")));
        } catch (IllegalArgumentException e) {
            return LOCAL_NAME.matcher(host).matches()
                    || NUMERIC_NAME.matcher(host).matches()
                    || !host.contains(".");
        }
    }

    /** Throws if any of the receiver's addresses is not allowed. */
    void check(InetAddress[] addresses) throws UnknownHostException {
        for (InetAddress address : addresses) {
            if (!insecure && !PublicAddresses.contains(address)) {
                throw new UnknownHostException("the receiver's address is not public");
            }
        }
    }
}
