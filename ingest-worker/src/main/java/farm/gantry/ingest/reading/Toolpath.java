package farm.gantry.ingest.reading;

import farm.gantry.printer.BedSize;
import org.jspecify.annotations.Nullable;

/**
 * What the moves of a G-code come to. {@code size} is the room that its objects take, wherever on the bed they stand:
 * as far as the nozzle goes while it prints them, their supports and prime towers, without start G-code, purge lines,
 * skirts, brims and rafts; null where nothing is extruded. {@code missing} says how the file is known to end early, and
 * {@code doubt} why it might.
 */
public record Toolpath(
        @Nullable BedSize size,
        @Nullable String missing,
        @Nullable String doubt) {

    /** Of two plates, which are printed one at a time. */
    public Toolpath and(Toolpath other) {
        return new Toolpath(
                BedSize.around(size, other.size),
                missing == null ? other.missing : missing,
                doubt == null ? other.doubt : doubt);
    }
}
