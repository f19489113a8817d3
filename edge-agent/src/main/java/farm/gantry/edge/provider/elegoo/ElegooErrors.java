package farm.gantry.edge.provider.elegoo;

import farm.gantry.json.Tree;
import farm.gantry.printer.PrinterState.Fault;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Converts the printer's error codes to messages. */
final class ElegooErrors {
    private static final Map<Integer, String> WORDS = Map.ofEntries(
            Map.entry(109, "the filament has run out"),
            Map.entry(1000, "the access code is wrong"),
            Map.entry(1001, "the printer does not know this command"),
            Map.entry(1003, "a value is invalid"),
            Map.entry(1004, "the file could not be written"),
            Map.entry(1009, "the printer is busy"),
            Map.entry(1010, "the printer is not printing"),
            Map.entry(1021, "the file is not on the printer"),
            Map.entry(1026, "the bed was never levelled"),
            Map.entry(9000, "the parts of the uploaded file do not match"),
            Map.entry(9001, "the file could not be opened"),
            Map.entry(9002, "the file could not be written"),
            Map.entry(9004, "the uploaded file was damaged in transit"));

    private ElegooErrors() {}

    static String message(int code) {
        String words = WORDS.get(code);
        return words == null ? "the printer reports error " + code : words + " (error " + code + ")";
    }

    /** Returns the present faults; newer firmware reports each number with its time. */
    static List<Fault> faults(Map<String, Object> status) {
        Stream<String> listed =
                Tree.list(status, "machine_status", "exception_status").stream().map(ElegooErrors::faultNumber);
        Stream<String> timed = Tree.object(status, "exception", "exception_code").keySet().stream();
        Stream<Fault> numbered = Stream.concat(listed, timed)
                .filter(code -> code.matches("\\d{1,9}"))
                .distinct()
                .map(code -> new Fault(code, message(Integer.parseInt(code))));
        Stream<Fault> stopped = Stream.of(new Fault(null, "the printer is in emergency stop"))
                .filter(_ -> Tree.number(Tree.object(status, "machine_status"), "status", 0) == ElegooState.EMERGENCY);
        return Stream.concat(numbered, stopped).toList();
    }

    private static String faultNumber(@Nullable Object reported) {
        return reported instanceof Number number ? String.valueOf(number.intValue()) : "";
    }
}
