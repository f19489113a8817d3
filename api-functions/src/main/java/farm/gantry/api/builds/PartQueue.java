package farm.gantry.api.builds;

import farm.gantry.api.database.Tx;
import farm.gantry.api.schedule.Scheduler;
import farm.gantry.builds.BuildPlan;
import farm.gantry.part.PrintTags;
import jakarta.inject.Singleton;
import java.util.List;

/** Queues single copies of parts. */
@Singleton
public final class PartQueue {
    private static final int PRIORITY = 100;

    private final BuildPlanner planner;
    private final BuildCreator creator;
    private final Scheduler scheduler;

    PartQueue(BuildPlanner planner, BuildCreator creator, Scheduler scheduler) {
        this.planner = planner;
        this.creator = creator;
        this.scheduler = scheduler;
    }

    /** Queues one copy of a part for printers with these tags; 409 if the part is not ready. */
    public void queue(Tx tx, String partId, PrintTags tags) {
        BuildRequest.RequestedPart copy =
                new BuildRequest.RequestedPart(partId, 1, PRIORITY, null, null, null, tags, null, null);
        List<BuildPlan> plans = planner.plan(tx, BuildRequest.of(List.of(copy), List.of()));
        creator.create(tx, plans);
        tx.onceAfterCommit(this, () -> scheduler.trigger(tx.store()));
    }
}
