package farm.gantry.api.job.lifecycle;

import farm.gantry.api.database.Tx;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** Returns ended jobs to the queue if their files exist and no other job makes their pieces. */
@Singleton
public final class JobRetry {
    private final JobFileCheck files;
    private final OrderProgress orders;
    private final JobTransitions transitions;

    JobRetry(JobFileCheck files, OrderProgress orders, JobTransitions transitions) {
        this.files = files;
        this.orders = orders;
        this.transitions = transitions;
    }

    /** Retries locked jobs as if one after another; returns the ids of those that were queued. */
    public List<String> retry(Tx tx, List<PrintJob> jobs) {
        Set<String> retried = new HashSet<>();
        List<PrintJob> over = jobs.stream()
                .filter(job -> job.status().after(JobStatus.Transition.RETRY).isPresent())
                .toList();
        for (List<PrintJob> independent : rounds(over)) {
            transitions
                    .retry(tx, orders.findLacking(tx, files.withExistingFiles(tx, independent)))
                    .forEach(job -> retried.add(job.id()));
        }
        return jobs.stream().map(PrintJob::id).filter(retried::contains).toList();
    }

    /**
     * Splits the jobs into rounds. Jobs of order items are in one round, because they are counted together. A job that
     * another of them replaces, or that replaces another, is in a later or earlier round, because the outcome of one
     * decides about the other.
     */
    private static List<List<PrintJob>> rounds(List<PrintJob> jobs) {
        List<List<PrintJob>> rounds = new ArrayList<>();
        Map<String, Integer> taken = new HashMap<>();
        for (PrintJob job : jobs) {
            List<String> bearing = job.orderItemId() != null
                    ? List.of()
                    : Stream.of(job.id(), job.replacesJobId())
                            .filter(Objects::nonNull)
                            .toList();
            int round = bearing.stream()
                    .mapToInt(id -> taken.getOrDefault(id, 0))
                    .max()
                    .orElse(0);
            bearing.forEach(id -> taken.put(id, round + 1));
            if (round == rounds.size()) {
                rounds.add(new ArrayList<>());
            }
            rounds.get(round).add(job);
        }
        return rounds;
    }
}
