package farm.gantry.api;

import farm.gantry.Id;
import farm.gantry.StoreId;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.store.Database;
import farm.gantry.api.store.Secrets;
import farm.gantry.api.store.Tables;
import farm.gantry.macro.GcodeMacro;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/** Many macros at once, past HTTP. */
final class Macros {
    private Macros() {}

    static void insert(StoreId store, int count, int size) {
        Instant now = Resources.now();
        List<GcodeMacro> macros = IntStream.range(0, count)
                .mapToObj(i -> new GcodeMacro(
                        Id.next(),
                        store.value(),
                        now,
                        now,
                        "macro " + i,
                        GcodeMacro.Type.generic,
                        "G28 \"é\" ".repeat(size / 8),
                        null,
                        List.of()))
                .toList();
        SharedApi.bean(Database.class)
                .in(
                        store,
                        tx -> SharedApi.bean(Tables.class)
                                .of(GcodeMacro.class)
                                .insertAll(tx, macros, Secrets.Shown.HIDDEN));
    }
}
