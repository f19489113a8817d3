package farm.gantry.api.part;

import farm.gantry.api.database.Tx;

/** Is told of parts whose file was read without a fault, so that they can be printed. */
public interface ProcessedPartListener {
    /** Runs in the transaction that makes the part ready. */
    void onReady(Tx tx, String partId);
}
