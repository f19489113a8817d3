package farm.gantry.edge.link;

import farm.gantry.Id;
import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.log.Secrets;
import farm.gantry.edge.log.Words;
import farm.gantry.edge.printer.Farm;
import farm.gantry.edge.retry.Backoff;
import farm.gantry.edge.time.Uptime;
import farm.gantry.wire.LinkAnswer;
import farm.gantry.wire.LinkAnswer.PrinterConfig;
import farm.gantry.wire.LinkRequest;
import farm.gantry.wire.LinkRequest.Ack;
import farm.gantry.wire.LinkRequest.Event;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The line to the API: two exchanges at most. The teller brings up reports, events and acks as they come, answered at
 * once; the listener carries nothing up and waits for commands. The teller alone opens a session, so that the order of
 * what it tells is the order in which it sends.
 */
public final class Line implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Line.class);
    private static final Duration LONG_POLL = Duration.ofSeconds(20);
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final Duration GATHER = Duration.ofMillis(30);
    private static final Duration SOON = Duration.ofSeconds(2);
    private static final Duration UNTIL_TOLD_AGAIN = Duration.ofSeconds(1);
    /** Commands come again until the teller has brought up their acks. */
    private static final Duration UNTIL_ACKNOWLEDGED = Duration.ofMillis(150);

    private static final Duration REVOKED = Duration.ofSeconds(60);
    private static final int EVENTS = 200;
    private static final int SESSION = 16;

    private final Uplink uplink;
    private final InstantSource clock;
    private final Outbox outbox;
    private final Journal journal;
    private final Farm farm;
    private final Configuration configuration;
    private final Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));
    private final Thread teller = Thread.ofVirtual().name("teller").unstarted(this::tell);
    private final Thread listener = Thread.ofVirtual().name("listener").unstarted(this::listen);
    /** The session that the API has answered, or null while there is none. */
    private volatile @Nullable String session;

    /** When a list of printers was last taken over. One asked for before may be older: a new session tells it anew. */
    private final AtomicLong configuredAt = new AtomicLong(System.nanoTime());

    private volatile Standing standing;
    private volatile Duration pollAfter = Duration.ZERO;
    private volatile Duration eventsAgain = Duration.ZERO;

    /** Whether the API answers, or why not, and since when. */
    public record Standing(boolean connected, String reason, Instant since) {}

    public Line(
            Uplink uplink,
            InstantSource clock,
            Outbox outbox,
            Journal journal,
            Farm farm,
            Configuration configuration) {
        this.uplink = uplink;
        this.clock = clock;
        this.standing = new Standing(false, "not reached yet", clock.instant());
        this.outbox = outbox;
        this.journal = journal;
        this.farm = farm;
        this.configuration = configuration;
    }

    public void begin() {
        teller.start();
        listener.start();
    }

    public Standing standing() {
        return standing;
    }

    private void tell() {
        try {
            while (true) {
                String opened = Id.random(SESSION);
                outbox.reports().forget();
                try {
                    uplink.begin(opened);
                    exchange(opened, outbox.reports().due(Uptime.now(), SOON));
                    stand(true, "");
                    backoff.reset();
                    session = opened;
                    tell(opened);
                } catch (IOException | RuntimeException e) {
                    session = null;
                    Thread.sleep(pause(e));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Until the session ends, by a fault here or of the listener. */
    private void tell(String opened) throws IOException, InterruptedException {
        while (opened.equals(session)) {
            outbox.await(LOOK);
            Thread.sleep(GATHER);
            Duration soon = pollAfter.compareTo(SOON) > 0 ? pollAfter : SOON;
            List<Reports.Due> due = outbox.reports().due(Uptime.now(), soon);
            if (!due.isEmpty() || !outbox.acks().isEmpty() || !events().isEmpty()) {
                exchange(opened, due);
            }
        }
    }

    private void exchange(String opened, List<Reports.Due> due) throws IOException, InterruptedException {
        List<Event> events = events();
        List<Ack> acks = outbox.acks();
        LinkRequest request = new LinkRequest(
                opened,
                journal.lastSequence(),
                due.stream().map(Reports.Due::report).toList(),
                events,
                acks,
                null);
        long asked = System.nanoTime();
        LinkAnswer answer = uplink.exchange(request, Duration.ZERO);
        outbox.reports().arrived(due);
        outbox.acknowledged(acks);
        take(answer, asked);
        boolean kept = events.isEmpty() || events.getLast().sequence() <= answer.ackSequence();
        eventsAgain = kept ? Duration.ZERO : Uptime.now().plus(UNTIL_TOLD_AGAIN);
    }

    /** Events that the API did not keep are not told again at once. */
    private List<Event> events() {
        return Uptime.now().compareTo(eventsAgain) < 0 ? List.of() : journal.undelivered(EVENTS);
    }

    private void listen() {
        Backoff again = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));
        try {
            while (true) {
                String current = session;
                if (current == null) {
                    Thread.sleep(GATHER);
                    continue;
                }
                try {
                    LinkRequest request =
                            new LinkRequest(current, journal.lastSequence(), List.of(), List.of(), List.of(), null);
                    long asked = System.nanoTime();
                    LinkAnswer answer = uplink.exchange(request, LONG_POLL);
                    take(answer, asked);
                    again.reset();
                    Thread.sleep(answer.commands().isEmpty() ? pollAfter : UNTIL_ACKNOWLEDGED);
                } catch (IOException | RuntimeException e) {
                    LOG.debug("the long poll broke off: {}", e.getMessage());
                    end(current);
                    Thread.sleep(again.next());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void end(String broken) {
        if (broken.equals(session)) {
            session = null;
            outbox.ring();
        }
    }

    private synchronized void take(LinkAnswer answer, long asked) throws IOException {
        journal.delivered(answer.ackSequence());
        pollAfter = Duration.ofMillis(Math.max(0, answer.pollAfterMs()));
        List<PrinterConfig> printers = answer.printers();
        if (printers != null) {
            if (asked - configuredAt.get() < 0) {
                throw new IOException("two lists of printers crossed on their way: the newer one is not known");
            }
            configuration.keep(printers);
            configuredAt.set(System.nanoTime());
            farm.serve(printers);
            outbox.reports()
                    .keepOnly(printers.stream().map(PrinterConfig::deviceId).collect(Collectors.toSet()));
        }
        farm.take(answer.commands(), outbox::ack);
    }

    private Duration pause(Exception fault) {
        if (fault instanceof ApiFault answer && answer.isRevoked()) {
            stand(false, "the agent's token was revoked: pair it again");
            return REVOKED;
        }
        stand(false, fault instanceof IOException lost ? Words.of(lost) : fault.toString());
        return backoff.next();
    }

    private void stand(boolean connected, String why) {
        String reason = Secrets.hide(why);
        Standing before = standing;
        if (before.connected() != connected || !before.reason().equals(reason)) {
            standing = new Standing(connected, reason, clock.instant());
            if (connected) {
                LOG.info("connected to {}", uplink);
            } else {
                LOG.warn("{}: {}", uplink, reason);
            }
        }
    }

    @Override
    public void close() {
        teller.interrupt();
        listener.interrupt();
        uplink.close();
    }
}
