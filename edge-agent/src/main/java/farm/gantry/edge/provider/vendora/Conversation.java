package farm.gantry.edge.provider.vendora;

import farm.gantry.edge.camera.Ffmpeg;
import farm.gantry.edge.camera.Picture;
import farm.gantry.edge.mqtt.Broker;
import farm.gantry.edge.mqtt.Dialogue;
import farm.gantry.edge.mqtt.Heard;
import farm.gantry.edge.mqtt.Mqtt;
import farm.gantry.edge.printer.Bindings;
import farm.gantry.edge.printer.Connection;
import farm.gantry.edge.printer.Provider.Listener;
import farm.gantry.edge.provider.vendora.Orders.Order;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.trust.Trust;
import farm.gantry.json.Tree;
import farm.gantry.wire.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The talk with one printer, from opening to opening. */
final class Conversation implements Connection, Dialogue.Make {
    private static final Map<String, ?> TELL_ALL =
            Map.of("pushing", Map.of("sequence_id", "0", "command", "pushall", "version", 1, "push_target", 1));
    private static final Map<String, ?> GO_ON =
            Map.of("pushing", Map.of("sequence_id", "0", "command", "start", "version", 1, "push_target", 1));

    private final Address address;
    private final Trust trust;
    private final Ffmpeg ffmpeg;
    private final Bindings bindings;
    private final Upload upload;
    private final Dialogue dialogue;
    private final AtomicLong numbers = new AtomicLong(System.currentTimeMillis());
    private volatile Told told = Told.nothing();

    private Conversation(
            Address address, Trust trust, Ffmpeg ffmpeg, Bindings bindings, Duration silence, Listener listener) {
        this.address = address;
        this.trust = trust;
        this.ffmpeg = ffmpeg;
        this.bindings = bindings;
        this.upload = new Upload(address, trust, Upload.USUAL_PATIENCE);
        this.dialogue = new Dialogue(this, silence, listener);
    }

    /** {@code silence}: how long a printer may say nothing before it is asked, and then given up. */
    static Conversation begin(
            Address address, Trust trust, Ffmpeg ffmpeg, Bindings bindings, Duration silence, Listener listener) {
        Conversation conversation = new Conversation(address, trust, ffmpeg, bindings, silence, listener);
        conversation.dialogue.begin();
        return conversation;
    }

    @Override
    public Broker broker() {
        return address.broker(trust);
    }

    @Override
    public void greet(Mqtt line) throws IOException, InterruptedException {
        line.subscribe(address.reports());
        line.publish(address.requests(), TELL_ALL);
        told = Told.nothing();
    }

    @Override
    public void wake(Mqtt line) throws IOException, InterruptedException {
        line.publish(address.requests(), GO_ON);
        line.publish(address.requests(), TELL_ALL);
    }

    /** What has changed means nothing before everything was told once. */
    @Override
    public void hear(Mqtt line, Heard.Message message) {
        switch (Meaning.of(message.body())) {
            case Meaning.Report(Map<String, Object> print) -> {
                if (dialogue.isInSight() || Told.isWhole(print)) {
                    told = told.merge(print);
                    dialogue.saw(Readings.of(told, dialogue.last(), dialogue.isStopping()));
                }
            }
            case Meaning.Answer(String number, Map<String, Object> order) -> dialogue.answered(number, order);
            case Meaning.Other() -> {}
        }
    }

    @Override
    public void upload(Path file, String sha256, String fileName) throws IOException, Refusal {
        upload.send(file, ProjectFile.name(fileName));
    }

    @Override
    public void start(String fileName, Command.@Nullable Print wanted)
            throws IOException, Refusal, InterruptedException {
        boolean hasUnits = Ams.slots(told.print()).stream().anyMatch(slot -> !Ams.isExternal(slot.amsIndex()));
        Map<String, Object> message =
                new ProjectFile(fileName, wanted, bindings).message(System.currentTimeMillis(), hasUnits);
        dialogue.start(fileName, numbered(new Order("print", message)));
    }

    @Override
    public void pause() throws IOException, Refusal, InterruptedException {
        dialogue.pause(steering("pause"));
    }

    @Override
    public void resume() throws IOException, Refusal, InterruptedException {
        dialogue.resume(steering("resume"));
    }

    @Override
    public void cancel() throws IOException, Refusal, InterruptedException {
        dialogue.stop(steering("stop"));
    }

    private Dialogue.Order steering(String command) throws Refusal {
        return numbered(Order.print(command, Map.of("param", "")));
    }

    @Override
    public void order(Command.Send send) throws IOException, Refusal, InterruptedException {
        if (send.command().equals("resync-data")) {
            dialogue.reached().publish(address.requests(), TELL_ALL);
        } else {
            dialogue.ask(numbered(new Orders(bindings).of(send)));
        }
    }

    private Dialogue.Order numbered(Order order) throws Refusal {
        if (dialogue.isInSight() && Troubles.needsDeveloperMode(told.print())) {
            throw new Refusal(Troubles.NEEDS_DEVELOPER_MODE);
        }
        String number = String.valueOf(numbers.incrementAndGet());
        Map<String, Object> message = new LinkedHashMap<>(order.message());
        message.put("sequence_id", number);
        return new Dialogue.Order(number, address.requests(), Map.of(order.part(), message));
    }

    @Override
    public void check(Map<String, Object> answer) throws Refusal {
        Integer code = Tree.integer(answer, "err_code");
        if (code != null && code == Troubles.NOT_SIGNED) {
            throw Refusal.answered(Troubles.NEEDS_DEVELOPER_MODE);
        }
        String result = Objects.requireNonNullElse(Tree.text(answer, "result"), "");
        if (result.toLowerCase(Locale.ROOT).startsWith("fail")) {
            String reason = Tree.text(answer, "reason");
            throw Refusal.answered("the printer does not do this now" + (reason == null ? "" : ": " + reason));
        }
    }

    /** The larger printers show a film, and tell its address. */
    @Override
    public Picture snapshot() throws IOException, Refusal {
        dialogue.reached();
        String film = Tree.text(told.print(), "ipcam", "rtsp_url");
        CameraPort camera = new CameraPort(address, trust);
        return film == null ? camera.picture() : camera.picture(film, ffmpeg);
    }

    @Override
    public void close() {
        dialogue.close();
    }
}
