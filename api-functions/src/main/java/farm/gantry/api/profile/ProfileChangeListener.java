package farm.gantry.api.profile;

import farm.gantry.api.database.Tx;
import farm.gantry.job.PrintJob;
import java.util.List;
import java.util.Map;

/**
 * Is notified of changes to profiles and of what is sliced with which profile. The schedule package implements it, because it knows the
 * jobs.
 */
public interface ProfileChangeListener {
    /** Handles a change of profiles, or of references to them, in its transaction and before it locks jobs or printers. */
    default void onChange(Tx tx) {
        onChange(tx, Map.of());
    }

    /** Handles a change that also affects filament in printers' slots. */
    void onChange(Tx tx, Map<String, List<PrintJob.Slot>> places);
}
