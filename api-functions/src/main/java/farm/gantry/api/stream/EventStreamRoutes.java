package farm.gantry.api.stream;

import farm.gantry.StoreId;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.ExpiredRows;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.queue.Signal;
import farm.gantry.api.queue.WorkLease;
import farm.gantry.api.queue.WorkLoop;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.sse.Event;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.servlet.http.ServletHttpRequest;
import jakarta.inject.Named;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.core.publisher.SynchronousSink;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** The route that streams changes as server-sent events. */
@Controller("/v1/stream")
@Blocking
public final class EventStreamRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(EventStreamRoutes.class);
    private static final Duration FORGET_EVERY = Duration.ofMinutes(10);
    /** Compression would delay events. */
    private static final String UNCOMPRESSED = "identity";
    /** Stops nginx from buffering the response. */
    private static final String PROXY_BUFFERING = "X-Accel-Buffering";

    private static final Duration RETRY_AFTER = Duration.ofSeconds(10);

    private final Database database;
    private final ChangeRows rows;
    private final ChangeEventReader changes;
    private final StreamSettings settings;
    private final ExpiredRows expired;
    private final WorkLease lease;
    private final Scheduler threads;
    private final Map<StoreId, Semaphore> open = new ConcurrentHashMap<>();
    private final Sinks.Empty<Void> stopping = Sinks.empty();

    EventStreamRoutes(
            Database database,
            ChangeRows rows,
            ChangeEventReader changes,
            StreamSettings settings,
            ExpiredRows expired,
            WorkLease lease,
            @Named(TaskExecutors.VIRTUAL) ExecutorService threads) {
        this.database = database;
        this.rows = rows;
        this.changes = changes;
        this.settings = settings;
        this.expired = expired;
        this.lease = lease;
        this.threads = Schedulers.fromExecutor(
                // never interrupts, unlike an executor service
                task -> threads.execute(task));
    }

    /**
     * Streams changes as server-sent events until the connection ends. The events are {@code printerState} with the
     * printer's state as in {@code /v1/printer-states}; {@code jobMoved} with the job's {@code printJobId, previousStatus, status,
     * assignedPrinterId, attempt, at}; {@code partChanged} and {@code orderChanged} with {@code type, id, change, at}
     * of a created, updated or deleted record; {@code channelChanged} with {@code channel, enabled, failureCount24h,
     * warning, disabledReason} of a notification channel that was warned, disabled or enabled. The stream starts with
     * every printer's state, followed by {@code ready}. A client that reconnects with the id of its last event as
     * {@code Last-Event-ID} gets the events since then instead; if these are no longer available, it gets {@code reset}
     * and then everything from the start. No event is lost, but one may be repeated. {@code events} selects kinds,
     * separated by commas; by default all that the key may see with {@code printer.view}, {@code queue.view}, {@code
     * part.view}, {@code order.view} and {@code settings.view}.
     */
    @Get
    @Produces(MediaType.TEXT_EVENT_STREAM)
    @RequiresPermission({})
    HttpResponse<Publisher<Event<String>>> stream(
            Caller caller,
            HttpRequest<?> request,
            @QueryValue @Nullable String events,
            @Header("Last-Event-ID") @Nullable String lastEventId) {
        Set<ChangeEventReader.Kind> kinds = kinds(caller, events);
        StreamPosition position = lastEventId == null || lastEventId.isEmpty()
                ? null
                : StreamPosition.parse(lastEventId)
                        .orElseThrow(() -> ProblemException.invalid(
                                "Last-Event-ID", "invalid", "Last-Event-ID is not an event id of this stream"));
        if (request instanceof ServletHttpRequest) { // a function
            throw new ProblemException(new Problem.NotImplemented(
                    "this installation cannot keep a connection open; use webhooks, or poll lists with updatedAt.gt"));
        }
        Semaphore places = open.computeIfAbsent(caller.store(), _ -> new Semaphore(settings.maxPerStore()));
        if (places.availablePermits() == 0) {
            throw new ProblemException(new Problem.RateLimited(RETRY_AFTER));
        }
        EventStream streaming = new EventStream(database, rows, changes, settings, caller, kinds, position);
        // The slot is taken on subscription: a HEAD request, or a client that has gone, would never release it.
        Flux<Event<String>> eventFlux = Flux.defer(() -> places.tryAcquire()
                ? Flux.<Event<String>>generate(sink -> emitNext(streaming, sink))
                        .subscribeOn(threads)
                        .takeUntilOther(stopping.asMono())
                        .doFinally(_ -> {
                            streaming.close();
                            places.release();
                        })
                : Flux.empty());
        return HttpResponse.<Publisher<Event<String>>>ok(eventFlux)
                .header(HttpHeaders.CONTENT_ENCODING, UNCOMPRESSED)
                .header(PROXY_BUFFERING, "no");
    }

    private static Set<ChangeEventReader.Kind> kinds(Caller caller, @Nullable String events) {
        if (events == null) {
            caller.requireAnyPermission(Arrays.stream(ChangeEventReader.Kind.values())
                    .map(kind -> kind.permission)
                    .toList());
            return Arrays.stream(ChangeEventReader.Kind.values())
                    .filter(kind -> caller.hasPermission(kind.permission))
                    .collect(Collectors.toSet());
        }
        Set<ChangeEventReader.Kind> requestedKinds = EnumSet.noneOf(ChangeEventReader.Kind.class);
        for (String name : events.split(",", -1)) {
            ChangeEventReader.Kind kind = Arrays.stream(ChangeEventReader.Kind.values())
                    .filter(each -> each.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> ProblemException.invalid(
                            "events",
                            "enum",
                            "events are "
                                    + Arrays.toString(ChangeEventReader.Kind.values())
                                            .replaceAll("[\\[\\]]", "") + ", separated by commas"));
            caller.requirePermission(kind.permission);
            requestedKinds.add(kind);
        }
        return requestedKinds;
    }

    /**
     * Emits the next event. On any failure the stream ends; the client reconnects with its position, and a rejected key then gets its
     * error.
     */
    private static void emitNext(EventStream streaming, SynchronousSink<Event<String>> sink) {
        try {
            Event<String> event = streaming.next();
            if (event == null) {
                sink.complete();
            } else {
                sink.next(event);
            }
        } catch (ProblemException e) {
            sink.complete();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            sink.complete();
        } catch (RuntimeException e) {
            LOG.warn("an event stream failed and is closed; the client can resume it", e);
            sink.complete();
        }
    }

    /** Ends all streams. Clients reconnect to another process, or to this one after its restart. */
    public void end() {
        stopping.tryEmitEmpty();
    }

    /** Starts deleting changes that no stream can resume from. */
    public WorkLoop start() {
        return WorkLoop.start("job-moves", new Signal(), FORGET_EVERY, lease, this::deleteOldChanges);
    }

    /** Deletes changes that no stream can resume from. */
    public void deleteOldChanges() {
        Instant before = Instant.now().minus(settings.retention());
        expired.delete("jobMove", before);
        expired.delete("recordChange", before);
    }
}
