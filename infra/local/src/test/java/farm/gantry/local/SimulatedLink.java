package farm.gantry.local;

import farm.gantry.Id;
import farm.gantry.edge.link.ApiClient;
import farm.gantry.edge.link.HttpsUplink;
import farm.gantry.wire.Command;
import farm.gantry.wire.LinkRequest;
import farm.gantry.wire.LinkRequest.Ack;
import farm.gantry.wire.LinkRequest.Event;
import farm.gantry.wire.LinkRequest.Report;
import farm.gantry.wire.LinkResponse;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The link of one agent without printers: it reports made-up states, and finishes each print after a fixed time. */
final class SimulatedLink implements Runnable {
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private final HttpsUplink uplink;
    private final List<String> devices;
    private final Duration print;
    private final Consumer<List<String>> finished;
    private final LongAdder exchanges;
    private final LongAdder failures;
    private final String session = Id.random(16);
    /** The prints by the device that prints them. */
    private final Map<String, Running> prints = new HashMap<>();

    private final List<Report> reports = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();
    private final List<Ack> acks = new ArrayList<>();
    /** Devices whose beds are cleared after the next exchange. */
    private final List<String> ended = new ArrayList<>();

    private long sequence;

    /** A print and its end. */
    private record Running(Command.Print print, Instant end) {}

    /** {@code finished} gets the devices whose beds must be cleared: all at first, then those whose prints have ended. */
    SimulatedLink(
            ApiClient api,
            String token,
            List<String> devices,
            Duration print,
            Consumer<List<String>> finished,
            LongAdder exchanges,
            LongAdder failures) {
        this.uplink = new HttpsUplink(api, token);
        this.devices = devices;
        this.print = print;
        this.finished = finished;
        this.exchanges = exchanges;
        this.failures = failures;
    }

    @Override
    public void run() {
        devices.forEach(device -> {
            events.add(event(device, LinkRequest.Kind.printerOnline, null));
            reports.add(report(
                    device,
                    Map.of(
                            "connection",
                            "online",
                            "status",
                            "idle",
                            "temperatures",
                            Map.of(),
                            "filamentSlots",
                            List.of(),
                            "errors",
                            List.of())));
        });
        try {
            uplink.beginSession(session);
            ended.addAll(devices);
            while (true) {
                long begun = System.nanoTime();
                tryExchange();
                Thread.sleep(Math.max(
                        0, INTERVAL.minusNanos(System.nanoTime() - begun).toMillis()));
                reportPrints();
            }
        } catch (IOException e) {
            failures.increment();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Exchanges messages; after a failure, the next exchange repeats them. */
    private void tryExchange() throws InterruptedException {
        try {
            exchange();
        } catch (IOException e) {
            failures.increment();
        }
    }

    private void exchange() throws IOException, InterruptedException {
        LinkResponse response = uplink.exchange(
                new LinkRequest(
                        session, sequence, List.copyOf(reports), List.copyOf(events), List.copyOf(acks), null, null),
                INTERVAL);
        exchanges.increment();
        reports.clear();
        events.clear();
        acks.clear();
        response.commands().forEach(this::accept);
        if (!ended.isEmpty()) { // the API knows that they are free
            finished.accept(List.copyOf(ended));
            ended.clear();
        }
    }

    private void accept(Command command) {
        acks.add(new Ack(command.commandId(), LinkRequest.Outcome.taken, null));
        if (command.action() instanceof Command.Print started) {
            prints.put(command.deviceId(), new Running(started, Instant.now().plus(print)));
            events.add(event(command.deviceId(), LinkRequest.Kind.jobStarted, started));
        }
    }

    private void reportPrints() {
        Instant now = Instant.now();
        prints.forEach((device, running) -> {
            if (running.end().isAfter(now)) {
                reports.add(report(device, progress(running, now)));
            } else {
                ended.add(device);
                events.add(event(device, LinkRequest.Kind.jobCompleted, running.print()));
                reports.add(report(device, Map.of("status", "finished")));
            }
        });
        ended.forEach(prints::remove);
    }

    private Map<String, Object> progress(Running running, Instant now) {
        long left = Duration.between(now, running.end()).toMillis();
        double percent = 100.0 * (print.toMillis() - left) / print.toMillis();
        return Map.of(
                "status", "printing",
                "temperatures", Map.of("nozzle", Map.of("actual", 219.5 + percent % 1, "target", 220.0)),
                "job",
                        Map.of(
                                "jobId", running.print().jobId(),
                                "attempt", running.print().attempt(),
                                "fileName", running.print().fileName(),
                                "percent", percent));
    }

    private Report report(String device, Map<String, Object> state) {
        Instant now = Instant.now();
        Map<String, Object> withTime = new HashMap<>(state);
        withTime.put("at", now.toString());
        return new Report(device, now, withTime);
    }

    private Event event(String device, LinkRequest.Kind kind, Command.@Nullable Print of) {
        return new Event(
                ++sequence,
                Instant.now(),
                device,
                kind,
                of == null ? null : of.jobId(),
                of == null ? null : of.attempt(),
                null,
                kind == LinkRequest.Kind.jobCompleted ? print.toSeconds() : null,
                null,
                null,
                null,
                null);
    }
}
