package farm.gantry.edge.provider.elegoo;

import farm.gantry.json.Tree;
import farm.gantry.printer.PrinterState.Fault;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The printer's error codes as messages. */
final class ElegooErrors {
    private static final Map<Integer, String> WORDS = Map.ofEntries(
            Map.entry(109, "the filament has run out"),
            Map.entry(1000, "the access code is not accepted"),
            Map.entry(1001, "this command is not known to it"),
            Map.entry(1003, "a value is not accepted"),
            Map.entry(1004, "the file could not be written"),
            Map.entry(1009, "it is busy"),
            Map.entry(1010, "it is not printing"),
            Map.entry(1021, "the file is not on it"),
            Map.entry(1026, "its bed was never levelled"),
            Map.entry(9000, "the parts of the file do not fit together"),
            Map.entry(9001, "the file could not be opened"),
            Map.entry(9002, "the file could not be written"),
            Map.entry(9004, "the file did not arrive as it was sent"));

    private ElegooErrors() {}

    static String words(int code) {
        String words = WORDS.get(code);
        return words == null ? "it reports error " + code : words + " (error " + code + ")";
    }

    /** What is wrong right now; newer firmware tells the numbers with the time of each. */
    static List<Fault> faults(Map<String, Object> status) {
        Stream<String> listed =
                Tree.list(status, "machine_status", "exception_status").stream().map(ElegooErrors::number);
        Stream<String> timed = Tree.object(status, "exception", "exception_code").keySet().stream();
        Stream<Fault> numbered = Stream.concat(listed, timed)
                .filter(code -> code.matches("\\d{1,9}"))
                .distinct()
                .map(code -> new Fault(code, words(Integer.parseInt(code))));
        Stream<Fault> stopped = Stream.of(new Fault(null, "it was stopped in an emergency"))
                .filter(_ -> Tree.number(Tree.object(status, "machine_status"), "status", 0) == ElegooState.EMERGENCY);
        return Stream.concat(numbered, stopped).toList();
    }

    private static String number(@Nullable Object reported) {
        return reported instanceof Number number ? String.valueOf(number.intValue()) : "";
    }
}
