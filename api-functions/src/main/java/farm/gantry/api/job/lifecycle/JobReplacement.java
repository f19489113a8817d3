package farm.gantry.api.job.lifecycle;

import farm.gantry.Id;
import farm.gantry.RecordBuilder;
import farm.gantry.api.database.Change;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.file.JobRows;
import farm.gantry.api.resource.Resources;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Queues a replacement for a job whose pieces are lost: at the same queue position, once for each attempt. */
@Singleton
final class JobReplacement {
    private final Table<PrintJob> jobs;
    private final FailureRows rows;

    JobReplacement(Tables tables, FailureRows rows) {
        this.jobs = tables.of(PrintJob.class);
        this.rows = rows;
    }

    /**
     * Values of the replacement. {@code retries}: number of failures before it; {@code failedPrinterIds}: printers to
     * avoid; {@code skipObjects}: objects of the plate to leave out; {@code reason}: why it was queued.
     */
    record ReplacementValues(
            int retries,
            List<String> failedPrinterIds,
            @Nullable List<String> skipObjects,
            String reason) {}

    /** Returns the id of the replacement; empty if the attempt was already replaced. */
    Optional<String> replace(Tx tx, PrintJob lost, ReplacementValues copy) {
        if (rows.findReplacement(tx, lost.id(), lost.attempt()).isPresent()) {
            return Optional.empty();
        }
        String id = Id.next();
        Change<PrintJob> own = new Change<>();
        PrintJob.OF_ONE_ATTEMPT.forEach(field -> own.set(field, null));
        own.set(PrintJob::id, id);
        own.setColumn("replacesJobId", lost.id());
        own.setColumn("replacesAttempt", lost.attempt());
        own.set(PrintJob::policyReason, copy.reason());
        jobs.insertCopies(tx, new Table.RowCopies<>(toPending(lost, copy), List.of(own)), JobRows.SEQUENCE_COLUMNS);
        return Optional.of(id);
    }

    /** Returns the job as pending at its queue position, without the values of its attempt. */
    private static PrintJob toPending(PrintJob lost, ReplacementValues copy) {
        Instant now = Resources.now();
        return RecordBuilder.copyOf(lost)
                .with(PrintJob::createdAt, now)
                .with(PrintJob::updatedAt, now)
                .with(PrintJob::status, JobStatus.Pending)
                .with(PrintJob::hidden, false)
                .with(PrintJob::allowInsufficientMaterial, false)
                .with(PrintJob::attempt, 1)
                .with(PrintJob::retries, copy.retries())
                .with(PrintJob::failedPrinterIds, copy.failedPrinterIds())
                .with(PrintJob::skippedObjects, List.of())
                .with(PrintJob::extensions, withSkippedObjects(lost.extensions(), copy.skipObjects()))
                .build();
    }

    private static PrintJob.@Nullable Extensions withSkippedObjects(
            PrintJob.@Nullable Extensions extensions, @Nullable List<String> skipObjects) {
        if (extensions == null || skipObjects == null) {
            return extensions;
        }
        PrintJob.Plate plate = extensions.threeMf();
        return new PrintJob.Extensions(new PrintJob.Plate(plate.plateId(), plate.gcodeFile(), skipObjects));
    }
}
