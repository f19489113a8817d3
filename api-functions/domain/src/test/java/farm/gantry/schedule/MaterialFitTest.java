package farm.gantry.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.job.PrintJob;
import farm.gantry.part.Part;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MaterialFitTest {
    private static final Filament RED = Shop.filament(0, "red", "m1", "PLA");
    private static final Filament BLUE = Shop.filament(1, "blue", "m1", "PLA");
    private static final Filament PETG = Shop.filament(2, null, null, "PETG");

    private static boolean fits(Requirement job, Filament... loaded) {
        return Shop.RULES.passes(Rule.MATERIAL_MATCH, job, Shop.printer("a", 0, loaded));
    }

    /** The place of each filament, by its number at the printer. */
    private static String places(Requirement job, Filament... loaded) {
        SortedMap<Integer, PrintJob.Slot> mapping = Shop.RULES.mapping(job, Shop.printer("a", 0, loaded));
        return mapping.entrySet().stream()
                .map(each -> each.getKey() + ":" + each.getValue().slotIndex())
                .collect(Collectors.joining(" "));
    }

    @Test
    void eachKindOfWishIsMetByItsOwnAndNothingLess() {
        assertThat(fits(Shop.of(List.of(Shop.variant("red"))), RED)).isTrue();
        assertThat(fits(Shop.of(List.of(Shop.variant("green"))), RED)).isFalse();
        assertThat(fits(Shop.of(List.of(Shop.material("m1"))), BLUE)).isTrue();
        assertThat(fits(Shop.of(List.of(Shop.material("m2"))), BLUE)).isFalse();
        assertThat(fits(Shop.of(List.of(Shop.type("petg"))), PETG)).isTrue();
        assertThat(fits(Shop.of(List.of(Shop.type("PLA"))), PETG)).isFalse();
        assertThat(fits(Shop.of(List.of(Shop.group("g"))), BLUE)).isTrue();
        assertThat(fits(Shop.of(List.of(Shop.group("g"))), PETG)).isFalse();
        assertThat(fits(Shop.of(List.of(Shop.group("unknown"))), BLUE)).isFalse();
        assertThat(fits(Shop.of(List.of(Shop.variant("red"), Shop.type("PETG"))), PETG))
                .isTrue();
        assertThat(fits(Shop.of(List.of(Shop.type("PLA")), List.of(Shop.type("PETG"))), RED))
                .isFalse();
        assertThat(fits(Shop.anything())).isTrue();
        assertThat(fits(Shop.of(List.of(Shop.type("PLA"))))).isFalse();
    }

    @Test
    void theMoreExactPlaceGoesFirst() {
        Filament anyPla = Shop.pla(0);
        Filament blue = Shop.filament(3, "blue", "m1", "PLA");
        assertThat(places(Shop.of(List.of(Shop.type("PLA"), Shop.variant("blue"))), anyPla, blue))
                .isEqualTo("0:3");
        assertThat(places(Shop.of(List.of(Shop.group("g"), Shop.material("m1"))), anyPla, blue))
                .isEqualTo("0:3");
    }

    @Test
    void filamentsDoNotShareWhereTheyNeedNot() {
        assertThat(places(Shop.of(List.of(Shop.type("PLA")), List.of(Shop.variant("red"))), RED, BLUE))
                .isEqualTo("0:1 1:0");
        assertThat(places(Shop.of(List.of(Shop.type("PLA")), List.of(Shop.type("PLA"))), RED, BLUE))
                .isEqualTo("0:0 1:1");
        assertThat(places(Shop.of(List.of(Shop.type("PLA")), List.of(Shop.type("PLA"))), BLUE))
                .isEqualTo("0:1 1:1");
    }

    @Test
    void aFilamentOfWhichNothingIsSaidTakesWhatIsLeftBestOfItsType() {
        TreeMap<Integer, List<farm.gantry.material.Assignment>> wished = new TreeMap<>();
        wished.put(0, List.of(Shop.type("PLA")));
        List<Part.PartMaterial> file = List.of(
                new Part.PartMaterial(0, null, null, null, null, "PLA"),
                new Part.PartMaterial(1, null, null, null, null, "PETG"),
                new Part.PartMaterial(2, null, null, null, true, "PETG"),
                new Part.PartMaterial(3, null, null, null, null, null));
        Requirement job = new Requirement(Shop.NO_TAGS, wished, file, false, false, null, null);
        assertThat(places(job, RED, BLUE, PETG)).isEqualTo("0:0 1:2 3:1");
        assertThat(fits(job, RED)).isTrue();
    }
}
