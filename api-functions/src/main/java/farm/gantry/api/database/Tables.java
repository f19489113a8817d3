package farm.gantry.api.database;

import io.micronaut.serde.ObjectMapper;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Tables of the resource records, created once. */
@Singleton
public final class Tables {
    private final Database database;
    private final Secrets secrets;
    private final ObjectMapper mapper;
    private final ResponseSizeLimit size;
    private final Map<Class<?>, Table<?>> tables = new ConcurrentHashMap<>();

    Tables(Database database, Secrets secrets, ObjectMapper mapper, ResponseSizeLimit size) {
        this.database = database;
        this.secrets = secrets;
        this.mapper = mapper;
        this.size = size;
    }

    @SuppressWarnings("unchecked") // each class maps to its own table
    public <R> Table<R> of(Class<R> type) {
        return (Table<R>) tables.computeIfAbsent(type, each -> new Table<>(each, database, secrets, mapper, size));
    }
}
