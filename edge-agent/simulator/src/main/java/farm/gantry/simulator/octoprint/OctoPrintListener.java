package farm.gantry.simulator.octoprint;

import farm.gantry.json.Json;
import farm.gantry.json.Tree;
import farm.gantry.simulator.network.HttpResponses;
import farm.gantry.simulator.network.WebSocketConnection;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One client of OctoPrint's events. It gets those of its subscription once it has sent the login of a session. */
final class OctoPrintListener implements WebSocketConnection.Handler {
    private final OctoPrintSimulator simulator;
    private volatile @Nullable WebSocketConnection socket;
    private volatile List<?> subscription = List.of();
    private volatile boolean authorized;

    OctoPrintListener(OctoPrintSimulator simulator) {
        this.simulator = simulator;
    }

    @Override
    public boolean accepts(FullHttpRequest request) {
        return true;
    }

    @Override
    public void answer(FullHttpRequest request, Channel channel) {
        HttpResponses.empty(channel, HttpResponseStatus.BAD_REQUEST);
    }

    @Override
    public void onConnect(WebSocketConnection client) {
        socket = client;
        simulator.onConnect(this);
        client.send(Json.write(Map.of("connected", Map.of("version", "1.10.3"))));
    }

    @Override
    public void onMessage(WebSocketConnection client, String text) throws IOException {
        Map<String, Object> message = Json.tree(text);
        if (message.containsKey("subscribe")) {
            subscription = Tree.list(message, "subscribe", "events");
        }
        authorized = authorized || OctoPrintSimulator.LOGIN.equals(message.get("auth"));
    }

    /** Returns whether the client has logged in, so that it receives events. */
    boolean isAuthorized() {
        return authorized;
    }

    void send(String event, Map<String, ?> payload) {
        WebSocketConnection open = socket;
        if (open != null && authorized && subscription.contains(event)) {
            open.send(Json.write(Map.of("event", Map.of("type", event, "payload", payload))));
        }
    }

    @Override
    public void onDisconnect() {
        simulator.onDisconnect(this);
    }
}
