package farm.gantry.api.store;

import farm.gantry.api.RecordReader;
import farm.gantry.api.hint.Hints;
import io.micronaut.serde.ObjectMapper;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The table of each resource record, made once. */
@Singleton
public final class Tables {
    private final Database database;
    private final Secrets secrets;
    private final ObjectMapper mapper;
    private final RecordReader reader;
    private final AnswerSize size;
    private final Hints hints;
    private final Map<Class<?>, Table<?>> tables = new ConcurrentHashMap<>();

    Tables(Database database, Secrets secrets, ObjectMapper mapper, RecordReader reader, AnswerSize size, Hints hints) {
        this.database = database;
        this.secrets = secrets;
        this.mapper = mapper;
        this.reader = reader;
        this.size = size;
        this.hints = hints;
    }

    @SuppressWarnings("unchecked") // each class maps to the table made for it
    public <R> Table<R> of(Class<R> type) {
        return (Table<R>) tables.computeIfAbsent(type, each -> new Table<>(each, database, secrets, mapper, size));
    }

    /** The resource, under the noun its errors call it by. */
    public <R> Resources<R> resource(Class<R> type, String noun) {
        return new Resources<>(noun, of(type), database, reader, secrets, hints, null, null);
    }
}
