package farm.gantry.api.http.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.KeptConnection;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
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

    private @Nullable Object addressForOtherDevices(String host) throws IOException {
        try (KeptConnection connection = new KeptConnection()) {
            return connection
                    .send(new byte[0], "GET /v1/web-init HTTP/1.1", "host: " + host, "authorization: ApiKey " + key)
                    .at("address");
        }
    }

    /** A link with localhost would lead every other device to itself. */
    @Test
    void addressForOtherDevicesIsNeverTheLoopback() throws IOException {
        assumeThat(new MachineNames().networkAddress()).isPresent();
        int port = URI.create(SharedApi.url()).getPort();
        String network = new MachineNames().networkAddress().orElseThrow().getHostAddress();
        for (String host : List.of("localhost:" + port, "127.0.0.1:" + port)) {
            assertThat(addressForOtherDevices(host)).isEqualTo("http://" + network + ":" + port);
        }
        String name = InetAddress.getLocalHost().getHostName() + ":" + port;
        assertThat(addressForOtherDevices(name)).isEqualTo("http://" + name);
    }

    @Test
    void addressForOtherDevicesIsAbsentWhenTheServerListensOnTheLoopbackOnly() {
        try (ApplicationContext api = SharedApi.another(Map.of("micronaut.server.host", "127.0.0.1"))) {
            String url = api.getBean(EmbeddedServer.class).getURI().toString();
            assertThat(Client.of(new Socket(url), key).get("/v1/web-init").at("address"))
                    .isNull();
        }
    }
}
