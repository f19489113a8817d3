package farm.gantry.ingest.tool;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The output of a tool. Callers never see it, because a model decides about its content: they see the sentence for a
 * known cause.
 */
final class ToolOutput {
    /** The rest of the output is passed over. */
    static final int MAX_BYTES = 1 << 20;

    private static final int HEAD = 4096;
    private static final int TAIL = 4096;
    private static final int SIGNAL = 128;

    private static final String AT =
            "(?s).{0,200}?(?:in file (?:[^,\\n]*/)?([\\w.-]{1,64}\\.scad), line|line) (\\d{1,7})";

    /** A sign of a cause in the output, and the sentence that is shown for it, with the place where the sign has one. */
    private record Cause(Pattern sign, String sentence) {
        Cause(String sign, String sentence) {
            this(Pattern.compile("(?m)" + sign), sentence);
        }

        Optional<String> in(String output) {
            Matcher found = sign.matcher(output);
            if (!found.find()) {
                return Optional.empty();
            }
            if (found.groupCount() < 2) {
                return Optional.of(found.groupCount() == 1 ? sentence.formatted(found.group(1)) : sentence);
            }
            String file = found.group(1) == null || found.group(1).equals("in.scad") ? "" : " of " + found.group(1);
            return Optional.of(sentence + " in line " + found.group(2) + file);
        }
    }

    private static final Pattern TOO_LARGE = Pattern.compile(
            "(?i)outside (of )?the print(able)? (volume|area)|fit (on|in)(to)? the (bed|print)|exceeds the (print|build|bed|max)");

    /** The first that is found is the reason: a failure of OpenSCAD makes the model empty, which it reports too. */
    private static final List<Cause> CAUSES = List.of(
            new Cause("^ERROR: Parser error" + AT, "the syntax is wrong"),
            new Cause("^ERROR: Recursion detected" + AT, "a module or function calls itself without end"),
            new Cause("^ERROR: Assertion" + AT, "an assertion of the model does not hold"),
            new Cause("Bad range parameter.{0,80}too many elements" + AT, "a loop has too many elements"),
            new Cause("^ERROR: The given mesh is not closed", "a solid of the model is not closed"),
            new Cause("bad_alloc|Cannot allocate memory|MemoryError", "it needs more memory than it may use"),
            new Cause("^WARNING: Ignoring unknown module" + AT, "the model uses an unknown module"),
            new Cause("No layers were detected", "the part has no layers: it is flat, or thinner than one layer"),
            new Cause("The print is empty", "no wall of the part is thick enough to be printed with these settings"),
            new Cause("its_convex_hull", "the part is flat: it has no volume"),
            new Cause("^First layer height can't be greater", "the first layer is higher than the nozzle is wide"),
            new Cause("^Layer height can't be greater", "the layers are higher than the nozzle is wide"),
            new Cause("Invalid value provided for parameter (\\w{1,64})", "the profile has an invalid value for %s"),
            new Cause("Loading of a model file failed", "the model is broken or holds no solid"),
            new Cause(
                    "^(SyntaxError|IndentationError|ModuleNotFoundError|ImportError|NameError|TypeError|ValueError"
                            + "|AttributeError|KeyError|IndexError|ZeroDivisionError|AssertionError|RecursionError"
                            + "|FileNotFoundError|RuntimeError)\\b",
                    "Python reports a %s"),
            new Cause("top level object is not a 3D object", "the model is flat: it makes no solid"),
            new Cause("top level object is empty", "the model is empty"));

    private ToolOutput() {}

    /** Whether the tool found the part larger than the printer. */
    static boolean saysTooLarge(String output) {
        return TOO_LARGE.matcher(output).find();
    }

    /** Why the tool failed, where that is known. */
    static Optional<String> findCause(String output, int exitStatus) {
        return CAUSES.stream()
                .flatMap(cause -> cause.in(output).stream())
                .findFirst()
                .or(() -> ofSignal(exitStatus - SIGNAL));
    }

    private static Optional<String> ofSignal(int signal) {
        return switch (signal) {
            case 4, 6, 7, 8, 11 -> Optional.of("it crashed");
            case 9 -> Optional.of("it was killed, most often for want of memory");
            case 24 -> Optional.of("it needs more processor time than it may use");
            case 25 -> Optional.of("it wrote a larger file than it may");
            default -> Optional.empty();
        };
    }

    static String read(Path log) throws IOException {
        try (InputStream in = Files.newInputStream(log)) {
            return new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
        }
    }

    /** Its beginning and end on one line, for the log of the worker. */
    static String shortened(String output) {
        String text = output.length() <= HEAD + TAIL
                ? output
                : output.substring(0, HEAD) + " […] " + output.substring(output.length() - TAIL);
        return text.strip().replaceAll("\\s*[\\r\\n]+\\s*", "; ").replaceAll("\\p{Cntrl}", " ");
    }
}
