package farm.gantry.api.profile;

import farm.gantry.api.database.Tx;
import farm.gantry.job.PrintJob;
import java.util.List;
import java.util.Map;

/** Told of changes to what is sliced with which profile; the schedule implements it, which knows the jobs. */
public interface ProfileChangeListener {
    /** Follows a change of profiles, or of what names them, in its transaction and before it locks jobs or printers. */
    default void onChange(Tx tx) {
        onChange(tx, Map.of());
    }

    /** Follows a change that also affected filament in printers' slots. */
    void onChange(Tx tx, Map<String, List<PrintJob.Slot>> places);
}
