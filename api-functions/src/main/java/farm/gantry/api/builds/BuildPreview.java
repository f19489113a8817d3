package farm.gantry.api.builds;

import com.fasterxml.jackson.annotation.JsonInclude;
import farm.gantry.builds.BuildPlan;
import farm.gantry.builds.PartPlan;
import farm.gantry.builds.PlannedJob;
import farm.gantry.material.Assignment;
import farm.gantry.promise.Promise;
import farm.gantry.sequence.SerialNumberAllocator;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The part builds that a build would queue, including those of SKUs, with the jobs of each. */
@Serdeable
record BuildPreview(List<PartPreview> partBuilds, Summary summary) {

    /** The requested item: the part itself, or a SKU. */
    @Serdeable
    enum Source {
        part,
        sku
    }

    /** {@code parameters} are what all copies would be printed with beside the part's own. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record PartPreview(
            Source source,
            String partId,
            String partName,
            @Nullable String partThumbnailUri,
            @Nullable String label,
            int quantity,
            @Nullable String sku,
            @Nullable Map<String, List<Assignment>> materials,
            @Nullable Map<String, Integer> plateQuantities,
            Map<String, Object> parameters,
            List<JobPreview> jobs) {}

    /** {@code serials} are what would be drawn from sequences for this copy, if nobody draws before. */
    @Serdeable
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record JobPreview(
            @Nullable String label,
            int quantityIndex,
            int quantityTotal,
            @Nullable Integer plateId,
            @Nullable String plateName,
            @Nullable String thumbnailUri,
            Map<String, Object> serials) {}

    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Summary(
            int partBuildCount,
            int skuBuildCount,
            int jobCount,
            @Nullable Instant promisedAt,
            @Nullable Instant promisedBy) {}

    /** {@code promise} is none where nobody asks for one. */
    static BuildPreview of(List<BuildPlan> plans, SerialNumberAllocator draws, Promise promise) {
        List<PartPreview> parts = new ArrayList<>();
        for (BuildPlan plan : plans) {
            List<PlannedJob> jobs = plan.jobs(draws);
            IntStream.range(0, plan.parts().size())
                    .mapToObj(i -> part(
                            plan,
                            plan.parts().get(i),
                            jobs.stream().filter(job -> job.part() == i).toList()))
                    .forEach(parts::add);
        }
        return new BuildPreview(
                parts,
                new Summary(
                        parts.size(),
                        (int) plans.stream().filter(plan -> plan.sku() != null).count(),
                        (int) plans.stream().mapToLong(BuildPlan::jobCount).sum(),
                        promise.promisedAt(),
                        promise.promisedBy()));
    }

    private static PartPreview part(BuildPlan build, PartPlan plan, List<PlannedJob> jobs) {
        return new PartPreview(
                build.sku() == null ? Source.part : Source.sku,
                plan.part().id(),
                plan.part().name(),
                plan.part().thumbnailUri(),
                plan.label(),
                plan.quantity(),
                build.sku() == null ? null : build.sku().sku(),
                plan.materials().isEmpty() ? null : plan.materials(),
                plan.plateQuantities(),
                plan.parameters(),
                jobs.stream()
                        .map(job -> new JobPreview(
                                plan.label(job.plate()),
                                job.quantityIndex(),
                                plan.quantity(),
                                job.plate().plateId(),
                                job.plate().plateName(),
                                job.plate().thumbnailUri(),
                                job.serials()))
                        .toList());
    }
}
