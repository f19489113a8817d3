package farm.gantry.edge.journal;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Job and attempt, as the name of a file at a printer tells them: also after a crash the printer says whose print it is on. */
public record JobFileName(String jobId, int attempt) {
    private static final Pattern NAME = Pattern.compile("gantry-([A-Za-z0-9]+)-(\\d{1,9})-.*");

    /** Null for a file that the farm did not bring. */
    public static @Nullable JobFileName of(String fileName) {
        Matcher matcher = NAME.matcher(fileName);
        return matcher.matches() ? new JobFileName(matcher.group(1), Integer.parseInt(matcher.group(2))) : null;
    }

    String called(String name) {
        return "gantry-" + jobId + "-" + attempt + "-" + name + ".gcode";
    }
}
