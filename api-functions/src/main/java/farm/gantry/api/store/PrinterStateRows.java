package farm.gantry.api.store;

import farm.gantry.api.error.ProblemException;
import farm.gantry.json.MergePatch;
import farm.gantry.printer.PrinterState;
import io.micronaut.core.type.Argument;
import io.micronaut.serde.ObjectMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The latest state of each printer, whole. */
@Singleton
public final class PrinterStateRows {
    private static final Argument<Map<String, Object>> TREE = Argument.mapOf(String.class, Object.class);
    private static final Argument<PrinterState> STATE = Argument.of(PrinterState.class);
    private static final Argument<List<PrinterState.FilamentSlot>> SLOTS =
            Argument.listOf(PrinterState.FilamentSlot.class);

    private final ObjectMapper mapper;

    PrinterStateRows(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    /**
     * Applies reports, by their printers' ids: the first of a session is the whole state, later ones are merge patches on it.
     *
     * @return the states as they are now
     */
    public SortedMap<String, PrinterState> report(
            Tx tx, String session, SortedMap<String, Map<String, Object>> reports) {
        SortedMap<String, PrinterState> states = new TreeMap<>();
        if (reports.isEmpty()) {
            return states;
        }
        Map<String, Map<String, Object>> before = tx.map(
                """
                select "printerId", state::text from farm."printerState"
                where "storeId" = ? and "printerId" = any(?) and session = ? order by "printerId" for update""",
                rows -> parsed(rows.getString(2), TREE),
                tx.store().value(),
                reports.keySet().toArray(String[]::new),
                session);
        try {
            for (Map.Entry<String, Map<String, Object>> report : reports.entrySet()) {
                Map<String, Object> after =
                        MergePatch.apply(before.getOrDefault(report.getKey(), Map.of()), report.getValue());
                states.put(report.getKey(), whole(after));
            }
            save(tx, session, states);
        } catch (IOException e) {
            throw ProblemException.invalid("reports", "invalid", "a printer's state is not whole: begin a new session");
        }
        return states;
    }

    /** What an agent left out reads as null. */
    private PrinterState whole(Map<String, Object> tree) throws IOException {
        PrinterState state = mapper.readValueFromTree(mapper.writeValueToTree(tree), PrinterState.class);
        if (state == null
                || Stream.of(
                                state.connection(),
                                state.status(),
                                state.temperatures(),
                                state.filamentSlots(),
                                state.errors(),
                                state.at())
                        .anyMatch(Objects::isNull)) {
            throw new IOException("a member is missing");
        }
        return state;
    }

    private void save(Tx tx, String session, SortedMap<String, PrinterState> states) throws IOException {
        List<String> texts = new ArrayList<>();
        List<String> times = new ArrayList<>();
        for (PrinterState state : states.values()) {
            texts.add(mapper.writeValueAsString(state));
            times.add(state.at().toString());
        }
        tx.update(
                """
                insert into farm."printerState" ("storeId", "printerId", session, state, at)
                select ?, told.id, ?, told.state::json, told.at::timestamptz
                from unnest(?::text[], ?::text[], ?::text[]) told (id, state, at) order by told.id
                on conflict ("storeId", "printerId")
                do update set session = excluded.session, state = excluded.state, at = excluded.at,
                  changed = pg_current_xact_id()""",
                tx.store().value(),
                session,
                states.keySet().toArray(String[]::new),
                texts.toArray(String[]::new),
                times.toArray(String[]::new));
    }

    /** Whether the printer's latest report is of that session. */
    public boolean isOf(Tx tx, String printerId, String session) {
        return tx.query(
                "select from farm.\"printerState\" where \"storeId\"=? and \"printerId\"=? and session=?",
                ResultSet::next,
                tx.store().value(),
                printerId,
                session);
    }

    public Optional<PrinterState> find(Tx tx, String printerId) {
        return tx.first(
                "select state::text from farm.\"printerState\" where \"storeId\"=? and \"printerId\"=?",
                rows -> parsed(rows.getString(1), STATE),
                tx.store().value(),
                printerId);
    }

    /** Printer id → its state; printers that never reported are left out. */
    public Map<String, PrinterState> find(Tx tx, Collection<String> printerIds) {
        return tx.map(
                "select \"printerId\", state::text from farm.\"printerState\" where \"storeId\"=?"
                        + " and \"printerId\"=any(?)",
                rows -> parsed(rows.getString(2), STATE),
                tx.store().value(),
                printerIds.toArray(String[]::new));
    }

    /** Printer id → its filament slots, of all printers that have any. */
    public Map<String, List<PrinterState.FilamentSlot>> filamentSlots(Tx tx) {
        return tx.map(
                "select \"printerId\", state->>'filamentSlots' from farm.\"printerState\" where \"storeId\"=?"
                        + " and state->>'filamentSlots' <> '[]'",
                rows -> parsed(rows.getString(2), SLOTS),
                tx.store().value());
    }

    private <T> T parsed(String json, Argument<T> type) {
        try {
            return Objects.requireNonNull(mapper.readValue(json, type));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
