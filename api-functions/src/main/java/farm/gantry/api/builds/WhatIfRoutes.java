package farm.gantry.api.builds;

import com.fasterxml.jackson.annotation.JsonInclude;
import farm.gantry.Id;
import farm.gantry.Permission;
import farm.gantry.annotation.Default;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.promise.FarmStateLoader;
import farm.gantry.api.promise.PromiseRows;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.promise.FarmState;
import farm.gantry.promise.Promise;
import farm.gantry.promise.PromisePlanner;
import farm.gantry.promise.WaitReason;
import farm.gantry.promise.WorkPattern;
import farm.gantry.store.WorkingHours;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Simulates how a change of work, printers or hours would affect finish times. It changes nothing. */
@Controller("/v1/plan/what-if")
@Blocking
final class WhatIfRoutes {
    /** A finish time that changes by less counts as unchanged. */
    private static final Duration MIN_DURATION = Duration.ofMinutes(1);

    private static final int MAX_ADDED = 1000;

    private final FarmStateLoader farms;
    private final BuildPlanner planner;
    private final BuildPromises builds;
    private final PromiseRows rows;
    private final Database database;
    private final RecordReader reader;

    WhatIfRoutes(
            FarmStateLoader farms,
            BuildPlanner planner,
            BuildPromises builds,
            PromiseRows rows,
            Database database,
            RecordReader reader) {
        this.farms = farms;
        this.planner = planner;
        this.builds = builds;
        this.rows = rows;
        this.database = database;
        this.reader = reader;
    }

    /**
     * A hypothetical change: more builds, in the format of {@code POST /v2/builds}, some printers less, some more like existing ones, or
     * other working hours, which replace those learned from people.
     */
    @Serdeable
    record Scenario(
            @Nullable @Valid BuildRequest builds,

            @Default("[]") @Size(max = 1000) List<@Pattern(regexp = Id.PATTERN) String> withoutPrinterIds,

            @Default("[]") @Size(max = 100) List<@Valid MorePrinters> morePrinters,
            @Nullable @Valid WorkingHours workingHours) {}

    /** Additional free printers of the same kind and with the same filament; 409 if the named printer is out of service. */
    @Serdeable
    record MorePrinters(
            @Pattern(regexp = Id.PATTERN) String like,
            @Min(1) @Max(100) int count) {}

    /**
     * The effects of the change. {@code earlier} and {@code later} count the queued jobs that would be finished earlier and later. {@code
     * queueBefore} and {@code queueAfter} are when the last printable job is finished. {@code workingHoursFrom} says which hours the
     * current farm is estimated with: the store's working hours and clearing time, or those learned from people's confirmations of clear
     * beds.
     */
    @Serdeable
    record Outcome(
            int earlier,
            int later,
            Times queueBefore,
            Times queueAfter,
            WorkPattern.Source workingHoursFrom,
            List<OrderOutcome> orders,
            List<BuildOutcome> builds) {}

    /**
     * An order whose finish time would change, or that would become late or on time. An order with pieces that are not queued has no
     * finish time and is left out.
     */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record OrderOutcome(
            String orderId,
            @Nullable Instant deadline,
            Times before,
            Times after,
            boolean becomesLate,
            boolean becomesOnTime) {}

    /** The estimate of a finish time: {@code promisedAt} is the median, {@code promisedBy} the 90th percentile. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Times(@Nullable Instant promisedAt, @Nullable Instant promisedBy) {
        static Times of(Promise promise) {
            return new Times(promise.promisedAt(), promise.promisedBy());
        }

        boolean isLate(@Nullable Instant deadline) {
            return deadline != null && (promisedAt == null || promisedAt.isAfter(deadline));
        }
    }

    /** The finish time of all jobs of one part of the builds, and the reasons why the last of them waits. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record BuildOutcome(
            String partId,
            String partName,
            int jobs,
            @Nullable Instant promisedAt,
            @Nullable Instant promisedBy,
            List<WaitReason> waits) {}

    /**
     * Simulates a change of the farm. Returns the orders that become late or on time, and when added builds would be
     * done. Nothing is changed. It may take seconds. 409 if more than 100,000 jobs wait.
     */
    @Post
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.QUEUE_VIEW)
    Outcome whatIf(Caller caller, @Body @BodyType(Scenario.class) JsonNode body) {
        Scenario change = reader.read(Scenario.class, body);
        return outcome(database.in(caller, tx -> read(tx, change)));
    }

    /** The current and the changed farm, and the open orders. */
    private record ComparedFarms(
            FarmState now, BuildPromises.FarmWithBuilds queued, List<PromiseRows.OpenOrder> orders) {}

    private ComparedFarms read(Tx tx, Scenario change) {
        FarmState now = farms.load(tx, Resources.now());
        if (!farms.isComplete(now)) {
            throw ProblemException.conflict(
                    "too many jobs wait to compare all of their finish times: finish times are estimated for the"
                            + " first " + now.queue().size() + " jobs of the queue; let them print, or cancel some");
        }
        FarmState changed = now.withPrinters(changedPrinters(now, change));
        if (change.workingHours() != null) {
            changed = changed.withWork(WorkPattern.fromSettings(change.workingHours()));
        }
        BuildRequest more = change.builds();
        return new ComparedFarms(
                now, builds.queue(tx, changed, more == null ? List.of() : planner.plan(tx, more)), rows.openOrders(tx));
    }

    /** Simulates both farms. This may take seconds, so it runs outside of any transaction. */
    private static Outcome outcome(ComparedFarms farms) {
        PromisePlanner before = new PromisePlanner(farms.now());
        PromisePlanner after = new PromisePlanner(farms.queued().farm());
        int earlier = 0;
        int later = 0;
        Map<String, Promise> promises = after.promises();
        for (Map.Entry<String, Promise> job : before.promises().entrySet()) {
            int moved = compareFinish(job.getValue(), promises.getOrDefault(job.getKey(), Promise.NONE));
            earlier += moved < 0 ? 1 : 0;
            later += moved > 0 ? 1 : 0;
        }
        return new Outcome(
                earlier,
                later,
                Times.of(before.promiseQueueEnd()),
                Times.of(after.promiseQueueEnd()),
                farms.now().work().source(),
                compareOrders(farms.orders(), before, after),
                buildOutcomes(farms.queued(), after));
    }

    /** Returns -1 if the finish time gets earlier, 1 if it gets later or unknown, else 0. */
    private static int compareFinish(Promise before, Promise after) {
        Instant was = before.promisedAt();
        Instant is = after.promisedAt();
        if (was == null || is == null) {
            return Objects.equals(was, is) ? 0 : is == null ? 1 : -1;
        }
        Duration by = Duration.between(was, is);
        return by.abs().compareTo(MIN_DURATION) < 0 ? 0 : by.isNegative() ? -1 : 1;
    }

    private static List<FarmState.PlannedPrinter> changedPrinters(FarmState farm, Scenario change) {
        List<FarmState.PlannedPrinter> printers = new ArrayList<>(farm.printers());
        for (int i = 0; i < change.withoutPrinterIds().size(); i++) {
            String id = change.withoutPrinterIds().get(i);
            if (!printers.removeIf(printer -> printer.candidate().printer().id().equals(id))) {
                throw unknown("withoutPrinterIds[" + i + "]", id);
            }
        }
        if (change.morePrinters().stream().mapToInt(MorePrinters::count).sum() > MAX_ADDED) {
            throw ProblemException.invalid(
                    "morePrinters", "range", "morePrinters must add at most " + MAX_ADDED + " printers in total");
        }
        for (int i = 0; i < change.morePrinters().size(); i++) {
            MorePrinters more = change.morePrinters().get(i);
            String path = "morePrinters[" + i + "].like";
            FarmState.PlannedPrinter like = farm.printers().stream()
                    .filter(printer -> printer.candidate().printer().id().equals(more.like()))
                    .findFirst()
                    .orElseThrow(() -> unknown(path, more.like()));
            throwIfOutOfService(farm, like);
            for (int count = 0; count < more.count(); count++) {
                printers.add(new FarmState.PlannedPrinter(like.candidate(), null, true));
            }
        }
        return printers;
    }

    private static void throwIfOutOfService(FarmState farm, FarmState.PlannedPrinter like) {
        farm.matching().findOutOfServiceRule(like.candidate()).ifPresent(rule -> {
            throw ProblemException.conflict(
                    "printers like " + like.candidate().printer().name()
                            + " would get no jobs, because it fails the check \"" + rule.label()
                            + "\": name one that is in service in morePrinters");
        });
    }

    private static ProblemException unknown(String path, String id) {
        return ProblemException.invalid(path, "not_found", "there is no printer " + id);
    }

    private static List<OrderOutcome> compareOrders(
            List<PromiseRows.OpenOrder> open, PromisePlanner before, PromisePlanner after) {
        List<OrderOutcome> orders = new ArrayList<>();
        for (PromiseRows.OpenOrder order : open) {
            if (order.jobIds().isEmpty() || order.isLacking()) {
                continue;
            }
            Promise was = before.promiseAll(order.jobIds());
            Promise is = after.promiseAll(order.jobIds());
            boolean wasLate = Times.of(was).isLate(order.deadline());
            boolean isLate = Times.of(is).isLate(order.deadline());
            if (compareFinish(was, is) != 0 || wasLate != isLate) {
                orders.add(new OrderOutcome(
                        order.id(),
                        order.deadline(),
                        Times.of(was),
                        Times.of(is),
                        isLate && !wasLate,
                        wasLate && !isLate));
            }
        }
        return orders;
    }

    private static List<BuildOutcome> buildOutcomes(BuildPromises.FarmWithBuilds queued, PromisePlanner after) {
        return queued.parts().stream()
                .filter(part -> !part.jobIds().isEmpty())
                .map(part -> {
                    Promise promise = after.promiseAll(part.jobIds());
                    return new BuildOutcome(
                            part.part().part().id(),
                            part.part().part().name(),
                            part.jobIds().size(),
                            promise.promisedAt(),
                            promise.promisedBy(),
                            after.waitReasons(part.jobIds().getLast()));
                })
                .toList();
    }
}
