package farm.gantry.api.database;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Permission;
import farm.gantry.api.fixture.Macros;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.json.RawJson;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.security.Caller;
import farm.gantry.macro.GcodeMacro;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ListExportTest {
    private final SharedApi.Store store = SharedApi.newStore();
    private final Database database = SharedApi.bean(Database.class);
    private final Table<GcodeMacro> table = SharedApi.bean(Tables.class).of(GcodeMacro.class);
    private final Caller caller = new Caller(store.id(), "k", false, Set.of(Permission.MACRO_VIEW));

    @ParameterizedTest
    @ValueSource(strings = {"id", "id:desc", "createdAt,id:desc", "name", "name:desc"})
    void recordThatChangesDuringTheExportIsReadOnce(String sort) {
        Macros.insert(store.id(), 2500, 8);
        List<String> ids = texts("select id from farm.\"gcodeMacro\" where \"storeId\" = ?");
        Iterator<List<RawJson<GcodeMacro>>> pages = table.export(
                caller,
                ListQuery.of(table.columns(), Map.of("sort", List.of(sort), "fields", List.of("id"))),
                Secrets.Visibility.HIDDEN);
        List<String> exported = new ArrayList<>();
        while (pages.hasNext()) {
            pages.next().forEach(record -> exported.add(record.text()));
            // every name moves to the other end of the alphabet
            database.in(
                    store.id(),
                    tx -> tx.update(
                            "update farm.\"gcodeMacro\" set name = translate(name, '0123456789', '9876543210')"
                                    + " where \"storeId\" = ?",
                            store.id().value()));
        }
        assertThat(exported)
                .containsExactlyInAnyOrderElementsOf(
                        ids.stream().map(id -> "{\"id\":\"" + id + "\"}").toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"id", "name"})
    void recordThatIsDeletedDuringTheExportIsLeftOut(String sort) {
        Macros.insert(store.id(), 150, 8);
        Iterator<List<RawJson<GcodeMacro>>> pages = table.export(
                caller, ListQuery.of(table.columns(), Map.of("sort", List.of(sort))), Secrets.Visibility.HIDDEN);
        assertThat(pages.next()).hasSize(100);
        database.in(
                store.id(),
                tx -> tx.update(
                        "delete from farm.\"gcodeMacro\" where \"storeId\" = ?",
                        store.id().value()));
        List<Object> rest = new ArrayList<>();
        pages.forEachRemaining(rest::addAll);
        assertThat(rest).isEmpty();
    }

    private List<String> texts(String sql) {
        return database.in(store.id(), tx -> tx.texts(sql, store.id().value()));
    }
}
