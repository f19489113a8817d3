package farm.gantry.api.database;

import farm.gantry.api.json.RawJson;
import farm.gantry.api.query.Cursor;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.security.Caller;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * All records of a list in pages, each of which is read when it is wanted, in a transaction of its own. The ids come
 * first: with a sort order that has cursors, 1000 at a time from cursor to cursor; with any other, all at once, because
 * a changed value could move a record to another page. The primary database answers, because a replica may lack an id.
 */
final class ListExport<R> implements Iterator<List<RawJson<R>>> {
    private final Table<R> table;
    private final Database database;
    private final Caller caller;
    private final ListQuery query;
    private final Secrets.Visibility shown;
    private List<String> ids = List.of();

    /** The query of the next ids; null after the last. */
    private @Nullable ListQuery rest;

    ListExport(Table<R> table, Database database, Caller caller, ListQuery query, Secrets.Visibility shown) {
        this.table = table;
        this.database = database;
        this.caller = caller;
        this.query = query;
        this.shown = shown;
        this.rest =
                Cursor.supports(query.sort()) ? query.page(ListQuery.MAX_RECORDS, query.offset()) : query.unlimited();
    }

    @Override
    public boolean hasNext() {
        if (ids.isEmpty() && rest != null) {
            readIds(rest);
        }
        return !ids.isEmpty();
    }

    @Override
    public List<RawJson<R>> next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        List<String> page = ids.subList(0, Math.min(Table.MAX_BATCH, ids.size()));
        ids = ids.subList(page.size(), ids.size());
        Map<String, RawJson<R>> records = database.in(caller, tx -> table.getAll(tx, page, query, shown));
        return page.stream().map(records::get).filter(Objects::nonNull).toList();
    }

    private void readIds(ListQuery wanted) {
        Keys keys = database.run(
                caller,
                SqlStatement.selectKeys(table.columns(), caller.unverifiedStore(), wanted),
                rows -> Keys.read(wanted, rows));
        ids = keys.ids();
        rest = keys.rest();
    }

    /** The next ids, and the query of those after them; null after the last. */
    private record Keys(List<String> ids, @Nullable ListQuery rest) {
        static Keys read(ListQuery wanted, ResultSet rows) throws SQLException {
            List<String> ids = new ArrayList<>();
            while (rows.next()) {
                ids.add(rows.getString(1));
                if (ids.size() == wanted.limit()) {
                    return new Keys(ids, wanted.following(PageWriter.sortValues(rows, wanted.sort(), 2)));
                }
            }
            return new Keys(ids, null);
        }
    }
}
