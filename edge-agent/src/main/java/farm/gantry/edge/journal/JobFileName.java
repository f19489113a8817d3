package farm.gantry.edge.journal;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The job and attempt that are encoded in the name of a file on a printer, so that the job of a running print is known
 * even after a crash.
 */
public record JobFileName(String jobId, int attempt) {
    private static final Pattern NAME = Pattern.compile("gantry-([A-Za-z0-9]+)-(\\d{1,9})-.*");

    /** Parses a file name; null for a file that the farm did not upload. */
    public static @Nullable JobFileName parse(String fileName) {
        Matcher matcher = NAME.matcher(fileName);
        return matcher.matches() ? new JobFileName(matcher.group(1), Integer.parseInt(matcher.group(2))) : null;
    }

    String called(String name) {
        return "gantry-" + jobId + "-" + attempt + "-" + name + ".gcode";
    }
}
