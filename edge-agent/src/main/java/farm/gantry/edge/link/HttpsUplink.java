package farm.gantry.edge.link;

import farm.gantry.wire.LinkResponse;
import farm.gantry.wire.LinkRequest;
import java.io.IOException;
import java.time.Duration;

/** Sends the link's messages to the API by HTTPS, which passes every firewall. */
public record HttpsUplink(ApiClient api, String token) implements Uplink {
    @Override
    public void begin(String session) throws IOException, InterruptedException {
        api.learnTime(); // each request names its session
    }

    @Override
    public LinkResponse exchange(LinkRequest request, Duration wait) throws IOException, InterruptedException {
        return api.exchange(token, request, wait);
    }

    @Override
    public void close() {
        // nothing stays open between requests
    }

    @Override
    public String toString() {
        return api.address();
    }
}
