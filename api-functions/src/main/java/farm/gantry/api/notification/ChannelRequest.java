package farm.gantry.api.notification;

import farm.gantry.Id;
import farm.gantry.api.json.JsonText;
import farm.gantry.notification.NotificationChannel.Security;
import io.micronaut.json.tree.JsonNode;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A message in the form of its service: an HTTP request or an e-mail. */
public sealed interface ChannelRequest {

    /** An HTTP request. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Http(String method, URI url, Map<String, String> headers, byte[] body) implements ChannelRequest {
        /** Returns a POST request with a JSON body. */
        static Http post(String url, Map<String, String> headers, Map<String, ?> body) {
            return json("POST", url, headers, body);
        }

        /** Returns a PATCH request with a JSON body. */
        static Http patch(String url, Map<String, ?> body) {
            return json("PATCH", url, Map.of(), body);
        }

        private static Http json(String method, String url, Map<String, String> headers, Map<String, ?> body) {
            Map<String, String> all = new LinkedHashMap<>();
            all.put("Content-Type", "application/json");
            all.putAll(headers);
            return of(method, url, all, JsonText.write(JsonNode.from(body)).getBytes(StandardCharsets.UTF_8));
        }

        /** Returns a POST request. */
        static Http post(String url, Map<String, String> headers, byte[] body) {
            return of("POST", url, headers, body);
        }

        /** Returns a POST request with a form of text fields and a picture, as RFC 7578 describes it. */
        static Http form(String url, Map<String, String> fields, String pictureField, MessagePicture picture) {
            String boundary = "gantry-" + Id.next();
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            fields.forEach(
                    (name, value) -> body.writeBytes(part(boundary, "name=\"" + name + "\"\r\n\r\n" + value + "\r\n")));
            body.writeBytes(part(
                    boundary,
                    "name=\"" + pictureField + "\"; filename=\"" + picture.fileName() + "\"\r\nContent-Type: "
                            + picture.mediaType() + "\r\n\r\n"));
            body.writeBytes(picture.bytes());
            body.writeBytes(("\r\n--" + boundary + "--\r\n").getBytes(StandardCharsets.US_ASCII));
            return post(url, Map.of("Content-Type", "multipart/form-data; boundary=" + boundary), body.toByteArray());
        }

        private static byte[] part(String boundary, String content) {
            return ("--" + boundary + "\r\nContent-Disposition: form-data; " + content)
                    .getBytes(StandardCharsets.UTF_8);
        }

        private static Http of(String method, String url, Map<String, String> headers, byte[] body) {
            Map<String, String> all = new LinkedHashMap<>(headers);
            all.put("User-Agent", "Gantry");
            return new Http(method, parse(url), all, body);
        }

        /** Parses a URL; the exception does not contain it, because it may be a secret. */
        private static URI parse(String url) {
            try {
                return new URI(url);
            } catch (URISyntaxException e) {
                throw new IllegalStateException("the address of the channel is invalid");
            }
        }
    }

    /**
     * An e-mail, the mail server to which it is submitted, and its credentials there, if it needs any. The scheme of {@code
     * server} is {@code smtps} for {@link Security#tls} and {@code smtp} otherwise.
     */
    record Mail(
            URI server,
            Security security,
            @Nullable String user,
            @Nullable String password,
            String sender,
            List<String> recipients,
            String subject,
            String text,
            boolean isImportant,
            @Nullable MessagePicture picture)
            implements ChannelRequest {}

    /** Returns a URL without the slashes at its end. */
    static String base(String url) {
        return url.replaceFirst("/+$", "");
    }
}
