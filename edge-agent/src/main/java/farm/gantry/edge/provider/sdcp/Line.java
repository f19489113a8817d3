package farm.gantry.edge.provider.sdcp;

import farm.gantry.edge.http.Questions;
import farm.gantry.edge.http.TextSocket;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.json.Json;
import farm.gantry.json.Tree;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

/** SDCP over one WebSocket: what is asked waits for its answer, what the printer tells of itself is passed on. */
final class Line implements AutoCloseable {
    static final int BUSY = 1;

    private static final Duration ANSWER = Duration.ofSeconds(15);
    /** Who asks: a program on the same network. */
    private static final int FROM = 1;

    private final Consumer<Heard> heard;
    private final Questions questions = new Questions();
    private final TextSocket socket;
    private volatile String mainboardId;

    Line(Address address, Consumer<Heard> heard) throws IOException, InterruptedException {
        this.heard = heard;
        this.mainboardId = address.mainboardId();
        this.socket = TextSocket.open(address.webSocket(), this::read, this::end);
    }

    /** Says it without waiting for an answer. */
    void tell(Cmd cmd, Map<String, ?> data) throws IOException, InterruptedException {
        socket.send(message(cmd, data, number()));
    }

    void askStatus() throws IOException, InterruptedException {
        tell(Cmd.status, Map.of());
    }

    /** The answer, whose {@code Ack} is for the one who asks. */
    Map<String, Object> answer(Cmd cmd, Map<String, ?> data) throws IOException, InterruptedException {
        String number = number();
        String message = message(cmd, data, number);
        Map<String, Object> answer = questions.ask(number, cmd.name(), ANSWER, () -> socket.send(message));
        return Tree.object(answer, "Data", "Data");
    }

    /** The answer, if it is not a no. */
    Map<String, Object> ask(Cmd cmd, Map<String, ?> data) throws IOException, Refusal, InterruptedException {
        Map<String, Object> answer = answer(cmd, data);
        int ack = ack(answer);
        if (ack != 0) {
            throw Refusal.answered(words(ack));
        }
        return answer;
    }

    static int ack(Map<String, Object> answer) {
        return (int) Tree.number(answer, "Ack", 0);
    }

    static String words(int ack) {
        return switch (ack) {
            case BUSY -> "the printer does not do this now";
            case 2 -> "the printer does not find the file";
            case 3 -> "the printer has the file, but its checksum is wrong";
            case 4 -> "the printer cannot read the file";
            case 5, 6, 7 -> "the file is not for this printer";
            default -> "the printer does not do this, for its reason " + ack;
        };
    }

    private static String number() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    private String message(Cmd cmd, Map<String, ?> data, String number) {
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
            return; // the answer to a ping
        }
        try {
            Map<String, Object> message = Json.tree(text);
            String number = Tree.text(message, "Data", "RequestID");
            String from = Tree.text(message, "MainboardID");
            if (number != null) {
                questions.answered(number, message);
            } else if (message.containsKey("Status") && from != null) {
                mainboardId = from;
                heard.accept(new Heard.Status(from, Tree.object(message, "Status")));
            }
        } catch (IOException e) {
            end("it sent what is not JSON: " + e.getMessage());
        }
    }

    private void end(String reason) {
        questions.end(reason);
        heard.accept(new Heard.Closed(reason));
    }

    @Override
    public void close() {
        questions.end("the connection was closed");
        socket.close();
    }
}
