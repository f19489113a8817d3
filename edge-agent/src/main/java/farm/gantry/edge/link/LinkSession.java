package farm.gantry.edge.link;

import farm.gantry.Id;
import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.link.StateReports.Pace;
import farm.gantry.edge.log.ErrorText;
import farm.gantry.edge.log.SecretMask;
import farm.gantry.edge.printer.PrinterFleet;
import farm.gantry.edge.retry.Backoff;
import farm.gantry.edge.time.Uptime;
import farm.gantry.version.ProductVersion;
import farm.gantry.wire.LinkResponse;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import farm.gantry.wire.LinkRequest;
import farm.gantry.wire.LinkRequest.Ack;
import farm.gantry.wire.LinkRequest.Event;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The session with the API, of at most two exchanges at a time. The sender sends reports, events and acks as they arise
 * and is answered at once; the poller waits in a long poll for commands. If the API does not hold responses, which it
 * says by requesting a long pause, the sender polls too: after each pause it makes one exchange. If the API requests an
 * even longer pause, non-urgent reports wait for it. Only the sender opens a session, so that messages arrive in the
 * order in which they were sent.
 */
public final class LinkSession implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LinkSession.class);
    private static final Duration LONG_POLL = Duration.ofSeconds(20);
    private static final Duration SEND_INTERVAL = Duration.ofMillis(500);
    private static final Duration BATCH_DELAY = Duration.ofMillis(30);
    /** An API that requests a longer pause does not hold responses. */
    private static final Duration MAX_PAUSE_WITH_POLLS = Duration.ofSeconds(2);

    private static final Duration RETRY = Duration.ofSeconds(1);
    /** The API repeats commands until the sender has sent their acks. */
    private static final Duration UNTIL_ACKNOWLEDGED = Duration.ofMillis(150);

    private static final Duration REVOKED = Duration.ofSeconds(60);
    private static final Duration SUPERSEDED = Duration.ofSeconds(10);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration GOODBYE_TIMEOUT = Duration.ofSeconds(5);
    /** How long the poller waits until an answer is written to the disk. */
    private static final Duration APPLY_TIMEOUT = Duration.ofSeconds(2);

    /** How much later than agreed the sender may poll before the poller does so in its place. */
    private static final Duration MAX_SENDER_DELAY = Duration.ofSeconds(5);

    private static final int EVENTS = 200;
    private static final int SESSION = 16;

    private final Uplink uplink;
    private final InstantSource clock;
    private final ReportQueue reports;
    private final Journal journal;
    private final PrinterFleet printers;
    private final SavedConfiguration configuration;
    private final SnapshotUploads stills;
    private final AgentInstance instance;
    private final ServerVersion serverVersion = new ServerVersion(ProductVersion.CURRENT);
    private final AnswerTasks answers = new AnswerTasks(APPLY_TIMEOUT);
    private final Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));
    private final Thread sender = Thread.ofVirtual().name("sender").unstarted(this::send);
    private final Thread poller = Thread.ofVirtual().name("poller").unstarted(this::poll);
    /** The session that the API has answered, null while there is none. */
    private volatile @Nullable String session;

    /**
     * When a list of printers was last applied. A list requested before that may be older; a new session requests it
     * again.
     */
    private volatile Duration configuredAt = Uptime.withSleep();

    private volatile Status status;
    private volatile Duration pollAfter = Duration.ZERO;
    private volatile Duration reportAfter = Duration.ZERO;
    /** The uptime at which everything pending had been sent. */
    private volatile Duration exchangedAt = Duration.ZERO;

    private volatile Duration reportedAt = Duration.ZERO;

    private volatile Duration eventRetryAt = Duration.ZERO;

    /** Whether an answer with a list of printers was not applied, because the disk did not respond. */
    private volatile boolean isListDropped;

    /** Whether the API answers, or why not, and since when. */
    public record Status(boolean connected, String reason, Instant since) {}

    public LinkSession(
            Uplink uplink,
            InstantSource clock,
            ReportQueue reports,
            Journal journal,
            PrinterFleet printers,
            SavedConfiguration configuration,
            SnapshotUploads stills,
            AgentInstance instance) {
        this.uplink = uplink;
        this.clock = clock;
        this.status = new Status(false, "not reached yet", clock.instant());
        this.reports = reports;
        this.journal = journal;
        this.printers = printers;
        this.configuration = configuration;
        this.stills = stills;
        this.instance = instance;
    }

    public void start() {
        sender.start();
        poller.start();
    }

    public Status status() {
        return status;
    }

    /** Returns why the versions of server and agent may not work together; empty if they do. */
    public Optional<String> versionMismatch() {
        return serverVersion.mismatch();
    }

    private void send() {
        try {
            while (true) {
                String opened = Id.random(SESSION);
                reports.reports().forget();
                try {
                    uplink.begin(opened);
                    exchange(opened, Pace.ALL, reports.reports().pending(Uptime.now(), Pace.ALL));
                    backoff.reset();
                    session = opened;
                    sendUntilBroken(opened);
                } catch (IOException | RuntimeException e) {
                    session = null;
                    Thread.sleep(retryDelay(e));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns when the poller ended the session; throws if an exchange failed. */
    private void sendUntilBroken(String opened) throws IOException, InterruptedException {
        while (opened.equals(session)) {
            reports.await(SEND_INTERVAL);
            Thread.sleep(BATCH_DELAY);
            boolean isToAsk = asks() && isOver(exchangedAt, pollAfter);
            Pace pace = !asks() ? Pace.PROMPT : isToAsk && isOver(reportedAt, reportAfter) ? Pace.ALL : Pace.URGENT;
            List<StateReports.PendingReport> due = reports.reports().pending(Uptime.now(), pace);
            if (isToAsk || !due.isEmpty() || !reports.acks().isEmpty() || !events().isEmpty()) {
                exchange(opened, pace, due);
            }
            if (due.size() >= StateReports.MAX_ROUTINE) {
                reports.ring(); // there may be more, for which the request had no room
            }
        }
    }

    /** Returns whether the sender polls for commands, because no long poll can. */
    private boolean asks() {
        return pollAfter.compareTo(MAX_PAUSE_WITH_POLLS) > 0;
    }

    private static boolean isOver(Duration since, Duration pause) {
        return Uptime.now().compareTo(since.plus(pause)) >= 0;
    }

    private void exchange(String opened, Pace pace, List<StateReports.PendingReport> due)
            throws IOException, InterruptedException {
        List<Event> events = events();
        List<Ack> acks = reports.acks();
        LinkRequest request = new LinkRequest(
                opened,
                journal.lastSequence(),
                due.stream().map(StateReports.PendingReport::report).toList(),
                events,
                acks,
                null,
                instance.speaking());
        Duration requestedAt = Uptime.withSleep();
        LinkResponse answer = uplink.exchange(request, Duration.ZERO);
        printers.sendEmergencyStops(answer.commands());
        instance.served();
        serverVersion.update(answer.version());
        exchangedAt = Uptime.now();
        if (pace.equals(Pace.ALL)) {
            reportedAt = exchangedAt;
        }
        reports.reports().arrived(due);
        reports.acknowledged(acks);
        boolean isWritten = apply(answer, requestedAt, answer.ackSequence() > request.sequence());
        boolean isAcknowledged = events.isEmpty() || events.getLast().sequence() <= answer.ackSequence();
        eventRetryAt =
                isAcknowledged && isWritten ? Duration.ZERO : Uptime.now().plus(RETRY);
    }

    /**
     * Returns the events to send. Events that the API did not accept, or whose acknowledgement cannot be written, are
     * sent again after a delay.
     */
    private List<Event> events() {
        return Uptime.now().compareTo(eventRetryAt) < 0 ? List.of() : journal.undelivered(EVENTS);
    }

    private void poll() {
        Backoff again = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));
        try {
            while (true) {
                String current = session;
                if (current == null) {
                    Thread.sleep(BATCH_DELAY);
                    continue;
                }
                if (asks() && !isOver(exchangedAt, pollAfter.plus(MAX_SENDER_DELAY))) {
                    Thread.sleep(SEND_INTERVAL);
                    continue;
                }
                try {
                    LinkRequest request = asking(current, List.of(), instance.speaking());
                    Duration requestedAt = Uptime.withSleep();
                    LinkResponse answer = uplink.exchange(request, LONG_POLL);
                    printers.sendEmergencyStops(answer.commands());
                    boolean isWritten = applyInTime(current, answer, requestedAt);
                    again.reset();
                    Duration repeated = isWritten ? UNTIL_ACKNOWLEDGED : RETRY;
                    Thread.sleep(answer.commands().isEmpty() && isWritten ? pollAfter : repeated);
                } catch (IOException | RuntimeException e) {
                    LOG.debug("the long poll failed, retrying: {}", e.getMessage());
                    if (!answers.isBusy()) {
                        endSession(current); // The sender opens the next one, for which it needs the disk.
                    }
                    Thread.sleep(again.next());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Returns whether the answer was applied and written. While the disk does not respond, only its emergency stops are
     * carried out; a session that lost a list of printers to that ends, so that the next one requests it again.
     */
    private boolean applyInTime(String current, LinkResponse answer, Duration requestedAt)
            throws IOException, InterruptedException {
        if (answers.isBusy()) {
            isListDropped = isListDropped || answer.printers() != null;
            return false;
        }
        if (isListDropped) {
            isListDropped = false;
            endSession(current);
            return false;
        }
        Boolean isWritten = answers.run(() -> applyIfCurrent(current, answer, requestedAt));
        if (isWritten == null) {
            LOG.error("the disk does not respond: carrying out only emergency stops until it does");
        }
        return isWritten != null && isWritten;
    }

    private LinkRequest asking(String current, List<Ack> acks, LinkRequest.Instance asks) {
        return new LinkRequest(current, journal.lastSequence(), List.of(), List.of(), acks, null, asks);
    }

    private void endSession(String broken) {
        if (broken.equals(session)) {
            session = null;
            reports.ring();
        }
    }

    /** An answer of a session that has ended may be older than one of the next. */
    private synchronized boolean applyIfCurrent(String polled, LinkResponse answer, Duration requestedAt)
            throws IOException {
        return !polled.equals(session) || apply(answer, requestedAt, false);
    }

    /**
     * Returns whether everything could be written. Otherwise the API redelivers what is not acknowledged; only stops do
     * not wait for a disk. {@code isOlder}: the journal is an older copy of what the API knows.
     */
    private synchronized boolean apply(LinkResponse answer, Duration requestedAt, boolean isOlder) throws IOException {
        pollAfter = Duration.ofMillis(Math.max(0, answer.pollAfterMs()));
        Long report = answer.reportAfterMs();
        reportAfter = report == null ? pollAfter : Duration.ofMillis(Math.max(0, report));
        try {
            configure(answer.printers(), requestedAt);
        } catch (IOException | UncheckedIOException e) {
            printers.stop(answer.commands());
            throw e; // a new session requests the list again
        }
        try {
            if (isOlder) {
                journal.renumber(answer.ackSequence());
            }
            journal.delivered(answer.ackSequence());
            printers.take(answer.commands(), reports::ack);
        } catch (UncheckedIOException e) {
            printers.stop(answer.commands());
            setStatus(false, "cannot write to the disk, accepting only stops: " + e.getMessage());
            return false;
        }
        journal.answered(requestedAt);
        stills.requestSnapshots(answer.stills());
        setStatus(true, "");
        return true;
    }

    private void configure(@Nullable List<PrinterConfig> configs, Duration requestedAt) throws IOException {
        if (configs == null) {
            return;
        }
        if (requestedAt.compareTo(configuredAt) < 0) {
            throw new IOException("two lists of printers arrived in an unknown order; requesting the list again");
        }
        configuration.keep(configs);
        configuredAt = Uptime.withSleep();
        printers.serve(configs);
        reports.reports().keepOnly(configs.stream().map(PrinterConfig::deviceId).collect(Collectors.toSet()));
    }

    private Duration retryDelay(Exception fault) {
        if (fault instanceof ApiException answer && answer.isRevoked()) {
            setStatus(false, "the agent's token was revoked: pair it again");
            return REVOKED;
        }
        if (fault instanceof ApiException answer && answer.isSuperseded()) {
            setStatus(
                    false,
                    "the API serves another agent with the same token, so this one serves no printers:"
                            + " stop one of them, or pair one of them again");
            giveUpPrinters();
            return SUPERSEDED;
        }
        setStatus(false, fault instanceof IOException lost ? ErrorText.of(lost) : fault.toString());
        return backoff.next();
    }

    /**
     * Requires that no other answer is being applied. What cannot be written now is given back with the next refusal or
     * answer.
     */
    private synchronized void giveUpPrinters() {
        journal.superseded();
        try {
            printers.serve(List.of());
        } catch (UncheckedIOException e) {
            LOG.error(
                    "cannot return unstarted jobs to the queue yet; retrying after the next response of the API: {}",
                    e.getMessage());
        }
        reports.reports().keepOnly(Set.of());
    }

    private void setStatus(boolean connected, String why) {
        String reason = SecretMask.hide(why);
        Status before = status;
        if (before.connected() != connected || !before.reason().equals(reason)) {
            status = new Status(connected, reason, clock.instant());
            if (connected) {
                LOG.info("connected to {}", uplink);
            } else {
                LOG.warn("{}: disconnected: {}", uplink, reason);
            }
        }
    }

    /** Ends the session, so that the API may serve another process at once. */
    public void end() {
        sender.interrupt();
        poller.interrupt();
        for (Thread thread : List.of(sender, poller)) {
            if (thread.getState() != Thread.State.NEW && !join(thread, CLOSE_TIMEOUT)) {
                LOG.warn("the {} thread of the link has not ended", thread.getName());
            }
        }
        journal.superseded();
        String last = session;
        if (last != null) {
            session = null;
            Thread farewell = Thread.ofVirtual().start(() -> tellEnd(last));
            join(farewell, GOODBYE_TIMEOUT);
            farewell.interrupt();
        }
    }

    /**
     * Sends the pending acks with the end of the session: a start that was accepted here must not go to another
     * process.
     */
    private void tellEnd(String last) {
        try {
            uplink.exchange(asking(last, reports.acks(), instance.ending()), Duration.ZERO);
        } catch (IOException | RuntimeException e) {
            LOG.debug("cannot tell the API that the session ends: {}", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean join(Thread thread, Duration patience) {
        try {
            return thread.join(patience);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        end();
        uplink.close();
    }
}
