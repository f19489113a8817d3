package farm.gantry.api.job.lifecycle;

import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.builds.PartBuild;
import farm.gantry.job.PrintJob;
import farm.gantry.part.PartMetadata;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Has the rejected pieces of a completed print made again: at its place in the queue, and once for each attempt. Where its file
 * tells the objects of its plate, and it is known which are lost, the others are left out.
 */
@Singleton
final class Rejections {
    private final Table<PrintJob> jobs;
    private final Table<PartBuild> builds;
    private final OrderProgress progress;
    private final JobReplacement replacement;
    private final FailurePolicies policies;
    private final JobFiles files;

    Rejections(
            Tables tables,
            OrderProgress progress,
            JobReplacement replacement,
            FailurePolicies policies,
            JobFiles files) {
        this.jobs = tables.of(PrintJob.class);
        this.builds = tables.of(PartBuild.class);
        this.progress = progress;
        this.replacement = replacement;
        this.policies = policies;
        this.files = files;
    }

    /** What was found of a print; {@code good} is null where nobody knows how many pieces it has. */
    record Found(
            @Nullable Integer good, int rejected, @Nullable String reason, List<String> objects) {}

    /** Takes the objects that were left out while it printed as rejected. */
    void rejectSkipped(Tx tx, PrintJob completed) {
        List<String> skipped = completed.skippedObjects();
        if (!skipped.isEmpty()) {
            List<Set<String>> printed = objects(tx, completed);
            Integer good = printed.isEmpty() ? null : Math.max(0, printed.size() - skipped.size());
            reject(tx, completed, new Found(good, skipped.size(), "Left out while it printed.", skipped));
        }
    }

    /** Notes what was found of a completed job, whose order is locked, and has what is rejected made again. */
    void reject(Tx tx, PrintJob completed, Found found) {
        note(tx, completed, found);
        PrintJob rejected = jobs.find(tx, completed.id()).orElseThrow();
        if (completed.orderId() != null) {
            progress.reopenUnlessCancelled(tx, completed.orderId());
        }
        if (progress.isLacking(tx, rejected)) {
            if (files.areKept(tx, rejected)) {
                replace(tx, rejected, found);
            } else {
                policies.note(tx, rejected, List.of("It is not made again: its file is gone."));
            }
        }
        if (found.good() != null && found.good() == 0) {
            policies.onRejected(tx, rejected);
        }
    }

    void note(Tx tx, PrintJob completed, Found found) {
        Map<String, @Nullable Object> changes = new HashMap<>();
        changes.put("good", found.good());
        changes.put("rejected", found.rejected());
        changes.put("qualityReason", found.reason());
        jobs.change(tx, completed.id(), Map.of(), changes);
    }

    private void replace(Tx tx, PrintJob rejected, Found found) {
        String reason = "Takes the place of job " + rejected.id() + ", of which " + found.rejected()
                + (found.rejected() == 1 ? " piece was" : " pieces were") + " rejected"
                + (found.reason() == null ? "." : ": " + found.reason());
        replacement
                .replace(
                        tx,
                        rejected,
                        new JobReplacement.Copy(
                                rejected.retries(),
                                rejected.failedPrinterIds(),
                                others(rejected, objects(tx, rejected), found.objects()),
                                reason))
                .ifPresent(
                        id -> policies.note(tx, rejected, List.of("Job " + id + " makes the rejected pieces again.")));
    }

    /** What the job's plate is to leave out so that only the lost objects are printed; null where that cannot be told. */
    private static @Nullable List<String> others(PrintJob job, List<Set<String>> printed, List<String> lost) {
        List<Set<String>> found = printed.stream()
                .filter(object -> lost.stream().anyMatch(object::contains))
                .toList();
        if (lost.isEmpty() || found.size() != lost.size()) {
            return null;
        }
        return Stream.concat(
                        skipped(job).stream(),
                        printed.stream()
                                .filter(object -> !found.contains(object))
                                .map(object -> object.iterator().next()))
                .toList();
    }

    private static Collection<String> skipped(PrintJob job) {
        PrintJob.Extensions extensions = job.extensions();
        List<String> skipped = extensions == null ? null : extensions.threeMf().skipObjects();
        return skipped == null ? List.of() : skipped;
    }

    /** The number and name of each object that the job prints, the number first; empty where its file does not tell. */
    private List<Set<String>> objects(Tx tx, PrintJob job) {
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
                .map(Rejections::names)
                .filter(names -> !names.isEmpty() && skipped(job).stream().noneMatch(names::contains))
                .toList();
    }

    private static Set<String> names(Map<String, Object> object) {
        Set<String> names = new LinkedHashSet<>();
        Stream.of("identify_id", "name")
                .map(object::get)
                .flatMap(Stream::ofNullable)
                .map(String::valueOf)
                .forEach(names::add);
        return names;
    }
}
