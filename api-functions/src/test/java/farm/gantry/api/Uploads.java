package farm.gantry.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/** Files on their way into a store; their bytes go past a function, to where they are kept. */
record Uploads(Client client) {

    /** Uploads the text and answers its {@code uploads:} path. */
    String put(String name, String text) {
        return put(name, Client.utf8(text));
    }

    String put(String name, byte[] bytes) {
        Answer signed = client.post("/v1/storage/signed-upload-urls", "{\"filenames\":[\"" + name + "\"]}");
        assertThat(signed.status()).as(signed.text()).isEqualTo(201);
        Object url = signed.at("signedUrls[0].uploadUrl");
        Answer put = Socket.to(url).send("PUT", target(url), bytes);
        assertThat(put.status()).as(put.text()).isEqualTo(200);
        return String.valueOf(signed.at("signedUrls[0].path"));
    }

    String put(String name) {
        return put(name, "G28\n");
    }

    static String target(@Nullable Object url) {
        URI uri = URI.create(String.valueOf(url));
        return uri.getRawPath() + "?" + uri.getRawQuery();
    }

    /** The least body of a part of that file, and the rest of it. */
    String part(String name, String type, String rest) {
        return "{\"name\":\"cube\",\"type\":\"" + type + "\",\"fileUris\":[\"" + put(name) + "\"]" + rest + "}";
    }
}
