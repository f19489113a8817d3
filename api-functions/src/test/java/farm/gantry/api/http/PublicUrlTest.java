package farm.gantry.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.KeptConnection;
import farm.gantry.api.fixture.SharedApi;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that signed URLs lead to this install, whatever host a request names. */
final class PublicUrlTest {
    private final String key = SharedApi.newStore().key();

    private String base(String host, String... headers) throws IOException {
        List<String> head = new ArrayList<>(List.of(
                "POST /v1/storage/signed-upload-urls HTTP/1.1",
                "host: " + host,
                "authorization: ApiKey " + key,
                "content-type: application/json"));
        head.addAll(List.of(headers));
        try (KeptConnection connection = new KeptConnection()) {
            Answer answer = connection.send(Client.utf8("{\"filenames\":[\"a.stl\"]}"), head.toArray(String[]::new));
            URI url = URI.create(String.valueOf(answer.at("signedUrls[0].uploadUrl")));
            return url.getScheme() + "://" + url.getRawAuthority();
        }
    }

    @Test
    void localNameIsAccepted() throws IOException {
        for (String host : List.of(
                "localhost:8080",
                "127.0.0.1",
                "127.1.2.3:99",
                "[::1]:8080",
                InetAddress.getLocalHost().getHostName() + ":8080")) {
            assertThat(base(host)).isEqualTo("http://" + host);
        }
    }

    @Test
    void foreignNameIsRejected() throws IOException {
        String here = SharedApi.url().replace("localhost", "127.0.0.1");
        for (String host : List.of(
                "evil.example",
                "evil.example:80",
                "203.0.113.9",
                "localhost@evil.example",
                "localhost/x",
                "a b",
                "[::2]")) {
            assertThat(base(host)).as(host).isEqualTo(here);
        }
        assertThat(base("farm.example", "forwarded: host=evil.example;proto=https"))
                .isEqualTo(here);
        assertThat(base("farm.example", "x-forwarded-host: evil.example", "x-forwarded-proto: https"))
                .isEqualTo(here);
    }
}
