package farm.gantry.api.schedule;

import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.job.slicing.SliceSetups;
import farm.gantry.api.profile.ProfileChangeListener;
import farm.gantry.api.queue.SliceRows;
import farm.gantry.job.PrintJob;
import farm.gantry.store.StoreSettings;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;

/**
 * Returns jobs to the queue that were sliced with outdated settings, because a profile was edited or another one chosen, and
 * that were not sent to their printers yet; they are sliced again.
 */
@Singleton
final class StaleSliceHandler implements ProfileChangeListener {
    private final Table<PrintJob> jobs;
    private final Table<StoreSettings> stores;
    private final SliceRows rows;
    private final SliceSetups setups;
    private final StartWithdrawal starts;
    private final Scheduler scheduler;

    StaleSliceHandler(Tables tables, SliceRows rows, SliceSetups setups, StartWithdrawal starts, Scheduler scheduler) {
        this.jobs = tables.of(PrintJob.class);
        this.stores = tables.of(StoreSettings.class);
        this.rows = rows;
        this.setups = setups;
        this.starts = starts;
        this.scheduler = scheduler;
    }

    @Override
    public void onChange(Tx tx, Map<String, List<PrintJob.Slot>> places) {
        rows.lockExclusive(tx);
        Map<String, String> digests = rows.setupDigests(tx);
        List<PrintJob> stale = digests.isEmpty() ? List.of() : findStale(tx, digests);
        starts.unassign(tx, stale, places);
        if (!stale.isEmpty()) {
            tx.afterCommit(() -> scheduler.trigger(tx.store()));
        }
    }

    private List<PrintJob> findStale(Tx tx, Map<String, String> digests) {
        StoreSettings store = stores.find(tx, tx.store().value()).orElseThrow();
        Map<String, PrintJob> jobsById = jobs.findAll(tx, digests.keySet());
        Map<String, SliceSetups.PartSliceSetup> sliced = setups.findSetups(tx, store, jobsById.values());
        return jobsById.values().stream()
                .filter(job -> {
                    SliceSetups.PartSliceSetup each = sliced.get(job.id());
                    return each == null || !setups.digest(each.setup()).equals(digests.get(job.id()));
                })
                .toList();
    }
}
