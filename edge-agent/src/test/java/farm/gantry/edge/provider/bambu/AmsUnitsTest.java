package farm.gantry.edge.provider.bambu;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.printer.PrinterState.FilamentSlot;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AmsUnitsTest {
    private static final Map<String, Object> WHITE = tray("0", "PLA", "FFFFFFFF");
    private static final Map<String, Object> BLACK = tray("1", "PETG", "000000FF");
    private static final FilamentSlot FIRST = new FilamentSlot(0, 0, true, "PLA", "#FFFFFFFF");
    private static final FilamentSlot SECOND = new FilamentSlot(0, 1, true, "PETG", "#000000FF");
    private static final BambuLabState WHOLE = BambuLabState.empty()
            .merge(Map.of(
                    "gcode_state",
                    "IDLE",
                    "msg",
                    0,
                    "ams",
                    Map.of("ams", List.of(unit("0", WHITE, BLACK)), "tray_exist_bits", "3", "tray_now", "255")));

    @Test
    void completeReportContainsAllSlots() {
        assertThat(slots(WHOLE)).containsExactly(FIRST, SECOND);
    }

    @Test
    void spoolWeightIsReportedOnlyForTaggedSpools() {
        Map<String, Object> tagged = new HashMap<>(WHITE);
        tagged.putAll(Map.of("tag_uid", "9A3C21F700000100", "tray_weight", "1000", "remain", 42));
        Map<String, Object> untagged = new HashMap<>(BLACK);
        untagged.putAll(Map.of("tag_uid", "0000000000000000", "tray_weight", "1000", "remain", 100));
        Map<String, Object> unread = new HashMap<>(tagged);
        unread.putAll(Map.of("id", "2", "remain", -1));
        BambuLabState reported = BambuLabState.empty()
                .merge(Map.of(
                        "ams", Map.of("ams", List.of(unit("0", tagged, untagged, unread)), "tray_exist_bits", "7")));
        assertThat(slots(reported).stream().map(FilamentSlot::remainingGrams)).containsExactly(420.0, null, null);
    }

    @Test
    void unitStateReportKeepsTheSlots() {
        assertThat(slots(changed(Map.of("tray_now", "1")))).containsExactly(FIRST, SECOND);
    }

    @Test
    void reportOfOneSlotKeepsTheOthers() {
        Map<String, Object> green = Map.of("id", "1", "tray_color", "00FF00FF");
        assertThat(slots(changed(Map.of("ams", List.of(unit("0", green))))))
                .containsExactly(FIRST, new FilamentSlot(0, 1, true, "PETG", "#00FF00FF"));
    }

    @Test
    void slotWithoutItsExistBitIsEmpty() {
        assertThat(slots(changed(Map.of("tray_exist_bits", "1"))))
                .containsExactly(FIRST, new FilamentSlot(0, 1, false, null, null));
    }

    @Test
    void slotReportedWithoutFilamentLosesItsFilament() {
        BambuLabState emptied =
                changed(Map.of("ams", List.of(unit("0", Map.of("id", "1", "state", 0))), "tray_exist_bits", "3"));
        assertThat(slots(emptied)).containsExactly(FIRST, new FilamentSlot(0, 1, true, null, null));
    }

    @Test
    void unitMissingFromACompleteReportIsRemoved() {
        BambuLabState other = WHOLE.merge(Map.of(
                "gcode_state",
                "IDLE",
                "msg",
                0,
                "ams",
                Map.of("ams", List.of(unit("1", WHITE)), "tray_exist_bits", "10")));
        assertThat(slots(other)).containsExactly(new FilamentSlot(1, 0, true, "PLA", "#FFFFFFFF"));
    }

    @Test
    void singleSlotUnitAndSpoolHolderHaveTheirOwnNumbers() {
        BambuLabState reported = BambuLabState.empty()
                .merge(Map.of(
                        "ams",
                        Map.of("ams", List.of(unit("128", WHITE)), "tray_exist_bits", "10000"),
                        "vt_tray",
                        tray("254", "TPU", "112233FF")));
        assertThat(slots(reported))
                .containsExactly(
                        new FilamentSlot(128, 0, true, "PLA", "#FFFFFFFF"),
                        new FilamentSlot(255, 0, true, "TPU", "#112233FF"));
        assertThat(AmsUnits.mappingNumber(128, 0)).isEqualTo(128);
        assertThat(AmsUnits.mappingNumber(1, 2)).isEqualTo(6);
        assertThat(AmsUnits.mappingNumber(255, 0)).isEqualTo(-1);
    }

    private static BambuLabState changed(Map<String, Object> ams) {
        return WHOLE.merge(Map.of("msg", 1, "ams", ams));
    }

    private static List<FilamentSlot> slots(BambuLabState reported) {
        return AmsUnits.slots(reported.print());
    }

    private static Map<String, Object> unit(String id, Object... trays) {
        return Map.of("id", id, "tray", List.of(trays));
    }

    private static Map<String, Object> tray(String id, String type, String color) {
        return Map.of("id", id, "tray_type", type, "tray_color", color);
    }
}
