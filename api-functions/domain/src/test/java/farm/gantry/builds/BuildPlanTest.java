package farm.gantry.builds;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.part.Part;
import farm.gantry.part.PartMetadata;
import farm.gantry.part.PartParameter;
import farm.gantry.part.PrintTags;
import farm.gantry.sequence.SerialNumberAllocator;
import farm.gantry.sequence.Sequence;
import farm.gantry.sku.LinkedPart;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the number of planned jobs, instances × copies × plates, with random SKUs. */
class BuildPlanTest {
    private static final Instant NOW = Instant.EPOCH;

    static IntStream seeds() {
        return IntStream.range(0, 200);
    }

    private static Part part(int plates) {
        List<PartMetadata.Plate> all = IntStream.rangeClosed(1, plates)
                .mapToObj(id -> new PartMetadata.Plate(
                        id, null, null, null, null, null, null, "g" + id, null, null, null, null, null, null, null,
                        null, null, null, null, null, null))
                .toList();
        PartMetadata metadata = new PartMetadata(
                List.of(),
                List.of(),
                null,
                null,
                null,
                "",
                "",
                new PartMetadata.ProfileCompat(List.of(), List.of(), ""),
                null,
                null,
                all,
                null);
        PartParameter serial = new PartParameter(
                "serial",
                PartParameter.Type.string,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                PartParameter.SerialReuse.increment,
                null,
                null);
        return new Part(
                "part",
                "store",
                NOW,
                NOW,
                "part",
                Part.Type.gcode3mf,
                "",
                List.of("files:a"),
                List.of("hash"),
                null,
                List.of(serial),
                new PrintTags(null, null, null, null, null, null),
                null,
                null,
                null,
                null,
                metadata,
                null,
                false,
                true,
                List.of(),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                Map.of(),
                null,
                null,
                null,
                null,
                null);
    }

    private static LinkedPart linkedPart(String id, int quantity, @Nullable Map<String, Integer> plates) {
        return new LinkedPart(
                id,
                "store",
                NOW,
                NOW,
                "sku",
                "part",
                id,
                quantity,
                List.of(),
                List.of(),
                null,
                null,
                Map.of("serial", "serials"),
                null,
                plates == null ? null : new LinkedPart.Extensions(new LinkedPart.ThreeMf(plates, null, null)));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void eachPlateOfEachCopyIsPlannedOnceWithItsOwnSerialNumber(int seed) {
        Random chance = new Random(seed);
        int instances = 1 + chance.nextInt(4);
        Sequence sequence = new Sequence("sequence", "store", NOW, NOW, "serials", "", 1, 1, 0);
        List<PartPlan> plans = new ArrayList<>();
        int expected = 0;
        int copies = 0;
        for (int i = 0; i < 1 + chance.nextInt(3); i++) {
            int plates = 1 + chance.nextInt(3);
            int quantity = 1 + chance.nextInt(3);
            int ofFirst = chance.nextInt(4);
            boolean named = chance.nextBoolean();
            plans.add(PartPlanner.planLinkedPart(
                    part(plates),
                    linkedPart("linked" + i, quantity, named ? Map.of("1", ofFirst) : null),
                    new SkuBuildOptions("skus[0]", instances, Map.of(), Map.of(), null),
                    new PartOptions("skus[0].linkedPartConfigs.x", null, null, null, null, null, null),
                    Map.of(),
                    Map.of("serials", sequence),
                    (_, _) -> Optional.empty(),
                    (path, _, message) -> {
                        throw new AssertionError(path + ": " + message);
                    }));
            int ofCopy = named ? ofFirst : plates;
            expected += instances * quantity * ofCopy;
            copies += ofCopy == 0 ? 0 : instances * quantity;
        }
        BuildPlan plan = new BuildPlan(null, null, plans, 100, false, null, null);
        SerialNumberAllocator draws = new SerialNumberAllocator(List.of(sequence));
        List<PlannedJob> jobs = plan.jobs(draws);
        assertThat(jobs).hasSize(expected);
        assertThat(plan.jobCount()).isEqualTo(expected);
        assertThat(jobs).extracting(job -> job.skuInstance()).isSorted();
        assertThat(jobs)
                .allSatisfy(job -> assertThat((job.quantityIndex() - 1)
                                        / plans.get(job.part()).ofInstance()
                                + 1)
                        .isEqualTo(job.skuInstance()));
        assertThat(jobs.stream().map(PlannedJob::serials).distinct()).hasSize(copies);
        assertThat(draws.nextNumbers().getOrDefault("sequence", 1L)).isEqualTo(copies + 1L);
    }
}
