package farm.gantry.api.database;

import java.sql.ResultSet;
import java.sql.SQLException;

/** Reads a value from the rows of a result. */
@FunctionalInterface
public interface ResultReader<T> {
    T read(ResultSet rows) throws SQLException;
}
