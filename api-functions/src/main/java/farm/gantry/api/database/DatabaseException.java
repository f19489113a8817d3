package farm.gantry.api.database;

import farm.gantry.api.error.ProblemException;
import java.sql.SQLException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** A statement failed, or the database is unreachable. */
public final class DatabaseException extends RuntimeException {
    private static final String UNIQUE = "23505";
    private static final String FOREIGN = "23503";
    private static final Pattern KEY = Pattern.compile("_storeId_(.+)_(?:key|idx)$");

    public DatabaseException(SQLException cause) {
        super(cause);
    }

    /** What the caller is told: that a row stands in the way, or that this is not its fault. */
    static RuntimeException of(SQLException cause) {
        return switch (cause.getSQLState()) {
            case UNIQUE -> ProblemException.conflict("there is one of this " + key(cause) + " already");
            case FOREIGN -> ProblemException.conflict("what it refers to is gone, or something refers to it by now");
            case null, default -> new DatabaseException(cause);
        };
    }

    /**
     * The columns that another row has the same values in; where a wall stands, PostgreSQL names only the constraint.
     */
    private static String key(SQLException cause) {
        return Optional.ofNullable(cause instanceof PSQLException sql ? sql.getServerErrorMessage() : null)
                .map(ServerErrorMessage::getConstraint)
                .map(KEY::matcher)
                .filter(Matcher::find)
                .map(found -> found.group(1).replace("_", ", "))
                .orElse("key");
    }
}
