package farm.gantry.api.job.lifecycle;

import farm.gantry.Field;
import farm.gantry.api.database.Change;
import farm.gantry.api.resource.Resources;
import farm.gantry.builds.PartBuild;
import farm.gantry.builds.SkuBuild;
import java.time.Instant;

/** The fields that follow the status of a build, which builds of parts and of SKUs have alike. */
record BuildStatusFields<R>(Field<R> status, Field<R> startedAt, Field<R> completedAt, Field<R> cancelledAt) {
    static final BuildStatusFields<PartBuild> OF_PARTS =
            new BuildStatusFields<>(PartBuild::status, PartBuild::startedAt, PartBuild::completedAt, PartBuild::cancelledAt);
    static final BuildStatusFields<SkuBuild> OF_SKUS =
            new BuildStatusFields<>(SkuBuild::status, SkuBuild::startedAt, SkuBuild::completedAt, SkuBuild::cancelledAt);

    /** Returns the change to a status; {@code started}: printing had already begun. */
    Change<R> change(PartBuild.Status reached, boolean started) {
        Instant now = Resources.now();
        boolean isOver = reached == PartBuild.Status.success || reached == PartBuild.Status.error;
        Change<R> change = new Change<R>()
                .set(status, reached)
                .set(completedAt, isOver ? now : null)
                .set(cancelledAt, reached == PartBuild.Status.cancelled ? now : null);
        return !started && reached == PartBuild.Status.printing ? change.set(startedAt, now) : change;
    }
}
