package farm.gantry.simulator.elegoo;

import farm.gantry.simulator.printer.GcodeFile;
import farm.gantry.simulator.printer.Heater;
import farm.gantry.simulator.printer.PrintState;
import farm.gantry.simulator.printer.SimulatedPrinter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Status of a simulated Elegoo printer. */
record ElegooStatus(SimulatedPrinter printer, boolean hasCamera) {
    private static final double FIRST_SECONDS = 5;

    private record Stage(int status, int subStatus) {}

    Map<String, Object> allFields() {
        Stage stage = stage();
        Map<String, Object> all = new LinkedHashMap<>();
        all.put(
                "machine_status",
                Map.of(
                        "status",
                        stage.status(),
                        "sub_status",
                        stage.subStatus(),
                        "exception_status",
                        printer.isShutDown() ? List.of(1101) : List.of(),
                        "progress",
                        printer.print().percent()));
        all.put("print_status", print());
        all.put("extruder", heater(printer.nozzle()));
        all.put("heater_bed", heater(printer.bed()));
        all.put("ztemperature_sensor", Map.of("temperature", 31.5));
        all.put("led", Map.of("status", 1));
        all.put("external_device", Map.of("camera", hasCamera));
        return all;
    }

    private Stage stage() {
        if (printer.isShutDown()) {
            return new Stage(14, 0);
        }
        PrintState print = printer.print();
        return switch (print.state()) {
            case "printing" -> new Stage(2, printingStage(print));
            case "paused" -> new Stage(2, 2502);
            default -> new Stage(1, 0);
        };
    }

    /** Homes, then heats, then prints. */
    private static int printingStage(PrintState print) {
        if (print.printed() > 0) {
            return 2075;
        }
        return print.total() < FIRST_SECONDS ? 2801 : 1045;
    }

    private Map<String, Object> print() {
        PrintState print = printer.print();
        GcodeFile file = print.file();
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("state", print.state());
        status.put("filename", print.fileName());
        status.put("uuid", file == null ? "" : "print-" + printer.startedPrints());
        status.put("current_layer", print.layer());
        status.put("total_layer", print.layers());
        status.put("print_duration", Math.round(print.printed()));
        status.put("remaining_time_sec", Math.round(print.remaining()));
        status.put("progress", print.percent());
        return status;
    }

    private static Map<String, Object> heater(Heater heater) {
        return Map.of("temperature", Math.round(heater.temperature() * 100) / 100.0, "target", heater.target());
    }
}
