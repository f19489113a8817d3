package farm.gantry.edge.provider.sdcp;

import farm.gantry.edge.http.PrinterWebSocket;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.session.PendingRequests;
import farm.gantry.edge.session.PushConnection.MessageQueue;
import farm.gantry.json.Json;
import farm.gantry.json.Tree;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;

/** A connection of the SDCP protocol over a WebSocket. */
final class SdcpSocket implements Closeable {
    static final int BUSY = 1;

    private static final Duration TIMEOUT = Duration.ofSeconds(15);
    /** The client type in requests: a program on the local network. */
    private static final int FROM = 1;

    private final MessageQueue<Status> messages;
    private final PendingRequests pending = new PendingRequests();
    private final PrinterWebSocket socket;
    private volatile String mainboardId;

    SdcpSocket(SdcpAddress address, MessageQueue<Status> messages) throws IOException, InterruptedException {
        this.messages = messages;
        this.mainboardId = address.mainboardId();
        this.socket = PrinterWebSocket.open(address.webSocket(), this::read, this::end);
    }

    /** A status report. */
    record Status(String mainboardId, Map<String, Object> status) {}

    /** Sends a request without waiting for its response. */
    void send(SdcpMethod cmd, Map<String, ?> data) throws IOException, InterruptedException {
        socket.send(message(cmd, data, newRequestId()));
    }

    void requestStatus() throws IOException, InterruptedException {
        send(SdcpMethod.STATUS, Map.of());
    }

    /** Sends a request and returns its response, whose {@code Ack} the caller must evaluate. */
    Map<String, Object> request(SdcpMethod cmd, Map<String, ?> data) throws IOException, InterruptedException {
        String number = newRequestId();
        String message = message(cmd, data, number);
        Map<String, Object> answer = pending.send(number, cmd.name(), TIMEOUT, () -> socket.send(message));
        return Tree.object(answer, "Data", "Data");
    }

    /** Sends a request and returns its response. Throws if the response is negative. */
    Map<String, Object> requestSuccess(SdcpMethod cmd, Map<String, ?> data)
            throws IOException, Refusal, InterruptedException {
        Map<String, Object> answer = request(cmd, data);
        int ack = parseAck(answer);
        if (ack != 0) {
            throw Refusal.byPrinter(errorText(ack));
        }
        return answer;
    }

    static int parseAck(Map<String, Object> answer) {
        return (int) Tree.number(answer, "Ack", 0);
    }

    static String errorText(int ack) {
        return switch (ack) {
            case BUSY -> "the printer is busy and rejects the command";
            case 2 -> "the printer does not find the file";
            case 3 -> "the printer has the file, but its checksum is wrong";
            case 4 -> "the printer cannot read the file";
            case 5, 6, 7 -> "the file is not for this printer";
            default -> "the printer rejects the command with code " + ack;
        };
    }

    private static String newRequestId() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    private String message(SdcpMethod cmd, Map<String, ?> data, String number) {
        Map<String, Object> request = Map.of(
                "Cmd",
                cmd.number(),
                "Data",
                data,
                "RequestID",
                number,
                "MainboardID",
                mainboardId,
                "TimeStamp",
                System.currentTimeMillis() / 1000,
                "From",
                FROM);
        return Json.write(Map.of("Id", number, "Data", request, "Topic", "sdcp/request/" + mainboardId));
    }

    private void read(String text) {
        if (!text.startsWith("{")) {
            return; // the response to a ping
        }
        try {
            Map<String, Object> message = Json.tree(text);
            String number = Tree.text(message, "Data", "RequestID");
            String from = Tree.text(message, "MainboardID");
            if (number != null) {
                pending.complete(number, message);
            } else if (message.containsKey("Status") && from != null) {
                mainboardId = from;
                messages.add(new Status(from, Tree.object(message, "Status")), text.length());
            }
        } catch (IOException e) {
            end("the printer sent invalid JSON: " + e.getMessage());
        }
    }

    private void end(String reason) {
        pending.failAll(reason);
        messages.end(reason);
    }

    @Override
    public void close() {
        pending.failAll("the connection was closed");
        socket.close();
    }
}
