package farm.gantry.api.wrong;

import farm.gantry.api.database.Tx;

public record SqlOutsideTheStore(Tx tx) {
    int all() {
        return tx.update("delete from farm.part");
    }
}
