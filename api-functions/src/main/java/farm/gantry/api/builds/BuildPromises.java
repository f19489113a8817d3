package farm.gantry.api.builds;

import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.promise.FarmStateLoader;
import farm.gantry.api.resource.Resources;
import farm.gantry.builds.BuildPlan;
import farm.gantry.builds.PartPlan;
import farm.gantry.builds.PlannedJob;
import farm.gantry.builds.PlatePlan;
import farm.gantry.promise.FarmState;
import farm.gantry.promise.Promise;
import farm.gantry.promise.PromisePlanner;
import farm.gantry.sequence.SerialNumberAllocator;
import farm.gantry.store.StoreSettings;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Estimates when builds would be finished that are not queued. */
@Singleton
final class BuildPromises {
    /** The maximum length of a queue that is simulated while a slicer waits for its answer. */
    private static final int MAX_JOBS_TO_WAIT_FOR = 5_000;

    private final FarmStateLoader farms;
    private final BuildCreator creator;
    private final Table<StoreSettings> settings;

    BuildPromises(FarmStateLoader farms, BuildCreator creator, Tables tables) {
        this.farms = farms;
        this.creator = creator;
        this.settings = tables.of(StoreSettings.class);
    }

    /** The state of the farm with the builds added to its queue, and the ids of their jobs by part, in the order of the plans. */
    record FarmWithBuilds(FarmState farm, List<PartJobs> parts) {
        private List<String> jobIds() {
            return parts.stream().flatMap(part -> part.jobIds().stream()).toList();
        }
    }

    /** The simulated jobs of a part. */
    record PartJobs(PartPlan part, List<String> jobIds) {}

    /** Returns the estimate of when the last job of all plans would be finished; none if too many jobs wait to estimate all. */
    Promise promiseAll(Tx tx, List<BuildPlan> plans) {
        FarmState farm = farms.load(tx, Resources.now());
        if (!farms.isComplete(farm)) {
            return Promise.NONE;
        }
        FarmWithBuilds queued = queue(tx, farm, plans);
        return new PromisePlanner(queued.farm()).promiseAll(queued.jobIds());
    }

    /**
     * Returns a simulation of when the builds are finished, which is to be run outside of any transaction, because it may take
     * seconds. It has no result if no printer can print them now, or if more than {@link #MAX_JOBS_TO_WAIT_FOR} jobs wait.
     */
    Supplier<Optional<LikelyFinish>> prepareFinish(Tx tx, List<BuildPlan> plans) {
        FarmState farm = farms.load(tx, Resources.now());
        if (!farms.isComplete(farm) || farm.queue().size() > MAX_JOBS_TO_WAIT_FOR) {
            return Optional::empty;
        }
        FarmWithBuilds queued = queue(tx, farm, plans);
        return () -> finish(queued);
    }

    private static Optional<LikelyFinish> finish(FarmWithBuilds queued) {
        PromisePlanner planner = new PromisePlanner(queued.farm());
        List<String> jobs = queued.jobIds();
        Instant end = planner.promiseAll(jobs).promisedAt();
        return end == null
                ? Optional.empty()
                : planner.likelyPrinter(jobs.getLast())
                        .map(printer ->
                                new LikelyFinish(end.atZone(queued.farm().zone()), printer));
    }

    /** Returns the farm with the builds added to its queue. */
    FarmWithBuilds queue(Tx tx, FarmState farm, List<BuildPlan> plans) {
        List<FarmState.QueuedJob> queue = new ArrayList<>(farm.queue());
        List<PartJobs> parts = new ArrayList<>();
        SerialNumberAllocator draws = creator.lockSequences(tx, plans);
        StoreSettings store = settings.find(tx, tx.store().value()).orElseThrow();
        for (BuildPlan plan : plans) {
            List<PartJobs> ofPlan = plan.parts().stream()
                    .map(part -> new PartJobs(part, new ArrayList<>()))
                    .toList();
            List<FarmState.QueuedJob> jobs = new ArrayList<>();
            for (PlannedJob job : plan.jobs(draws)) {
                String id = "build " + (parts.size() + job.part()) + " " + jobs.size();
                ofPlan.get(job.part()).jobIds().add(id);
                jobs.add(job(id, plan, ofPlan.get(job.part()).part(), job.plate(), store));
            }
            queue.addAll(queueIndex(queue, plan), jobs);
            parts.addAll(ofPlan);
        }
        return new FarmWithBuilds(farm.withQueue(List.copyOf(queue)), parts);
    }

    private static FarmState.QueuedJob job(
            String id, BuildPlan plan, PartPlan part, PlatePlan plate, StoreSettings store) {
        return new FarmState.QueuedJob(
                id,
                part.requirement(plate),
                plate.estimate().seconds() == null
                        ? FarmStateLoader.UNKNOWN_SECONDS
                        : plate.estimate().seconds(),
                part.part().overriddenProcessProfileId(),
                plan.priority(),
                store.maxRetriesOf(plan.orderItemId() != null),
                true);
    }

    private static int queueIndex(List<FarmState.QueuedJob> queue, BuildPlan plan) {
        return IntStream.range(0, queue.size())
                .filter(i -> plan.front()
                        ? queue.get(i).priority() >= plan.priority()
                        : queue.get(i).priority() > plan.priority())
                .findFirst()
                .orElse(queue.size());
    }
}
