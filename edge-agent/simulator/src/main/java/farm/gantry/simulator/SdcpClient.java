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
final class SdcpClient implements SocketClient.Host {
    private final SdcpSimulator simulator;
    private volatile @Nullable SocketClient socket;
    private volatile String lastAnswer = "";

    SdcpClient(SdcpSimulator simulator) {
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
                HttpAnswer.answer(channel, 200, new Fate(simulator).answer(request));
            } else if (request.uri().equals("/uploadFile/upload") && simulator.isReachable()) {
                simulator.uploads().take(Form.of(request), channel);
            } else if (request.uri().equals("/video") && simulator.film().isShown()) {
                simulator.film().show(channel);
            } else {
                channel.close();
            }
        } catch (RpcFault e) {
            HttpAnswer.answer(channel, e.code(), Map.of("message", String.valueOf(e.getMessage())));
        }
    }

    @Override
    public void joined(SocketClient client) {
        socket = client;
        simulator.joined(client);
    }

    @Override
    public void heard(SocketClient client, String text) throws IOException {
        if (simulator.isSilent()) {
            return;
        }
        if (text.equals("ping")) {
            client.send("pong");
            return;
        }
        Map<String, Object> data = Tree.object(Json.tree(text), "Data");
        Map<String, Object> answer = new LinkedHashMap<>(data);
        answer.put("Data", new SdcpOrders(simulator).answer(data));
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
        SocketClient gone = socket;
        if (gone != null) {
            simulator.left(gone);
        }
    }
}
