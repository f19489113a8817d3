package farm.gantry.simulator.sdcp;

import farm.gantry.json.Json;
import farm.gantry.json.Tree;
import farm.gantry.simulator.network.HttpResponses;
import farm.gantry.simulator.network.UploadForm;
import farm.gantry.simulator.network.WebSocketConnection;
import farm.gantry.simulator.printer.RpcException;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.FullHttpRequest;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One connection to a simulated SDCP printer: a WebSocket, a piece of an upload, or the video. */
@SuppressWarnings("FutureReturnValueIgnored") // What cannot be closed is closed.
final class SdcpClient implements WebSocketConnection.Handler {
    private final SdcpSimulator simulator;
    private volatile @Nullable WebSocketConnection socket;
    private volatile String lastAnswer = "";

    SdcpClient(SdcpSimulator simulator) {
        this.simulator = simulator;
    }

    @Override
    public boolean accepts(FullHttpRequest request) {
        return simulator.isReachable();
    }

    @Override
    public void answer(FullHttpRequest request, Channel channel) throws IOException {
        try {
            if (request.uri().equals("/uploadFile/upload") && simulator.isReachable()) {
                simulator.uploads().store(UploadForm.of(request), channel);
            } else if (request.uri().equals("/video") && simulator.video().isRunning()) {
                simulator.video().sendVideo(channel);
            } else {
                channel.close();
            }
        } catch (RpcException e) {
            HttpResponses.json(channel, e.code(), Map.of("message", String.valueOf(e.getMessage())));
        }
    }

    @Override
    public void onConnect(WebSocketConnection client) {
        socket = client;
        simulator.onConnect(client);
    }

    @Override
    public void onMessage(WebSocketConnection client, String text) throws IOException {
        if (simulator.has("silent")) {
            return;
        }
        if (text.equals("ping")) {
            client.send("pong");
            return;
        }
        Map<String, Object> data = Tree.object(Json.tree(text), "Data");
        Map<String, Object> answer = new LinkedHashMap<>(data);
        answer.put("Data", new SdcpCommands(simulator).respond(data));
        answer.remove("From");
        String before = lastAnswer;
        lastAnswer = Json.write(Map.of(
                "Id",
                String.valueOf(data.get("RequestID")),
                "Data",
                answer,
                "Topic",
                "sdcp/response/" + simulator.mainboardId()));
        simulator.send(client, lastAnswer, before);
        if (data.get("Cmd") instanceof Number cmd && cmd.intValue() == 0) {
            simulator.publishStatus();
        }
    }

    @Override
    public void onDisconnect() {
        WebSocketConnection gone = socket;
        if (gone != null) {
            simulator.onDisconnect(gone);
        }
    }
}
