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
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

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

    /** Applies a report: the first of a session is the whole state, later ones are merge patches on it. */
    public PrinterState report(Tx tx, String printerId, String session, Map<String, Object> report) {
        Map<String, Object> before = tx.query(
                "select state::text from farm.\"printerState\" where \"storeId\"=? and \"printerId\"=? and session=?"
                        + " for update",
                rows -> rows.next() ? parsed(rows.getString(1), TREE) : Map.of(),
                tx.store().value(),
                printerId,
                session);
        try {
            PrinterState after = Objects.requireNonNull(mapper.readValueFromTree(
                    mapper.writeValueToTree(MergePatch.apply(before, report)), PrinterState.class));
            save(tx, printerId, session, after);
            return after;
        } catch (IOException e) {
            throw ProblemException.invalid("reports", "invalid", "a printer's state is not whole: begin a new session");
        }
    }

    private void save(Tx tx, String printerId, String session, PrinterState state) throws IOException {
        tx.update(
                """
                insert into farm."printerState" ("storeId", "printerId", session, state, at)
                values (?, ?, ?, ?::json, ?::timestamptz)
                on conflict ("storeId", "printerId")
                do update set session = excluded.session, state = excluded.state, at = excluded.at,
                  changed = pg_current_xact_id()""",
                tx.store().value(),
                printerId,
                session,
                mapper.writeValueAsString(state),
                state.at().toString());
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
        return tx.query(
                "select state::text from farm.\"printerState\" where \"storeId\"=? and \"printerId\"=?",
                rows -> rows.next() ? Optional.of(parsed(rows.getString(1), STATE)) : Optional.empty(),
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
