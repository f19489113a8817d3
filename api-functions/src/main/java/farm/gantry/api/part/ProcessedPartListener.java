package farm.gantry.api.part;

import farm.gantry.api.database.Tx;

/** Receives the parts whose file was read without an error, so that they can be printed. */
public interface ProcessedPartListener {
    /** Runs in the transaction that makes the part ready. */
    void onReady(Tx tx, String partId);
}
