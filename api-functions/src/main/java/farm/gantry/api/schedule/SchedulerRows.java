package farm.gantry.api.schedule;

import farm.gantry.api.database.Tx;
import farm.gantry.job.PrintJob;
import farm.gantry.job.Priority;
import farm.gantry.promise.FarmState;
import farm.gantry.schedule.PlacementPlanner;
import farm.gantry.schedule.Requirement;
import farm.gantry.schedule.SlotFilament;
import farm.gantry.store.StoreSettings;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Runs the scheduler's queries: a fixed number of statements per round, never one per job or printer. */
@Singleton
public final class SchedulerRows {
    private static final String WAITING = " and j.status = 'Pending' and j.priority <= ? order by j.priority, ";
    private static final String BY_PLACE = "j.\"queueOrder\", j.id";
    /**
     * Sort key: the latest start that meets the deadline. A job without a deadline counts as due a week after it was queued, so that none
     * starves.
     */
    private static final String BY_DEADLINE = """
            coalesce((select o.deadline from farm."order" o where o."storeId" = j."storeId" and o.id = j."orderId"),
                     j."createdAt" + interval '7 days') - coalesce(j."estimatedSeconds", 0) * interval '1 second',
            """ + BY_PLACE;

    private final RequirementRows requirements;

    SchedulerRows(RequirementRows requirements) {
        this.requirements = requirements;
    }

    /** Returns whether any job waits for a printer or for its start. */
    public boolean isAnythingWaiting(Tx tx) {
        return tx.one(
                """
                select exists (select from farm."printJob" where "storeId" = ? and status = 'Pending')
                  or exists (select from farm."printJob" where "storeId" = ? and status in ('Slicing', 'Ready-for-printer'))
                  or exists (select from farm."throttleHold" where "storeId" = ?)
                  or exists (select from farm."bedClearing" where "storeId" = ?)""",
                rows -> rows.getBoolean(1),
                tx.store().value(),
                tx.store().value(),
                tx.store().value(),
                tx.store().value());
    }

    /** Returns the ids of the jobs that are ready and wait for their start. */
    public List<String> readyJobs(Tx tx) {
        return tx.texts(
                "select id from farm.\"printJob\" where \"storeId\" = ? and status = 'Ready-for-printer'",
                tx.store().value());
    }

    /** Returns the first jobs that wait for a printer, in the order in which they get one. */
    public List<PlacementPlanner.WaitingJob> waiting(Tx tx, StoreSettings settings, int most) {
        return requirements.read(
                tx,
                SchedulerRows::waiting,
                WAITING + orderByClause(settings) + " limit ?",
                lowestPriority(settings),
                most);
    }

    /** Reads all waiting jobs page by page, as long as {@code next} returns true. */
    public void waiting(Tx tx, StoreSettings settings, int first, Predicate<List<PlacementPlanner.WaitingJob>> next) {
        requirements.readPages(
                tx, SchedulerRows::waiting, first, next, WAITING + orderByClause(settings), lowestPriority(settings));
    }

    private static PlacementPlanner.WaitingJob waiting(RequirementRows.JobRow job, Requirement requirement) {
        return new PlacementPlanner.WaitingJob(job.id(), job.attempt(), requirement);
    }

    /**
     * Returns the first jobs that wait for a printer, in the order in which they get one; {@code seconds} is the assumed duration of
     * a job without an estimate.
     */
    public List<FarmState.QueuedJob> queue(Tx tx, StoreSettings settings, double seconds, int most) {
        return requirements.read(
                tx,
                (job, requirement) -> queued(job, requirement, settings, seconds),
                WAITING + orderByClause(settings) + " limit ?",
                lowestPriority(settings),
                most);
    }

    /** Returns whether more than this number of jobs wait for a printer. */
    public boolean isQueueLongerThan(Tx tx, int count) {
        return tx.one(
                "select exists (select from farm.\"printJob\" where \"storeId\" = ? and status = 'Pending' offset ?)",
                rows -> rows.getBoolean(1),
                tx.store().value(),
                count);
    }

    /** Returns these jobs as if they waited for a printer; {@code seconds} as in {@link #queue}. */
    public List<FarmState.QueuedJob> jobs(Tx tx, StoreSettings settings, double seconds, Collection<String> jobIds) {
        return requirements.read(
                tx,
                (job, requirement) -> queued(job, requirement, settings, seconds),
                " and j.id = any(?) order by j.id",
                (Object) jobIds.toArray(String[]::new));
    }

    private static FarmState.QueuedJob queued(
            RequirementRows.JobRow job, Requirement requirement, StoreSettings settings, double seconds) {
        return new FarmState.QueuedJob(
                job.id(),
                requirement,
                job.estimatedSeconds() > 0 ? job.estimatedSeconds() : seconds,
                job.processProfileId(),
                job.priority(),
                Math.max(0, settings.maxRetriesOf(job.isOfOrder()) - job.retries()),
                job.isOfOrder());
    }

    private static String orderByClause(StoreSettings settings) {
        return settings.deadlineFirst() ? BY_DEADLINE : BY_PLACE;
    }

    private static int lowestPriority(StoreSettings settings) {
        return settings.processLowPriorityJobs() ? Integer.MAX_VALUE : Priority.NORMAL;
    }

    /** Returns the requirements by job id. */
    public Map<String, Requirement> requirements(Tx tx, Collection<String> jobIds) {
        Map<String, Requirement> byJob = new HashMap<>();
        requirements.read(tx, (job, requirement) -> byJob.put(job.id(), requirement), " and j.id = any(?)", (Object)
                jobIds.toArray(String[]::new));
        return byJob;
    }

    /** Returns the filament that people assigned to slots, by printer id. A slot that they emptied has an unknown filament. */
    public Map<String, List<SlotFilament>> filaments(Tx tx) {
        return tx.group(
                """
                select s."printerId", s."amsIndex", s."slotIndex", s."variantId", s."materialId", s."materialType",
                  coalesce(v."filamentUserProfileId", v."filamentSystemProfileId"::text, m."filamentUserProfileId",
                           m."filamentSystemProfileId"::text) is not null
                from farm."printerSlot" s
                left join farm."materialVariant" v on v."storeId" = s."storeId" and v.id = s."variantId"
                left join farm.material m on m."storeId" = s."storeId" and m.id = s."materialId"
                where s."storeId" = ? order by s."amsIndex", s."slotIndex\"""",
                rows -> new SlotFilament(
                        new PrintJob.Slot(rows.getInt(2), rows.getInt(3)),
                        rows.getString(4),
                        rows.getString(5),
                        rows.getString(6),
                        rows.getBoolean(7)),
                tx.store().value());
    }

    /** Material group → its variants. */
    public Map<String, Set<String>> groups(Tx tx) {
        return tx.query(
                "select \"groupId\", \"variantId\" from farm.\"materialGroupMember\" where \"storeId\" = ?",
                rows -> {
                    Map<String, Set<String>> groups = new HashMap<>();
                    while (rows.next()) {
                        groups.computeIfAbsent(rows.getString(1), _ -> new HashSet<>())
                                .add(rows.getString(2));
                    }
                    return groups;
                },
                tx.store().value());
    }

    /** Reads the names of the materials of printers' filaments and jobs' requirements, and of throttle groups. */
    public Map<String, String> names(Tx tx) {
        return tx.map(
                """
                select id, name from farm.material where "storeId" = ? union all
                select v.id, m.name || ' ' || v.name from farm."materialVariant" v join farm.material m
                  on m."storeId" = v."storeId" and m.id = v."materialId" where v."storeId" = ? union all
                select id, name from farm."materialGroup" where "storeId" = ? union all
                select id, name from farm."printerThrottleGroup" where "storeId" = ?""",
                rows -> rows.getString(2),
                tx.store().value(),
                tx.store().value(),
                tx.store().value(),
                tx.store().value());
    }
}
