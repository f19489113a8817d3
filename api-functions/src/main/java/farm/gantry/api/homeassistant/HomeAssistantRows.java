package farm.gantry.api.homeassistant;

import farm.gantry.api.database.Tx;
import jakarta.inject.Singleton;

/** Counts the queue of a store. */
@Singleton
public final class HomeAssistantRows {
    HomeAssistantRows() {}

    /** Returns the number of jobs that no printer has yet. */
    int queueLength(Tx tx) {
        return tx.one("""
                select count(*) from farm."printJob" where "storeId" = ? and status in
                  ('Pending', 'Assigned', 'Slicing', 'Sliced', 'Finalizing', 'Waiting-for-approval', 'Ready-for-printer')""", rows -> rows.getInt(1), tx.store().value());
    }
}
