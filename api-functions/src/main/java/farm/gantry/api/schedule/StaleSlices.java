package farm.gantry.api.schedule;

import farm.gantry.api.profile.ProfileChanges;
import farm.gantry.api.store.SliceRows;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
import farm.gantry.job.PrintJob;
import farm.gantry.store.StoreSettings;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;

/**
 * Jobs that are sliced with other settings than those of now, since a profile was edited or another was chosen: those that were
 * not sent to their printers return to the queue, and are sliced anew.
 */
@Singleton
final class StaleSlices implements ProfileChanges {
    private final Table<PrintJob> jobs;
    private final Table<StoreSettings> stores;
    private final SliceRows rows;
    private final SliceSetups setups;
    private final WithdrawnStarts starts;
    private final Scheduler scheduler;

    StaleSlices(Tables tables, SliceRows rows, SliceSetups setups, WithdrawnStarts starts, Scheduler scheduler) {
        this.jobs = tables.of(PrintJob.class);
        this.stores = tables.of(StoreSettings.class);
        this.rows = rows;
        this.setups = setups;
        this.starts = starts;
        this.scheduler = scheduler;
    }

    @Override
    public void follow(Tx tx) {
        rows.lockExclusive(tx);
        Map<String, String> asked = rows.setupDigests(tx);
        if (asked.isEmpty()) {
            return;
        }
        StoreSettings store = stores.find(tx, tx.store().value()).orElseThrow();
        Map<String, PrintJob> sliced = jobs.findAll(tx, asked.keySet());
        Map<String, String> digests = setups.digests(tx, store, sliced.values());
        List<PrintJob> stale = sliced.values().stream()
                .filter(job -> !digests.getOrDefault(job.id(), "").equals(asked.get(job.id())))
                .toList();
        if (!stale.isEmpty()) {
            starts.unassignNotSent(tx, stale);
            tx.afterCommit(() -> scheduler.trigger(tx.store()));
        }
    }
}
