package farm.gantry.api.store;

import java.sql.SQLException;

/** The database refused or is out of reach. */
public final class StoreException extends RuntimeException {
    private static final String UNIQUE = "23505";

    StoreException(SQLException cause) {
        super(cause);
    }

    /** Whether another row holds the key already. */
    public boolean isDuplicate() {
        return getCause() instanceof SQLException sql && UNIQUE.equals(sql.getSQLState());
    }
}
