package farm.gantry.job;

import farm.gantry.part.PrintTags;
import farm.gantry.printer.Printer;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether a printer may take work, and this job. Each rule says why not. */
public final class Matching {
    private Matching() {}

    /** A reason's stable code and its sentence. */
    public record Reason(String code, String message) {}

    /**
     * Why the printer takes no work at all; empty when it does. Continuous printing alone makes no bed clear: it is what
     * runs the macro that does, which then confirms it.
     */
    public static Optional<Reason> whyIdle(Printer printer) {
        if (!printer.enabled()) {
            return reason("enabled", "the printer is switched off for automatic assignment");
        } else if (!printer.isOnline()) {
            return reason("online", "the printer cannot be reached");
        } else if (printer.isInMaintenance()) {
            return reason("in-maintenance", "the printer is in maintenance");
        } else if (!printer.isAvailable()) {
            return reason("available", "the printer is busy");
        } else if (printer.proxyClientId() == null || printer.deviceId() == null) {
            return reason("online", "no agent serves the printer");
        } else if (!printer.confirmedReady()) {
            return reason("ready", "nobody has confirmed that the bed is clear");
        }
        return Optional.empty();
    }

    /** Why this printer is not for this job; {@code loaded} are the material types in its slots. */
    public static Optional<Reason> whyNot(PrintTags tags, Printer printer, Collection<String> loaded) {
        boolean fits = fits(tags.printerId(), printer.id())
                && fits(tags.modelName(), printer.modelName())
                && fits(tags.nozzleDiameter(), printer.nozzleDiameter())
                && fits(
                        tags.provider(),
                        printer.provider() == null ? null : printer.provider().wire())
                && fits(tags.userTags(), printer.tags())
                && fits(tags.filamentType(), loaded);
        return fits ? Optional.empty() : reason("tags-match", "the printer lacks what the job's tags ask for");
    }

    private static boolean fits(@Nullable String rule, @Nullable String present) {
        return fits(rule, present == null ? List.of() : List.of(present));
    }

    private static boolean fits(@Nullable String rule, Collection<String> present) {
        return rule == null || TagRule.of(rule).accepts(present);
    }

    private static Optional<Reason> reason(String code, String message) {
        return Optional.of(new Reason(code, message));
    }
}
