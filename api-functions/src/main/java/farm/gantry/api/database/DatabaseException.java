package farm.gantry.api.database;

import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import java.sql.SQLException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** A failed statement or an unreachable database. */
public final class DatabaseException extends RuntimeException {
    private static final String UNIQUE = "23505";
    private static final String FOREIGN = "23503";
    private static final String STORE_MOVED = "GK002";
    private static final Pattern KEY = Pattern.compile("_storeId_(.+)_(?:key|idx)$");

    public DatabaseException(SQLException cause) {
        super(cause);
    }

    /** Returns the exception for the caller: a conflict with another row, a moved store, or an internal error. */
    static RuntimeException of(SQLException cause) {
        return switch (cause.getSQLState()) {
            case UNIQUE ->
                ProblemException.conflict("a record with this " + conflictingColumns(cause) + " already exists");
            case FOREIGN ->
                ProblemException.conflict(
                        "a record that it refers to was deleted, or another record now refers to it; read the records again");
            case STORE_MOVED -> storeMoved(cause);
            case null, default -> new DatabaseException(cause);
        };
    }

    private static ProblemException storeMoved(SQLException cause) {
        return new ProblemException(new Problem.StoreMoved(serverError(cause)
                .map(ServerErrorMessage::getDetail)
                .filter(address -> !address.isEmpty())
                .orElse(null)));
    }

    private static Optional<ServerErrorMessage> serverError(SQLException cause) {
        return Optional.ofNullable(cause instanceof PSQLException sql ? sql.getServerErrorMessage() : null);
    }

    /**
     * Returns the columns in which another row has the same values. Under row-level security PostgreSQL names only the
     * constraint.
     */
    private static String conflictingColumns(SQLException cause) {
        return serverError(cause)
                .map(ServerErrorMessage::getConstraint)
                .map(KEY::matcher)
                .filter(Matcher::find)
                .map(found -> found.group(1).replace("_", ", "))
                .orElse("key");
    }
}
