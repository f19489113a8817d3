package farm.gantry.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.job.PrintJob;
import farm.gantry.part.Part;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MaterialMatcherTest {
    private static final SlotFilament RED = SchedulingFixtures.filament(0, "red", "m1", "PLA");
    private static final SlotFilament BLUE = SchedulingFixtures.filament(1, "blue", "m1", "PLA");
    private static final SlotFilament PETG = SchedulingFixtures.filament(2, null, null, "PETG");

    private static boolean fits(Requirement job, SlotFilament... loaded) {
        return SchedulingFixtures.RULES.passes(Rule.MATERIAL_MATCH, job, SchedulingFixtures.printer("a", 0, loaded));
    }

    /** Returns the number of the slot for each filament. */
    private static String places(Requirement job, SlotFilament... loaded) {
        SortedMap<Integer, PrintJob.Slot> mapping =
                SchedulingFixtures.RULES.assignSlots(job, SchedulingFixtures.printer("a", 0, loaded));
        return mapping.entrySet().stream()
                .map(each -> each.getKey() + ":" + each.getValue().slotIndex())
                .collect(Collectors.joining(" "));
    }

    @Test
    void requestedMaterialIsMatchedAtItsOwnLevel() {
        assertThat(fits(SchedulingFixtures.of(List.of(SchedulingFixtures.variant("red"))), RED))
                .isTrue();
        assertThat(fits(SchedulingFixtures.of(List.of(SchedulingFixtures.variant("green"))), RED))
                .isFalse();
        assertThat(fits(SchedulingFixtures.of(List.of(SchedulingFixtures.material("m1"))), BLUE))
                .isTrue();
        assertThat(fits(SchedulingFixtures.of(List.of(SchedulingFixtures.material("m2"))), BLUE))
                .isFalse();
        assertThat(fits(SchedulingFixtures.of(List.of(SchedulingFixtures.type("petg"))), PETG))
                .isTrue();
        assertThat(fits(SchedulingFixtures.of(List.of(SchedulingFixtures.type("PLA"))), PETG))
                .isFalse();
        assertThat(fits(SchedulingFixtures.of(List.of(SchedulingFixtures.group("g"))), BLUE))
                .isTrue();
        assertThat(fits(SchedulingFixtures.of(List.of(SchedulingFixtures.group("g"))), PETG))
                .isFalse();
        assertThat(fits(SchedulingFixtures.of(List.of(SchedulingFixtures.group("unknown"))), BLUE))
                .isFalse();
        assertThat(fits(
                        SchedulingFixtures.of(
                                List.of(SchedulingFixtures.variant("red"), SchedulingFixtures.type("PETG"))),
                        PETG))
                .isTrue();
        assertThat(fits(
                        SchedulingFixtures.of(
                                List.of(SchedulingFixtures.type("PLA")), List.of(SchedulingFixtures.type("PETG"))),
                        RED))
                .isFalse();
        assertThat(fits(SchedulingFixtures.anything())).isTrue();
        assertThat(fits(SchedulingFixtures.of(List.of(SchedulingFixtures.type("PLA")))))
                .isFalse();
    }

    @Test
    void slotWithTheMostExactMatchIsChosen() {
        SlotFilament anyPla = SchedulingFixtures.pla(0);
        SlotFilament blue = SchedulingFixtures.filament(3, "blue", "m1", "PLA");
        assertThat(places(
                        SchedulingFixtures.of(
                                List.of(SchedulingFixtures.type("PLA"), SchedulingFixtures.variant("blue"))),
                        anyPla,
                        blue))
                .isEqualTo("0:3");
        assertThat(places(
                        SchedulingFixtures.of(
                                List.of(SchedulingFixtures.group("g"), SchedulingFixtures.material("m1"))),
                        anyPla,
                        blue))
                .isEqualTo("0:3");
    }

    @Test
    void filamentsUseSeparateSlotsWherePossible() {
        assertThat(places(
                        SchedulingFixtures.of(
                                List.of(SchedulingFixtures.type("PLA")), List.of(SchedulingFixtures.variant("red"))),
                        RED,
                        BLUE))
                .isEqualTo("0:1 1:0");
        assertThat(places(
                        SchedulingFixtures.of(
                                List.of(SchedulingFixtures.type("PLA")), List.of(SchedulingFixtures.type("PLA"))),
                        RED,
                        BLUE))
                .isEqualTo("0:0 1:1");
        assertThat(places(
                        SchedulingFixtures.of(
                                List.of(SchedulingFixtures.type("PLA")), List.of(SchedulingFixtures.type("PLA"))),
                        BLUE))
                .isEqualTo("0:1 1:1");
    }

    @Test
    void unassignedFilamentTakesTheBestRemainingSlotOfItsType() {
        TreeMap<Integer, List<farm.gantry.material.Assignment>> wished = new TreeMap<>();
        wished.put(0, List.of(SchedulingFixtures.type("PLA")));
        List<Part.PartMaterial> file = List.of(
                new Part.PartMaterial(0, null, null, null, null, "PLA"),
                new Part.PartMaterial(1, null, null, null, null, "PETG"),
                new Part.PartMaterial(2, null, null, null, true, "PETG"),
                new Part.PartMaterial(3, null, null, null, null, null));
        Requirement job = new Requirement(
                SchedulingFixtures.NO_TAGS,
                wished,
                file,
                false,
                false,
                null,
                null,
                null,
                SchedulingFixtures.UNKNOWN_NEED,
                List.of(),
                false);
        assertThat(places(job, RED, BLUE, PETG)).isEqualTo("0:0 1:2 3:1");
        assertThat(fits(job, RED)).isTrue();
    }

    @Test
    void filamentsUnusedByThePlateTakeNoSlot() {
        List<Part.PartMaterial> project = List.of(
                new Part.PartMaterial(0, null, null, null, null, "PETG"),
                new Part.PartMaterial(1, null, null, null, null, "ABS"),
                new Part.PartMaterial(2, null, null, null, null, "PLA"),
                new Part.PartMaterial(3, null, null, null, null, "PLA"));
        FilamentNeed need = new FilamentNeed(new TreeMap<>(Map.of(2, 10.0, 3, 5.0)), null);
        Requirement job = new Requirement(
                SchedulingFixtures.NO_TAGS,
                new TreeMap<>(),
                project,
                false,
                false,
                null,
                null,
                null,
                need,
                List.of(),
                false);
        assertThat(places(job, RED, BLUE, PETG)).isEqualTo("2:0 3:1");
    }
}
