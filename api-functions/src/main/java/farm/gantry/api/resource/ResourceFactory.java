package farm.gantry.api.resource;

import farm.gantry.api.database.Database;
import farm.gantry.api.database.Secrets;
import farm.gantry.api.database.Tables;
import farm.gantry.api.hint.Hints;
import farm.gantry.api.json.RecordReader;
import jakarta.inject.Singleton;

/** Creates the resource of a record from its table. */
@Singleton
public final class ResourceFactory {
    private final Tables tables;
    private final Database database;
    private final RecordReader reader;
    private final Secrets secrets;
    private final Hints hints;

    ResourceFactory(Tables tables, Database database, RecordReader reader, Secrets secrets, Hints hints) {
        this.tables = tables;
        this.database = database;
        this.reader = reader;
        this.secrets = secrets;
        this.hints = hints;
    }

    /** Returns the resource; {@code noun} names its records in error messages. */
    public <R> Resources<R> of(Class<R> type, String noun) {
        return new Resources<>(noun, tables.of(type), database, reader, secrets, hints);
    }
}
