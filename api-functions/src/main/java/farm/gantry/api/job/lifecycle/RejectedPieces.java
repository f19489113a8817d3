package farm.gantry.api.job.lifecycle;

import farm.gantry.api.database.Change;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.builds.PartBuild;
import farm.gantry.job.PrintJob;
import farm.gantry.part.PartMetadata;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Queues rejected pieces of a completed print again: at the same queue position, once for each attempt. If the file
 * lists the objects of its plate and the lost ones are known, the others are left out.
 */
@Singleton
final class RejectedPieces {
    private final Table<PrintJob> jobs;
    private final Table<PartBuild> builds;
    private final OrderProgress progress;
    private final JobReplacement replacement;
    private final FailurePolicies policies;
    private final JobFileCheck files;

    RejectedPieces(
            Tables tables,
            OrderProgress progress,
            JobReplacement replacement,
            FailurePolicies policies,
            JobFileCheck files) {
        this.jobs = tables.of(PrintJob.class);
        this.builds = tables.of(PartBuild.class);
        this.progress = progress;
        this.replacement = replacement;
        this.policies = policies;
        this.files = files;
    }

    /** A judgement of a print; {@code good} is null if the number of pieces is unknown. */
    record QualityJudgement(
            @Nullable Integer good, int rejected, @Nullable String reason, List<String> objects) {}

    /** Counts objects that were skipped while printing as rejected. */
    void rejectSkipped(Tx tx, PrintJob completed) {
        List<String> skipped = completed.skippedObjects();
        if (!skipped.isEmpty()) {
            List<Set<String>> printed = findPrintedObjects(tx, completed);
            Integer good = printed.isEmpty() ? null : Math.max(0, printed.size() - skipped.size());
            reject(tx, completed, new QualityJudgement(good, skipped.size(), "Skipped while printing.", skipped));
        }
    }

    /** Records the judgement of a completed job and queues its rejected pieces; the order must be locked. */
    void reject(Tx tx, PrintJob completed, QualityJudgement judgement) {
        recordJudgement(tx, completed, judgement);
        PrintJob rejected = jobs.find(tx, completed.id()).orElseThrow();
        if (completed.orderId() != null) {
            progress.reopenUnlessCancelled(tx, completed.orderId());
        }
        if (progress.isLacking(tx, rejected)) {
            if (files.filesExist(tx, rejected)) {
                queueReplacement(tx, rejected, judgement);
            } else {
                policies.appendNotes(tx, rejected, List.of("It is not printed again because its file was deleted."));
            }
        }
        if (judgement.good() != null && judgement.good() == 0) {
            policies.onRejected(tx, rejected);
        }
    }

    void recordJudgement(Tx tx, PrintJob completed, QualityJudgement judgement) {
        Change<PrintJob> judged = new Change<PrintJob>()
                .set(PrintJob::good, judgement.good())
                .set(PrintJob::rejected, judgement.rejected())
                .set(PrintJob::qualityReason, judgement.reason());
        jobs.change(tx, completed.id(), judged);
    }

    private void queueReplacement(Tx tx, PrintJob rejected, QualityJudgement judgement) {
        String reason = "Replaces job " + rejected.id() + ", of which " + judgement.rejected()
                + (judgement.rejected() == 1 ? " piece was" : " pieces were") + " rejected"
                + (judgement.reason() == null ? "." : ": " + judgement.reason());
        replacement
                .replace(
                        tx,
                        rejected,
                        new JobReplacement.ReplacementValues(
                                rejected.retries(),
                                rejected.failedPrinterIds(),
                                objectsToSkip(rejected, findPrintedObjects(tx, rejected), judgement.objects()),
                                reason))
                .ifPresent(
                        id -> policies.appendNotes(tx, rejected, List.of("Job " + id + " prints the rejected pieces again.")));
    }

    /** Returns the objects to leave out so that only the lost ones are printed; null if unknown. */
    private static @Nullable List<String> objectsToSkip(PrintJob job, List<Set<String>> printed, List<String> lost) {
        List<Set<String>> judgement = printed.stream()
                .filter(object -> lost.stream().anyMatch(object::contains))
                .toList();
        if (lost.isEmpty() || judgement.size() != lost.size()) {
            return null;
        }
        return Stream.concat(
                        skippedObjects(job).stream(),
                        printed.stream()
                                .filter(object -> !judgement.contains(object))
                                .map(object -> object.iterator().next()))
                .toList();
    }

    private static Collection<String> skippedObjects(PrintJob job) {
        PrintJob.Extensions extensions = job.extensions();
        List<String> skipped = extensions == null ? null : extensions.threeMf().skipObjects();
        return skipped == null ? List.of() : skipped;
    }

    /**
     * Returns the number and name of each object that the job prints, number first; empty if the file does not list
     * them.
     */
    private List<Set<String>> findPrintedObjects(Tx tx, PrintJob job) {
        PartMetadata metadata =
                builds.find(tx, job.partBuildId()).orElseThrow().partCopy().metadata();
        PrintJob.Extensions extensions = job.extensions();
        if (metadata == null || metadata.plates() == null || extensions == null) {
            return List.of();
        }
        return metadata.plates().stream()
                .filter(plate -> plate.id() == extensions.threeMf().plateId())
                .flatMap(plate -> Stream.ofNullable(plate.sliced()))
                .flatMap(sliced -> Stream.ofNullable(sliced.objects()))
                .flatMap(List::stream)
                .map(RejectedPieces::numberAndName)
                .filter(names -> !names.isEmpty() && skippedObjects(job).stream().noneMatch(names::contains))
                .toList();
    }

    private static Set<String> numberAndName(Map<String, Object> object) {
        Set<String> names = new LinkedHashSet<>();
        Stream.of("identify_id", "name")
                .map(object::get)
                .flatMap(Stream::ofNullable)
                .map(String::valueOf)
                .forEach(names::add);
        return names;
    }
}
