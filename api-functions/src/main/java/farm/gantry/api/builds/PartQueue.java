package farm.gantry.api.builds;

import farm.gantry.api.database.Tx;
import farm.gantry.api.schedule.Scheduler;
import farm.gantry.builds.BuildPlan;
import farm.gantry.part.PrintTags;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Queues single copies of parts. */
@Singleton
public final class PartQueue {
    private static final int PRIORITY = 100;

    private final BuildPlanner planner;
    private final BuildCreator creator;
    private final BuildPromises promises;
    private final Scheduler scheduler;

    PartQueue(BuildPlanner planner, BuildCreator creator, BuildPromises promises, Scheduler scheduler) {
        this.planner = planner;
        this.creator = creator;
        this.promises = promises;
        this.scheduler = scheduler;
    }

    /** Queues one copy of a part for printers with these tags; 409 if the part is not ready. */
    public void queue(Tx tx, String partId, PrintTags tags) {
        create(tx, plan(tx, partId, tags));
    }

    /**
     * Queues one copy as {@link #queue} does. Returns a simulation of when it is finished, which is to be run outside of any
     * transaction, because it may take seconds.
     */
    public Supplier<Optional<LikelyFinish>> queueAndEstimate(Tx tx, String partId, PrintTags tags) {
        List<BuildPlan> plans = plan(tx, partId, tags);
        Supplier<Optional<LikelyFinish>> finish = promises.prepareFinish(tx, plans);
        create(tx, plans);
        return finish;
    }

    private List<BuildPlan> plan(Tx tx, String partId, PrintTags tags) {
        BuildRequest.RequestedPart copy =
                new BuildRequest.RequestedPart(partId, 1, PRIORITY, null, null, null, tags, null, null);
        return planner.plan(tx, BuildRequest.of(List.of(copy), List.of()));
    }

    private void create(Tx tx, List<BuildPlan> plans) {
        creator.create(tx, plans);
        tx.onceAfterCommit(this, () -> scheduler.trigger(tx.store()));
    }
}
