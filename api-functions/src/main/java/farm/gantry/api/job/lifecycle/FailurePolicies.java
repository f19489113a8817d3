package farm.gantry.api.job.lifecycle;

import farm.gantry.api.database.Change;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.webhook.Webhooks;
import farm.gantry.job.PrintJob;
import farm.gantry.notification.EventName;
import farm.gantry.order.OrderItem;
import farm.gantry.part.Part;
import farm.gantry.printer.Printer;
import farm.gantry.store.FailurePolicy;
import farm.gantry.store.StoreSettings;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Applies a store's {@link FailurePolicy} to a failed print, in the transaction of the failure. */
@Singleton
final class FailurePolicies {
    private final Table<PrintJob> jobs;
    private final Table<OrderItem> items;
    private final Table<Printer> printers;
    private final Table<Part> parts;
    private final Table<StoreSettings> settings;
    private final FailureRows rows;
    private final JobReplacement replacement;
    private final OrderProgress orders;
    private final OutOfService holds;
    private final Webhooks webhooks;

    FailurePolicies(
            Tables tables,
            FailureRows rows,
            JobReplacement replacement,
            OrderProgress orders,
            OutOfService holds,
            Webhooks webhooks) {
        this.jobs = tables.of(PrintJob.class);
        this.items = tables.of(OrderItem.class);
        this.printers = tables.of(Printer.class);
        this.parts = tables.of(Part.class);
        this.settings = tables.of(StoreSettings.class);
        this.rows = rows;
        this.replacement = replacement;
        this.orders = orders;
        this.holds = holds;
        this.webhooks = webhooks;
    }

    /**
     * Retries a failed job, and takes the printer, part or queue out of service if its failures exceed a limit. Slicing
     * failures only fail the job.
     */
    void onFailed(Tx tx, PrintJob before, PrintJob failed) {
        StoreSettings store = settings.find(tx, tx.store().value()).orElseThrow();
        FailurePolicy policy = Objects.requireNonNullElse(store.failurePolicy(), FailurePolicy.NONE);
        boolean isOfPrinter = before.status().isAtPrinter() && failed.assignedPrinterId() != null;
        List<String> done = new ArrayList<>();
        queueRetry(tx, failed, store.maxRetries(), isOfPrinter ? policy.retriesElsewhere() : 0)
                .ifPresent(done::add);
        if (isOfPrinter) {
            done.addAll(applyLimits(tx, policy, failed));
        }
        appendNotes(tx, failed, done);
    }

    /** Applies the limits after a print without a good piece. */
    void onRejected(Tx tx, PrintJob rejected) {
        FailurePolicy policy =
                settings.find(tx, tx.store().value()).orElseThrow().failurePolicy();
        if (policy != null) {
            appendNotes(tx, rejected, applyLimits(tx, policy, rejected));
        }
    }

    /** Appends notes to the job's error message. */
    void appendNotes(Tx tx, PrintJob job, List<String> done) {
        if (!done.isEmpty()) {
            String before = jobs.find(tx, job.id()).orElseThrow().policyReason();
            List<String> all = Stream.concat(
                            Stream.ofNullable(before),
                            done.stream().filter(each -> before == null || !before.contains(each)))
                    .toList();
            jobs.change(tx, job.id(), new Change<PrintJob>().set(PrintJob::policyReason, String.join(" ", all)));
        }
    }

    /** Retries a piece of an order up to the larger of both settings while the order lacks it. */
    private Optional<String> queueRetry(Tx tx, PrintJob failed, int ofOrders, int elsewhere) {
        String item = failed.orderItemId();
        int maxPrinters = item == null ? elsewhere : Math.max(ofOrders, elsewhere);
        if (maxPrinters == 0) {
            return Optional.empty();
        } else if (failed.retries() >= maxPrinters) {
            return Optional.of("It is not retried: it failed " + (failed.retries() + 1) + " times.");
        } else if ((item != null && items.find(tx, item).isEmpty()) || !orders.isLacking(tx, failed)) {
            return Optional.empty();
        }
        List<String> failedOn = elsewhere == 0
                ? failed.failedPrinterIds()
                : Stream.concat(
                                failed.failedPrinterIds().stream().filter(id -> !id.equals(failed.assignedPrinterId())),
                                Stream.ofNullable(failed.assignedPrinterId()))
                        .toList();
        String reason = "Replaces job " + failed.id() + ", which failed on "
                + findPrinterName(tx, failed).orElse("its printer") + ": "
                + Objects.requireNonNullElse(failed.errorMessage(), "no reason is known") + ". Retry "
                + (failed.retries() + 1) + " of " + maxPrinters
                + (failedOn.isEmpty() ? "." : ", on another printer while one can print it.");
        return replacement
                .replace(tx, failed, new JobReplacement.ReplacementValues(failed.retries() + 1, failedOn, null, reason))
                .map(id -> {
                    webhooks.emit(tx, EventName.onJobRetried, failed.assignedPrinterId(), id, Map.of("reason", reason));
                    return "Job " + id + " replaces it.";
                });
    }

    private Optional<String> findPrinterName(Tx tx, PrintJob job) {
        return Optional.ofNullable(job.assignedPrinterId())
                .flatMap(id -> printers.find(tx, id))
                .map(Printer::name);
    }

    private List<String> applyLimits(Tx tx, FailurePolicy policy, PrintJob failed) {
        return Stream.of(quarantineIfExceeded(tx, policy, failed), holdPartIfExceeded(tx, policy, failed), pauseQueueIfExceeded(tx, policy, failed))
                .flatMap(Optional::stream)
                .toList();
    }

    private Optional<String> quarantineIfExceeded(Tx tx, FailurePolicy policy, PrintJob failed) {
        FailurePolicy.Quarantine limit = policy.quarantine();
        if (limit == null || failed.assignedPrinterId() == null) {
            return Optional.empty();
        }
        FailureRows.FailureCount count = rows.countOfPrinter(tx, failed.assignedPrinterId(), limit.ofLastJobs());
        if (count.failed() < limit.failures()) {
            return Optional.empty();
        }
        return printers.lock(tx, failed.assignedPrinterId()).map(printer -> {
            String reason = count.failed() + " of its last " + count.prints() + " prints failed.";
            holds.quarantinePrinters(tx, List.of(printer), reason, failed.id());
            return "Printer " + printer.name() + " is in quarantine: " + reason;
        });
    }

    private Optional<String> holdPartIfExceeded(Tx tx, FailurePolicy policy, PrintJob failed) {
        Integer maxPrinters = policy.holdPartAfterPrinters();
        if (maxPrinters == null || rows.countFailedPrinters(tx, failed.partId()) < maxPrinters) {
            return Optional.empty();
        }
        return parts.lock(tx, failed.partId()).map(part -> {
            String reason = "It failed on " + maxPrinters + " different printers since it was last completed.";
            holds.holdParts(tx, List.of(part), reason);
            return "Part " + part.name() + " is on hold: " + reason;
        });
    }

    private Optional<String> pauseQueueIfExceeded(Tx tx, FailurePolicy policy, PrintJob failed) {
        FailurePolicy.Pause limit = policy.pauseQueue();
        if (limit == null) {
            return Optional.empty();
        }
        FailureRows.FailureCount count = rows.countOfLastHour(tx);
        if (count.prints() < limit.ofPrints() || count.failed() * 100 <= limit.failurePercent() * count.prints()) {
            return Optional.empty();
        }
        String reason = count.failed() + " of the last hour's " + count.prints() + " prints failed, more than "
                + limit.failurePercent() + " %.";
        holds.pauseQueue(tx, reason, failed.id());
        return Optional.of("The queue is paused: " + reason);
    }
}
