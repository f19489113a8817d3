package farm.gantry.api.stream;

import farm.gantry.StoreId;
import farm.gantry.api.database.Database;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.queue.Loop;
import farm.gantry.api.queue.Signal;
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

/** Changes as they happen, as server-sent events. */
@Controller("/v1/stream")
@Blocking
public final class Streams {
    private static final Logger LOG = LoggerFactory.getLogger(Streams.class);
    private static final Duration FORGET_EVERY = Duration.ofMinutes(10);
    /** Compression would hold events back. */
    private static final String UNCOMPRESSED = "identity";
    /** Read by nginx, which otherwise buffers what a server behind it answers. */
    private static final String PROXY_BUFFERING = "X-Accel-Buffering";

    private static final Duration RETRY_AFTER = Duration.ofSeconds(10);

    private final Database database;
    private final ChangeRows rows;
    private final ChangeEvents changes;
    private final StreamSettings settings;
    private final Scheduler threads;
    private final Map<StoreId, Semaphore> open = new ConcurrentHashMap<>();
    private final Sinks.Empty<Void> stopping = Sinks.empty();

    Streams(
            Database database,
            ChangeRows rows,
            ChangeEvents changes,
            StreamSettings settings,
            @Named(TaskExecutors.VIRTUAL) ExecutorService threads) {
        this.database = database;
        this.rows = rows;
        this.changes = changes;
        this.settings = settings;
        this.threads = Schedulers.fromExecutor(
                task -> threads.execute(task)); // which interrupts nothing, as that of a service does
    }

    /**
     * Tells as server-sent events what happens, as long as the connection lasts: {@code printerState} with what
     * {@code /v1/printer-states} answers of a printer, {@code jobMoved} with a job's {@code printJobId, previousStatus,
     * status, assignedPrinterId, attempt, at}, {@code partChanged} and {@code orderChanged} with {@code type, id, change, at}
     * of a record that was created, updated or deleted, and {@code channelChanged} with {@code channel, enabled,
     * failureCount24h, warning, disabledReason} of a notification channel that was warned of, disabled or enabled. It begins with every printer's state and then {@code ready}. Who sends the id
     * of the last event that it got as {@code Last-Event-ID} is told what came since instead; where that is not known any
     * more, {@code reset}, and then all from the beginning. None is left out, one may come twice. {@code events} are the
     * kinds to tell of, separated by commas; without it those that the key may see, by {@code printer.view},
     * {@code queue.view}, {@code part.view}, {@code order.view} and {@code settings.view}.
     */
    @Get
    @Produces(MediaType.TEXT_EVENT_STREAM)
    @RequiresPermission({})
    HttpResponse<Publisher<Event<String>>> stream(
            Caller caller,
            HttpRequest<?> request,
            @QueryValue @Nullable String events,
            @Header("Last-Event-ID") @Nullable String lastEventId) {
        Set<ChangeEvents.Kind> kinds = kinds(caller, events);
        StreamPosition position = lastEventId == null || lastEventId.isEmpty()
                ? null
                : StreamPosition.parse(lastEventId)
                        .orElseThrow(() -> ProblemException.invalid(
                                "Last-Event-ID", "invalid", "Last-Event-ID is no id of an event of this stream"));
        if (request instanceof ServletHttpRequest) { // a function's
            throw new ProblemException(
                    new Problem.NotImplemented("this host cannot hold a connection: use webhooks instead"));
        }
        Semaphore places = open.computeIfAbsent(caller.store(), _ -> new Semaphore(settings.maxPerStore()));
        if (places.availablePermits() == 0) {
            throw new ProblemException(new Problem.RateLimited(RETRY_AFTER));
        }
        EventStream streaming = new EventStream(database, rows, changes, settings, caller, kinds, position);
        // A place is taken by who listens: who asks for the head alone, or is gone by now, never would give it back.
        Flux<Event<String>> told = Flux.defer(() -> places.tryAcquire()
                ? Flux.<Event<String>>generate(sink -> tell(streaming, sink))
                        .subscribeOn(threads)
                        .takeUntilOther(stopping.asMono())
                        .doFinally(_ -> {
                            streaming.close();
                            places.release();
                        })
                : Flux.empty());
        return HttpResponse.<Publisher<Event<String>>>ok(told)
                .header(HttpHeaders.CONTENT_ENCODING, UNCOMPRESSED)
                .header(PROXY_BUFFERING, "no");
    }

    private static Set<ChangeEvents.Kind> kinds(Caller caller, @Nullable String events) {
        if (events == null) {
            caller.requireAnyPermission(Arrays.stream(ChangeEvents.Kind.values())
                    .map(kind -> kind.permission)
                    .toList());
            return Arrays.stream(ChangeEvents.Kind.values())
                    .filter(kind -> caller.hasPermission(kind.permission))
                    .collect(Collectors.toSet());
        }
        Set<ChangeEvents.Kind> asked = EnumSet.noneOf(ChangeEvents.Kind.class);
        for (String name : events.split(",", -1)) {
            ChangeEvents.Kind kind = Arrays.stream(ChangeEvents.Kind.values())
                    .filter(each -> each.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> ProblemException.invalid(
                            "events",
                            "enum",
                            "events are "
                                    + Arrays.toString(ChangeEvents.Kind.values())
                                            .replaceAll("[\\[\\]]", "") + ", separated by commas"));
            caller.requirePermission(kind.permission);
            asked.add(kind);
        }
        return asked;
    }

    /** Whatever ends it, the caller comes again and says where it was; a key that is refused is told so then. */
    private static void tell(EventStream streaming, SynchronousSink<Event<String>> sink) {
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
            LOG.warn("a stream ends early", e);
            sink.complete();
        }
    }

    /** Ends all streams: whoever follows comes again, and finds another process or this one started anew. */
    public void end() {
        stopping.tryEmitEmpty();
    }

    /** Forgets moves that no stream goes back to. */
    public Loop start() {
        return Loop.start("job-moves", new Signal(), FORGET_EVERY, this::forget);
    }

    /** Forgets moves that are older now than any stream goes back to. */
    public void forget() {
        rows.forgetJobMoves(Instant.now().minus(settings.retention()));
    }
}
