package farm.gantry.simulator;

import farm.gantry.json.Json;
import farm.gantry.json.Tree;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.FullHttpRequest;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One connection to a simulated printer that speaks SDCP: an open line, a piece of a file, or fate. */
@SuppressWarnings("FutureReturnValueIgnored") // What cannot be closed is closed.
final class SdcpConnection implements WebSocketConnection.Host {
    private final SdcpSimulator simulator;
    private volatile @Nullable WebSocketConnection socket;
    private volatile String lastAnswer = "";

    SdcpConnection(SdcpSimulator simulator) {
        this.simulator = simulator;
    }

    @Override
    public boolean admits(FullHttpRequest request) {
        return simulator.isReachable();
    }

    @Override
    public void answer(FullHttpRequest request, Channel channel) throws IOException {
        try {
            if (request.uri().startsWith("/sim/")) {
                MoonrakerRoutes.answer(channel, 200, new FaultInjection(simulator).answer(request));
            } else if (request.uri().equals("/uploadFile/upload") && simulator.isReachable()) {
                simulator.uploads().take(UploadForm.of(request), channel);
            } else if (request.uri().equals("/video") && simulator.film().isShown()) {
                simulator.film().show(channel);
            } else {
                channel.close();
            }
        } catch (RpcException e) {
            MoonrakerRoutes.answer(channel, e.code(), Map.of("message", String.valueOf(e.getMessage())));
        }
    }

    @Override
    public void joined(WebSocketConnection client) {
        socket = client;
        simulator.joined(client);
    }

    @Override
    public void heard(WebSocketConnection client, String text) throws IOException {
        if (simulator.isSilent()) {
            return;
        }
        if (text.equals("ping")) {
            client.send("pong");
            return;
        }
        Map<String, Object> data = Tree.object(Json.tree(text), "Data");
        Map<String, Object> answer = new LinkedHashMap<>(data);
        answer.put("Data", new SdcpCommands(simulator).answer(data));
        answer.remove("From");
        String before = lastAnswer;
        lastAnswer = Json.write(Map.of(
                "Id",
                String.valueOf(data.get("RequestID")),
                "Data",
                answer,
                "Topic",
                "sdcp/response/" + simulator.mainboardId()));
        simulator.say(client, lastAnswer, before);
        if (data.get("Cmd") instanceof Number cmd && cmd.intValue() == 0) {
            simulator.tellStatus();
        }
    }

    @Override
    public void left() {
        WebSocketConnection gone = socket;
        if (gone != null) {
            simulator.left(gone);
        }
    }
}
