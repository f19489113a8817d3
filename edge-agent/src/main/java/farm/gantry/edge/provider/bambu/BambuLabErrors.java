package farm.gantry.edge.provider.bambu;

import farm.gantry.json.Tree;
import farm.gantry.printer.PrinterState.Fault;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Converts the printer's error codes to messages. */
final class BambuLabErrors {
    static final String NEEDS_DEVELOPER_MODE =
            "needs developer mode: the printer accepts commands only in LAN Only Mode with Developer Mode on";
    static final int NOT_SIGNED = 84_033_543;
    private static final String DEVELOPER_MODE = "developer_mode";
    private static final long SIGNATURE_REQUIRED = 0x2000_0000L;
    private static final int SEVERITY_SERIOUS = 2;
    private static final int SEVERITY_COMMON = 3;
    private static final Set<String> CANCELLED = Set.of("0300_400C", "0500_400E");
    private static final Map<Integer, String> MODULES = Map.of(
            0x03, "motion controller",
            0x05, "mainboard",
            0x07, "material unit",
            0x08, "toolhead",
            0x0C, "camera and lidar",
            0x12, "material unit",
            0x18, "material unit");

    private BambuLabErrors() {}

    /**
     * Returns the present faults. The error code of a print remains after its end, so it counts only while the print is
     * paused.
     */
    static List<Fault> faults(Map<String, Object> print, boolean held) {
        Stream<Fault> mode =
                needsDeveloperMode(print) ? Stream.of(new Fault(DEVELOPER_MODE, NEEDS_DEVELOPER_MODE)) : Stream.of();
        Stream<Fault> health = healthFaults(print, severity -> severity <= SEVERITY_SERIOUS);
        Fault error = held ? printError(print) : null;
        return Stream.of(mode, health, Stream.ofNullable(error))
                .flatMap(all -> all)
                .distinct()
                .toList();
    }

    /** Returns the warnings, with which a print can start. */
    static List<Fault> warnings(Map<String, Object> print) {
        return healthFaults(print, severity -> severity == SEVERITY_COMMON)
                .distinct()
                .toList();
    }

    private static Stream<Fault> healthFaults(Map<String, Object> print, IntPredicate severity) {
        return Tree.list(print, "hms").stream()
                .filter(trouble -> severity.test(severity(trouble)))
                .map(BambuLabErrors::healthFault);
    }

    static boolean needsDeveloperMode(Map<String, Object> print) {
        String functions = Tree.text(print, "fun");
        return functions != null
                && functions.matches("[0-9a-fA-F]{1,15}")
                && (Long.parseLong(functions, 16) & SIGNATURE_REQUIRED) != 0;
    }

    /** Returns whether the last print was cancelled by a person. */
    static boolean isCancelled(Map<String, Object> print) {
        String code = printErrorCode(print);
        return code != null && CANCELLED.contains(code);
    }

    /** Returns the error of the print itself, or null. */
    static @Nullable Fault printError(Map<String, Object> print) {
        String code = printErrorCode(print);
        return code == null || CANCELLED.contains(code)
                ? null
                : new Fault(code, "the printer reports error " + code + " (" + moduleName(code) + ")");
    }

    private static @Nullable String printErrorCode(Map<String, Object> print) {
        Double error = Tree.number(print, "print_error");
        return error == null || error == 0 ? null : hexPair(error.longValue());
    }

    private static int severity(@Nullable Object trouble) {
        return (int) (number(trouble, "code") >> 16 & 0xFFFF);
    }

    private static Fault healthFault(@Nullable Object trouble) {
        String code = hexPair(number(trouble, "attr")) + "_" + hexPair(number(trouble, "code"));
        String grade = switch (severity(trouble)) {
            case SEVERITY_SERIOUS -> "serious";
            case SEVERITY_COMMON -> "common";
            default -> "fatal";
        };
        return new Fault(
                code, "the printer reports a " + grade + " problem, HMS " + code + " (" + moduleName(code) + ")");
    }

    private static String moduleName(String code) {
        int number = Integer.parseInt(code.substring(0, 2), 16);
        return Objects.requireNonNullElse(MODULES.get(number), "module " + code.substring(0, 2));
    }

    private static long number(@Nullable Object trouble, String name) {
        Double number = Tree.number(trouble, name);
        return number == null ? 0 : number.longValue();
    }

    private static String hexPair(long bits) {
        return String.format(Locale.ROOT, "%04X_%04X", bits >> 16 & 0xFFFF, bits & 0xFFFF);
    }
}
