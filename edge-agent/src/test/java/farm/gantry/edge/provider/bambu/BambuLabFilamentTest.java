package farm.gantry.edge.provider.bambu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.edge.printer.connection.PrinterBindings;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.wire.Command;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BambuLabFilamentTest {
    @Test
    void filamentTypeSetsItsPrinterCodeAndTemperatures() throws Exception {
        assertThat(setting(Map.of("amsId", 1, "slotId", 2, "materialType", "petg", "color", "#de4343;#000000")))
                .isEqualTo(Map.of(
                        "command", "ams_filament_setting",
                        "ams_id", 1,
                        "slot_id", 2,
                        "tray_id", 2,
                        "tray_info_idx", "GFG99",
                        "tray_type", "PETG",
                        "tray_color", "DE4343FF",
                        "nozzle_temp_min", 220,
                        "nozzle_temp_max", 260));
    }

    @Test
    void explicitFilamentSettingsOverrideTheDefaults() throws Exception {
        assertThat(setting(Map.of(
                        "amsId", 0,
                        "slotId", 0,
                        "materialType", "PPA-CF",
                        "filamentId", "GFN97",
                        "nozzleTempMin", 280,
                        "nozzleTempMax", 310,
                        "color", "#11223344")))
                .containsEntry("tray_type", "PPA-CF")
                .containsEntry("tray_info_idx", "GFN97")
                .containsEntry("nozzle_temp_min", 280)
                .containsEntry("nozzle_temp_max", 310)
                .containsEntry("tray_color", "11223344");
    }

    @Test
    void slotWithoutATypeIsEmptied() throws Exception {
        assertThat(setting(Map.of("amsId", 0, "slotId", 3)))
                .containsEntry("tray_type", "")
                .containsEntry("tray_info_idx", "")
                .containsEntry("tray_color", "00000000")
                .containsEntry("nozzle_temp_max", 0);
    }

    @ParameterizedTest
    @CsvSource({"PLA+,PLA", "pla silk,PLA", "PETG HF,PETG", "PETG-CF,PETG-CF"})
    void filamentVarietyIsSentAsItsBaseType(String type, String baseType) throws Exception {
        assertThat(setting(Map.of("amsId", 0, "slotId", 0, "materialType", type)))
                .containsEntry("tray_type", baseType);
    }

    @ParameterizedTest
    @CsvSource({"255", "254"})
    void externalSpoolIsSentAsTray254(int unit) throws Exception {
        assertThat(setting(Map.of("amsId", unit, "slotId", 0, "materialType", "PLA")))
                .containsEntry("ams_id", unit)
                .containsEntry("slot_id", 0)
                .containsEntry("tray_id", 254);
    }

    @Test
    void invalidArgumentIsRefusedWithItsName() {
        assertThatThrownBy(() -> setting(Map.of("slotId", 0)))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("amsId");
        assertThatThrownBy(() -> setting(Map.of("amsId", 0, "slotId", 0, "materialType", "PEEK")))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("PEEK")
                .hasMessageContaining("nozzleTempMin");
        assertThatThrownBy(() -> setting(Map.of("amsId", 0, "slotId", 0, "materialType", "PLA", "color", "red")))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("red");
        assertThatThrownBy(() -> setting(Map.of("amsId", 0, "slotId", 0, "materialType", "PLA", "nozzleTempMin", 250)))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("250");
    }

    private static Map<String, Object> setting(Map<String, Object> info) throws Refusal {
        return new BambuLabCommands(new PrinterBindings(Map.of()))
                .convert(new Command.Send("set-slot-info", Map.of("info", info)))
                .message();
    }
}
