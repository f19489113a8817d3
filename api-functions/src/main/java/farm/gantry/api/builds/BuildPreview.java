package farm.gantry.api.builds;

import com.fasterxml.jackson.annotation.JsonInclude;
import farm.gantry.builds.Lot;
import farm.gantry.builds.Plan;
import farm.gantry.material.Assignment;
import farm.gantry.sequence.Draws;
import io.micronaut.serde.annotation.Serdeable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What a build would queue: its part builds, those of SKUs among them, with the jobs of each. */
@Serdeable
record BuildPreview(List<PartPreview> partBuilds, Summary summary) {

    /** What wished for it: the part itself, or a SKU. */
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
    record Summary(int partBuildCount, int skuBuildCount, int jobCount) {}

    static BuildPreview of(List<Lot> lots, Draws draws) {
        List<PartPreview> parts = new ArrayList<>();
        for (Lot lot : lots) {
            List<Lot.Printed> jobs = lot.jobs(draws);
            IntStream.range(0, lot.plans().size())
                    .mapToObj(i -> part(
                            lot,
                            lot.plans().get(i),
                            jobs.stream().filter(job -> job.plan() == i).toList()))
                    .forEach(parts::add);
        }
        return new BuildPreview(
                parts,
                new Summary(
                        parts.size(),
                        (int) lots.stream().filter(lot -> lot.sku() != null).count(),
                        (int) lots.stream().mapToLong(Lot::jobCount).sum()));
    }

    private static PartPreview part(Lot lot, Plan plan, List<Lot.Printed> jobs) {
        return new PartPreview(
                lot.sku() == null ? Source.part : Source.sku,
                plan.part().id(),
                plan.part().name(),
                plan.part().thumbnailUri(),
                plan.label(),
                plan.quantity(),
                lot.sku() == null ? null : lot.sku().sku(),
                plan.materials().isEmpty() ? null : plan.materials(),
                plan.plateQuantities(),
                plan.parameters(),
                jobs.stream()
                        .map(job -> new JobPreview(
                                plan.label(job.copy().sheet()),
                                job.copy().quantityIndex(),
                                plan.quantity(),
                                job.copy().sheet().plateId(),
                                job.copy().sheet().plateName(),
                                job.copy().sheet().thumbnailUri(),
                                job.serials()))
                        .toList());
    }
}
