package farm.gantry.edge.provider.anycubic;

import farm.gantry.edge.file.Md5;
import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.json.Tree;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Requests the login to the broker of a printer in LAN mode; each request returns another login. */
record AnycubicHandshake(HttpClient http, AnycubicAddress address) {
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);
    private static final int TOKEN = 32;
    private static final int NONCE = 6;

    AnycubicLogin requestLogin() throws IOException, Refusal, InterruptedException {
        Map<String, Object> info = requestInfo();
        String token = Tree.text(info, "token");
        String control = Tree.text(info, "ctrlInfoUrl");
        Object model = info.get("modelId");
        if ("cloud".equals(Tree.text(info, "ctrlType"))) {
            throw new Refusal("LAN mode is off: switch the printer from cloud mode to LAN mode at its screen");
        }
        if (token == null || token.length() != TOKEN || control == null || model == null) {
            throw new Refusal("the printer's firmware has no LAN mode that the farm supports");
        }
        Map<String, Object> answer =
                send(HttpRequest.newBuilder(signedUrl(control, token)).POST(BodyPublishers.noBody()));
        String sealed = Tree.text(answer, "data", "info");
        String answered = Tree.text(answer, "data", "token");
        if (Tree.number(answer, "code", 0) != 200 || sealed == null || answered == null) {
            throw new IOException("the printer rejects the login request: " + Tree.text(answer, "message"));
        }
        return AnycubicLogin.decrypt(sealed, token, answered, String.valueOf(model));
    }

    /**
     * Requests the printer's description. A refused connection means that LAN mode is off, a timeout that the printer
     * is off.
     */
    private Map<String, Object> requestInfo() throws IOException, Refusal, InterruptedException {
        try {
            return send(HttpRequest.newBuilder(address.infoUrl()));
        } catch (ConnectException e) {
            if (isUnknown(e)) {
                throw new IOException("cannot connect to " + address.host(), e);
            }
            throw new Refusal("LAN mode is off, or the printer is starting: " + address + " refuses connections");
        }
    }

    private static boolean isUnknown(@Nullable Throwable thrown) {
        for (Throwable at = thrown; at != null; at = at.getCause()) {
            if (at instanceof UnresolvedAddressException || at instanceof NoRouteToHostException) {
                return true;
            }
        }
        return false;
    }

    private static URI signedUrl(String control, String token) {
        long now = System.currentTimeMillis();
        String client = UUID.randomUUID().toString().replace("-", "");
        String nonce = client.substring(0, NONCE);
        String sign = sign(token, now, nonce);
        String did = client.toUpperCase(Locale.ROOT);
        return URI.create(control + "?ts=" + now + "&nonce=" + nonce + "&sign=" + sign + "&did=" + did);
    }

    /**
     * Returns the signature of a request. Its key is the first half of the token; the second half decrypts the
     * response.
     */
    static String sign(String token, long now, String nonce) {
        return Md5.of(Md5.of(token.substring(0, TOKEN / 2)) + now + nonce);
    }

    private Map<String, Object> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return PrinterHttp.send(http, request.timeout(REQUEST_TIMEOUT).build()).parseJson();
    }
}
