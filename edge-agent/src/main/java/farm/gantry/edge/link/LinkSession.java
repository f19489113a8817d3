package farm.gantry.edge.link;

import farm.gantry.Id;
import farm.gantry.edge.journal.Journal;
import farm.gantry.edge.link.StateReports.ReportDelays;
import farm.gantry.edge.log.ErrorText;
import farm.gantry.edge.log.SecretMask;
import farm.gantry.edge.printer.PrinterFleet;
import farm.gantry.edge.retry.Backoff;
import farm.gantry.edge.time.Uptime;
import farm.gantry.version.ProductVersion;
import farm.gantry.wire.LinkRequest;
import farm.gantry.wire.LinkRequest.Ack;
import farm.gantry.wire.LinkRequest.Event;
import farm.gantry.wire.LinkResponse;
import farm.gantry.wire.LinkResponse.PrinterConfig;
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
 * The session with the API, with at most two exchanges at a time. The sender thread sends reports, events and acks as
 * they arise, and receives responses at once. The poller thread waits for commands in a long poll. An API that does not
 * support long polls requests a long pause; then the sender polls too, with one exchange after each pause. Non-urgent
 * reports are sent with these exchanges. Only the sender opens a session, so that messages arrive in the order in which
 * they were sent.
 */
public final class LinkSession implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LinkSession.class);
    private static final Duration LONG_POLL = Duration.ofSeconds(20);
    private static final Duration SEND_INTERVAL = Duration.ofMillis(500);
    private static final Duration BATCH_DELAY = Duration.ofMillis(30);
    /** The maximum pause of an API that supports long polls. A longer requested pause means that it does not. */
    private static final Duration MAX_PAUSE_WITH_POLLS = Duration.ofSeconds(2);

    private static final Duration RETRY_DELAY = Duration.ofSeconds(1);
    /**
     * The delay before the next poll after a response with commands, because the API redelivers commands until the
     * sender has sent their acks.
     */
    private static final Duration ACKNOWLEDGE_DELAY = Duration.ofMillis(150);

    private static final Duration REVOKED_RETRY_DELAY = Duration.ofSeconds(60);
    private static final Duration SUPERSEDED_RETRY_DELAY = Duration.ofSeconds(10);
    private static final Duration MOVED_RETRY_DELAY = Duration.ofSeconds(10);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration GOODBYE_TIMEOUT = Duration.ofSeconds(5);
    /** The maximum time that the poller waits for a response to be written to disk. */
    private static final Duration APPLY_TIMEOUT = Duration.ofSeconds(2);

    /** The maximum delay of a poll by the sender. After that, the poller polls instead. */
    private static final Duration MAX_SENDER_DELAY = Duration.ofSeconds(5);

    private static final int MAX_EVENTS = 200;
    private static final int SESSION_ID_BYTES = 16;

    private final Uplink uplink;
    private final InstantSource clock;
    private final ReportQueue reports;
    private final Journal journal;
    private final PrinterFleet printers;
    private final SavedPrinterList configuration;
    private final SnapshotUploads stills;
    private final AgentInstance instance;
    private final MoveHandler moves;
    private final ServerVersion serverVersion = new ServerVersion(ProductVersion.CURRENT);
    private final AnswerExecutor answers = new AnswerExecutor(APPLY_TIMEOUT);
    private final Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));
    private final Thread sender = Thread.ofVirtual().name("sender").unstarted(this::send);
    private final Thread poller = Thread.ofVirtual().name("poller").unstarted(this::poll);
    /** The id of the session that the API has accepted; null while there is none. */
    private volatile @Nullable String session;

    /**
     * The uptime at which a list of printers was last applied. A list that was requested before that may be older; the
     * session then ends and a new one requests the list again.
     */
    private volatile Duration configuredAt = Uptime.withSleep();

    private volatile Status status;
    private volatile Duration pollAfter = Duration.ZERO;
    private volatile Duration reportAfter = Duration.ZERO;
    /** The uptime at which everything that was pending had been sent. */
    private volatile Duration exchangedAt = Duration.ZERO;

    private volatile Duration reportedAt = Duration.ZERO;

    private volatile Duration eventRetryAt = Duration.ZERO;

    /** Whether a response with a list of printers was not applied, because the disk did not respond. */
    private volatile boolean isListDropped;

    /** The state of the connection to the API: whether it answers, the reason if it does not, and since when. */
    public record Status(boolean connected, String reason, Instant since) {}

    /** Handles the answer that the agent's store is at another address now. */
    @FunctionalInterface
    public interface MoveHandler {
        /** Follows the store, and returns the status to show. */
        String follow(String address);
    }

    public LinkSession(
            Uplink uplink,
            InstantSource clock,
            ReportQueue reports,
            Journal journal,
            PrinterFleet printers,
            SavedPrinterList configuration,
            SnapshotUploads stills,
            AgentInstance instance,
            MoveHandler moves) {
        this.uplink = uplink;
        this.clock = clock;
        this.status = new Status(false, "not reached yet", clock.instant());
        this.reports = reports;
        this.journal = journal;
        this.printers = printers;
        this.configuration = configuration;
        this.stills = stills;
        this.instance = instance;
        this.moves = moves;
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
                String opened = Id.random(SESSION_ID_BYTES);
                reports.reports().startSession();
                try {
                    uplink.beginSession(opened);
                    exchange(opened, ReportDelays.ALL, reports.reports().pending(Uptime.now(), ReportDelays.ALL));
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

    /** Sends until the poller ends the session. Throws if an exchange fails. */
    private void sendUntilBroken(String opened) throws IOException, InterruptedException {
        while (opened.equals(session)) {
            reports.await(SEND_INTERVAL);
            Thread.sleep(BATCH_DELAY);
            boolean isToAsk = isSenderPolling() && hasElapsed(exchangedAt, pollAfter);
            ReportDelays pace = !isSenderPolling()
                    ? ReportDelays.PROMPT
                    : isToAsk && hasElapsed(reportedAt, reportAfter) ? ReportDelays.ALL : ReportDelays.URGENT;
            List<StateReports.PendingReport> due = reports.reports().pending(Uptime.now(), pace);
            if (isToAsk
                    || !due.isEmpty()
                    || !reports.acks().isEmpty()
                    || !eventsToSend().isEmpty()) {
                exchange(opened, pace, due);
            }
            if (due.size() >= StateReports.MAX_ROUTINE) {
                reports.signal(); // there may be more, for which the request had no room
            }
        }
    }

    /** Returns whether the sender must poll for commands, because the API does not support long polls. */
    private boolean isSenderPolling() {
        return pollAfter.compareTo(MAX_PAUSE_WITH_POLLS) > 0;
    }

    private static boolean hasElapsed(Duration since, Duration pause) {
        return Uptime.now().compareTo(since.plus(pause)) >= 0;
    }

    private void exchange(String opened, ReportDelays pace, List<StateReports.PendingReport> due)
            throws IOException, InterruptedException {
        List<Event> events = eventsToSend();
        List<Ack> acks = reports.acks();
        LinkRequest request = new LinkRequest(
                opened,
                journal.lastSequence(),
                due.stream().map(StateReports.PendingReport::report).toList(),
                events,
                acks,
                null,
                instance.asServing());
        Duration requestedAt = Uptime.withSleep();
        LinkResponse answer = uplink.exchange(request, Duration.ZERO);
        printers.sendEmergencyStops(answer.commands());
        instance.recordServed();
        serverVersion.update(answer.version());
        exchangedAt = Uptime.now();
        if (pace.equals(ReportDelays.ALL)) {
            reportedAt = exchangedAt;
        }
        reports.reports().recordSent(due);
        reports.removeAcks(acks);
        boolean isWritten = apply(answer, requestedAt, answer.ackSequence() > request.sequence());
        boolean isAcknowledged = events.isEmpty() || events.getLast().sequence() <= answer.ackSequence();
        eventRetryAt =
                isAcknowledged && isWritten ? Duration.ZERO : Uptime.now().plus(RETRY_DELAY);
    }

    /**
     * Returns the events to send. Events that the API did not accept, or whose acknowledgement cannot be written, are
     * sent again after a delay.
     */
    private List<Event> eventsToSend() {
        return Uptime.now().compareTo(eventRetryAt) < 0 ? List.of() : journal.undeliveredEvents(MAX_EVENTS);
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
                if (isSenderPolling() && !hasElapsed(exchangedAt, pollAfter.plus(MAX_SENDER_DELAY))) {
                    Thread.sleep(SEND_INTERVAL);
                    continue;
                }
                try {
                    LinkRequest request = createPoll(current, List.of(), instance.asServing());
                    Duration requestedAt = Uptime.withSleep();
                    LinkResponse answer = uplink.exchange(request, LONG_POLL);
                    printers.sendEmergencyStops(answer.commands());
                    boolean isWritten = applyInTime(current, answer, requestedAt);
                    again.reset();
                    Duration repeated = isWritten ? ACKNOWLEDGE_DELAY : RETRY_DELAY;
                    Thread.sleep(answer.commands().isEmpty() && isWritten ? pollAfter : repeated);
                } catch (IOException | RuntimeException e) {
                    LOG.debug("the long poll failed, retrying: {}", e.getMessage());
                    if (!answers.isBusy()) {
                        endSession(current); // The sender opens the next one, for which it needs the disk.
                    }
                    Thread.sleep(again.nextDelay());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Applies a response and returns whether it was written to disk in time. While the disk does not respond, only the
     * emergency stops of the response are carried out. If the response contained a list of printers, the session ends,
     * so that the next one requests the list again.
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

    private LinkRequest createPoll(String current, List<Ack> acks, LinkRequest.Instance asks) {
        return new LinkRequest(current, journal.lastSequence(), List.of(), List.of(), acks, null, asks);
    }

    private void endSession(String broken) {
        if (broken.equals(session)) {
            session = null;
            reports.signal();
        }
    }

    /** Applies a response unless its session has ended, because it may be older than a response of the next session. */
    private synchronized boolean applyIfCurrent(String polled, LinkResponse answer, Duration requestedAt)
            throws IOException {
        return !polled.equals(session) || apply(answer, requestedAt, false);
    }

    /**
     * Applies a response and returns whether everything could be written. If not, only stops are carried out, and the
     * API redelivers the commands that are not acknowledged. {@code isOlder} is whether the journal is an older copy of
     * the one that the API knows.
     */
    private synchronized boolean apply(LinkResponse answer, Duration requestedAt, boolean isOlder) throws IOException {
        pollAfter = Duration.ofMillis(Math.max(0, answer.pollAfterMs()));
        Long report = answer.reportAfterMs();
        reportAfter = report == null ? pollAfter : Duration.ofMillis(Math.max(0, report));
        try {
            servePrinters(answer.printers(), requestedAt);
        } catch (IOException | UncheckedIOException e) {
            printers.carryOutStops(answer.commands());
            throw e; // a new session requests the list again
        }
        try {
            if (isOlder) {
                journal.renumber(answer.ackSequence());
            }
            journal.dropDelivered(answer.ackSequence());
            printers.applyCommands(answer.commands(), reports::ack);
        } catch (UncheckedIOException e) {
            printers.carryOutStops(answer.commands());
            setStatus(false, "cannot write to the disk, accepting only stops: " + e.getMessage());
            return false;
        }
        journal.recordAnswer(requestedAt);
        stills.requestSnapshots(answer.stills());
        setStatus(true, "");
        return true;
    }

    private void servePrinters(@Nullable List<PrinterConfig> configs, Duration requestedAt) throws IOException {
        if (configs == null) {
            return;
        }
        if (requestedAt.compareTo(configuredAt) < 0) {
            throw new IOException("two lists of printers arrived in an unknown order; requesting the list again");
        }
        configuration.write(configs);
        configuredAt = Uptime.withSleep();
        printers.serve(configs);
        reports.reports()
                .retainOnly(configs.stream().map(PrinterConfig::deviceId).collect(Collectors.toSet()));
    }

    private Duration retryDelay(Exception fault) {
        if (fault instanceof ApiException answer && answer.isRevoked()) {
            setStatus(false, "the agent's token was revoked: pair it again");
            return REVOKED_RETRY_DELAY;
        }
        if (fault instanceof ApiException answer && answer.isSuperseded()) {
            setStatus(
                    false,
                    "the API serves another agent with the same token, so this one serves no printers:"
                            + " stop one of them, or pair one of them again");
            stopServingPrinters();
            return SUPERSEDED_RETRY_DELAY;
        }
        if (fault instanceof ApiException answer && answer.newAddress().isPresent()) {
            setStatus(false, moves.follow(answer.newAddress().get()));
            return MOVED_RETRY_DELAY;
        }
        setStatus(false, fault instanceof IOException lost ? ErrorText.of(lost) : fault.toString());
        return backoff.nextDelay();
    }

    /**
     * Stops serving all printers and returns their unstarted jobs to the API. Must not run while a response is being
     * applied. If the journal cannot be written now, the jobs are returned later.
     */
    private synchronized void stopServingPrinters() {
        journal.recordSuperseded();
        try {
            printers.serve(List.of());
        } catch (UncheckedIOException e) {
            LOG.error(
                    "cannot return unstarted jobs to the queue yet; retrying after the next response of the API: {}",
                    e.getMessage());
        }
        reports.reports().retainOnly(Set.of());
    }

    private void setStatus(boolean connected, String why) {
        String reason = SecretMask.mask(why);
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
        journal.recordSuperseded();
        String last = session;
        if (last != null) {
            session = null;
            Thread farewell = Thread.ofVirtual().start(() -> sendEnd(last));
            join(farewell, GOODBYE_TIMEOUT);
            farewell.interrupt();
        }
    }

    /**
     * Sends the end of the session with the pending acks, so that the API does not send an accepted print to another
     * process too.
     */
    private void sendEnd(String last) {
        try {
            uplink.exchange(createPoll(last, reports.acks(), instance.asEnding()), Duration.ZERO);
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
