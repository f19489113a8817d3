package farm.gantry.edge.journal;

import farm.gantry.wire.Command;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** A print job that the API has sent: the command, the printer, and the name of the file on the printer. */
@Serdeable
public record Job(String deviceId, Instant expiresAt, Command.Print print, String fileName) {
    /**
     * The maximum length of the original name in the file name. Some printers accept paths of only 100 characters,
     * including folders.
     */
    private static final int NAME_LENGTH = 36;

    public static Job of(Command command, Command.Print print) {
        return new Job(command.deviceId(), command.expiresAt(), print, fileName(print));
    }

    public String jobId() {
        return print.jobId();
    }

    public int attempt() {
        return print.attempt();
    }

    public boolean matches(String jobId, int attempt) {
        return jobId().equals(jobId) && attempt() == attempt;
    }

    /** Returns the objects of the file that are not printed. */
    public List<String> skipObjects() {
        return print.skipObjects() == null ? List.of() : print.skipObjects();
    }

    private static String fileName(Command.Print print) {
        String name = print.fileName().toLowerCase(Locale.ROOT).replaceFirst("(\\.gcode)?\\.(3mf|gcode|gco|g)$", "");
        String safe = name.replaceAll("[^a-z0-9._-]+", "_").replaceFirst("^[._-]+", "");
        String bounded = safe.substring(0, Math.min(safe.length(), NAME_LENGTH));
        return new JobFileName(print.jobId(), print.attempt()).called(bounded.isEmpty() ? "print" : bounded);
    }
}
