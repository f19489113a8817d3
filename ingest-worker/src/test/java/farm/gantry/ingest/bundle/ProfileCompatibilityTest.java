package farm.gantry.ingest.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Evaluates the conditions in slicer profiles that say with which machines a filament or process is compatible. */
final class ProfileCompatibilityTest {
    private static final Map<String, Object> MACHINE = Map.of(
            "printer_model", "MK3S",
            "nozzle_diameter", "0.4,0.6",
            "printer_notes", "one\nPRINTER_VENDOR_ACME\nPRINTER_MODEL_MK3",
            "single_extruder_multi_material", "1",
            "printable_height", List.of("210"));

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "printer_model==\"MK3S\" ; true",
                "printer_model!=\"MK3S\" ; false",
                "printer_model=~/MK3.*/ and nozzle_diameter[0]==0.4 ; true",
                "printer_model=~/MK3/ ; false",
                "printer_model!~/(MINI|XL).*/ ; true",
                "nozzle_diameter[1]>0.5 ; true",
                "nozzle_diameter[0]>=0.4 and nozzle_diameter[0]<=0.40 ; true",
                "nozzle_diameter[7]==0.4 ; false",
                "printer_notes=~/.*PRINTER_MODEL_MK(2.5|3).*/ ; true",
                "printer_model==\"MINI\" or nozzle_diameter[0]<0.5 ; true",
                "printer_model==\"MINI\" or nozzle_diameter[0]<0.3 ; false",
                "! (printer_notes=~/.*ACME.*/ and single_extruder_multi_material) ; false",
                "not single_extruder_multi_material ; false",
                "printable_height>=200 ; true",
                "unknown_setting==\"\" ; true",
                "android==\"x\" ; false",
                "printer_model == ; true",
                "printer_model=~/(/ ; true",
                "nozzle_diameter[x]==1 ; true"
            })
    void conditionIsEvaluatedAsInTheSlicers(String condition, boolean holds) {
        assertThat(ProfileCompatibility.evaluate(condition, MACHINE)).isEqualTo(holds);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            value = {
                "nozzle_diameter[0]==0.3 ; true",
                "nozzle_diameter[0]==0.4 ; false",
                "printer_model==\"other\" ; false",
                "printer_model==\"other\" and nozzle_diameter[0]==0.3 ; true",
                "printer_model==\"other\" or nozzle_diameter[0]==0.3 ; false",
                "! (printer_model==\"other\" and nozzle_diameter[0]==0.4) ; false",
                "! (printer_model==\"other\" or nozzle_diameter[0]==0.4) ; true",
                "single_extruder_multi_material and nozzle_diameter[0]!=0.4 ; true",
                "nozzle_diameter[0]==num_extruders ; false",
                "`` ; false"
            })
    void conditionThatNoMachineOfTheNozzleMeetsIsForAnotherNozzle(String condition, boolean isOther) {
        Map<String, Object> process = Map.of("compatible_printers_condition", condition);
        assertThat(ProfileCompatibility.isForOtherNozzle(process, MACHINE, _ -> Optional.empty()))
                .isEqualTo(isOther);
    }

    @Test
    void nozzleIsTakenFromTheNamedMachines() {
        Map<String, Object> named = Map.of("compatible_printers", List.of("Box 0.3", "Box 0.2"));
        assertThat(ProfileCompatibility.isForOtherNozzle(named, MACHINE, name -> Optional.of(name.substring(4))))
                .isTrue();
        assertThat(ProfileCompatibility.isForOtherNozzle(named, MACHINE, name -> Optional.of("0.60")))
                .isFalse();
        assertThat(ProfileCompatibility.isForOtherNozzle(
                        named, MACHINE, name -> name.endsWith("2") ? Optional.empty() : Optional.of("0.3")))
                .isFalse();
        assertThat(ProfileCompatibility.isForOtherNozzle(named, Map.of(), _ -> Optional.of("0.3")))
                .isFalse();
        assertThat(ProfileCompatibility.isForOtherNozzle(
                        Map.of("nozzle_diameter", List.of("0.3")), MACHINE, _ -> Optional.empty()))
                .isTrue();
    }

    @Test
    void machineNamesTakePrecedenceOverTheCondition() {
        Map<String, Object> named =
                Map.of("compatible_printers", "\"Acme One\";\"Acme Two\"", "compatible_printers_condition", "1==2");
        assertThat(ProfileCompatibility.isCompatible(named, List.of("my own", "Acme Two"), MACHINE))
                .isTrue();
        assertThat(ProfileCompatibility.isCompatible(named, List.of("Acme Three"), MACHINE))
                .isFalse();
        assertThat(ProfileCompatibility.isCompatible(
                        Map.of("compatible_printers", List.of("Acme One")), List.of("Acme One"), MACHINE))
                .isTrue();
        assertThat(ProfileCompatibility.isCompatible(Map.of("compatible_printers", List.of()), List.of("any"), MACHINE))
                .isTrue();
        assertThat(ProfileCompatibility.isCompatible(
                        Map.of("compatible_printers_condition", "1==2"), List.of("any"), MACHINE))
                .isFalse();
    }
}
