package farm.gantry.api.part;

import farm.gantry.api.database.Tx;
import java.util.List;

/** Receives the parts whose file was read. It runs in the transaction that ends the ingest and returns warnings for the part. */
public interface ProcessedPartListener {
    /** Handles a part that is ready to be printed, with the hashes of its files. */
    List<String> onReady(Tx tx, String partId, List<String> fileHashes);

    /** Handles a part whose file could not be read. */
    List<String> onFailed(Tx tx, String partId);
}
