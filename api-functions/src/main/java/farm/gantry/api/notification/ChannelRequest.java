package farm.gantry.api.notification;

import farm.gantry.api.json.JsonText;
import io.micronaut.json.tree.JsonNode;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.LinkedHashMap;
import java.util.Map;

/** A POST request with a JSON body. */
public record ChannelRequest(URI url, Map<String, String> headers, String body) {
    static ChannelRequest of(String url, Map<String, String> headers, Map<String, ?> body) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("Content-Type", "application/json");
        all.put("User-Agent", "Gantry");
        all.putAll(headers);
        return new ChannelRequest(parse(url), all, JsonText.write(JsonNode.from(body)));
    }

    /** Parses a URL; the exception does not contain it, because it may be a secret. */
    private static URI parse(String url) {
        try {
            return new URI(url);
        } catch (URISyntaxException e) {
            throw new IllegalStateException("the address of the channel is invalid");
        }
    }

    /** Returns a URL without the slashes at its end. */
    static String base(String url) {
        return url.replaceFirst("/+$", "");
    }
}
