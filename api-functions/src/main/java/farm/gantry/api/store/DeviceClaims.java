package farm.gantry.api.store;

import jakarta.inject.Singleton;

/** Claims of devices: each belongs to one printer over all stores. */
@Singleton
public final class DeviceClaims {

    /** Claims the device; false if a printer of any store has it. */
    public boolean claim(Tx tx, String deviceId, String printerId) {
        return tx.one(
                "select farm.claim_device(?, ?, ?)",
                rows -> rows.getBoolean(1),
                deviceId,
                tx.store().value(),
                printerId);
    }

    public void release(Tx tx, String deviceId) {
        tx.run("select farm.release_device(?, ?)", deviceId, tx.store().value());
    }
}
