package farm.gantry.simulator.bambu;

import farm.gantry.json.Tree;
import farm.gantry.simulator.printer.RpcException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The filaments of a simulated printer: one AMS with four trays, and an external spool. */
final class BambuTrays {
    private static final int EXTERNAL_UNIT = 255;
    private static final int EXTERNAL_TRAY = 254;
    private static final List<String> TOLD =
            List.of("tray_type", "tray_color", "tray_info_idx", "nozzle_temp_min", "nozzle_temp_max");

    private final List<Map<String, Object>> unit = new ArrayList<>(List.of(
            tray("0", "PLA", "FFFFFFFF"),
            tray("1", "PLA", "000000FF"),
            tray("2", "PETG", "DE4343FF"),
            Map.of("id", "3")));
    private final Map<String, Object> external =
            new LinkedHashMap<>(tray(String.valueOf(EXTERNAL_TRAY), "", "00000000"));

    private static Map<String, Object> tray(String id, String type, String color) {
        return Map.of("id", id, "tray_type", type, "tray_color", color, "remain", 80);
    }

    /** Stores the setting unchecked; the external spool is addressed by its tray number too. */
    synchronized void setFilament(Map<String, Object> request) throws RpcException {
        int place = (int) Tree.number(request, "tray_id", -1);
        if (!request.keySet().containsAll(TOLD)) {
            throw RpcException.refused("the setting is not whole");
        }
        Map<String, Object> setting = new LinkedHashMap<>(request);
        setting.keySet().retainAll(TOLD);
        switch ((int) Tree.number(request, "ams_id", -1)) {
            case 0 -> {
                if (place < 0 || place >= unit.size()) {
                    throw RpcException.refused("no tray " + place);
                }
                Map<String, Object> tray = new LinkedHashMap<>(unit.get(place));
                tray.putAll(setting);
                unit.set(place, tray);
            }
            case EXTERNAL_UNIT -> {
                if (place != EXTERNAL_TRAY) {
                    throw RpcException.refused("no tray " + place);
                }
                external.putAll(setting);
            }
            default -> throw RpcException.refused("no such unit");
        }
    }

    /** Returns the fields of a report; the AMS's last tray is empty. */
    synchronized Map<String, Object> report() {
        Map<String, Object> ams = Map.of(
                "ams",
                List.of(Map.of("id", "0", "humidity", "4", "temp", "26.2", "tray", List.copyOf(unit))),
                "ams_exist_bits",
                "1",
                "tray_exist_bits",
                "7",
                "tray_now",
                "255");
        return Map.of("ams", ams, "vt_tray", Map.copyOf(external));
    }
}
