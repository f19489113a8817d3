package farm.gantry.api.live;

import farm.gantry.api.error.ProblemException;
import farm.gantry.api.json.MergePatch;
import farm.gantry.api.store.Tx;
import farm.gantry.printer.PrinterState;
import io.micronaut.core.type.Argument;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.ObjectMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** What the printers do right now: the latest report of each, whole. */
@Singleton
public final class LiveStates {
    private final ObjectMapper mapper;

    LiveStates(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    /** Applies a report: the first of a session is the whole state, later ones are merge patches on it. */
    public PrinterState report(Tx tx, String printerId, String session, Map<String, Object> report) {
        JsonNode before = tx.query(
                "select state::text from farm.\"printerState\" where \"storeId\"=? and \"printerId\"=? and session=?"
                        + " for update",
                rows -> rows.next() ? tree(rows.getString(1)) : JsonNode.createObjectNode(Map.of()),
                tx.store().value(),
                printerId,
                session);
        try {
            JsonNode patch = Objects.requireNonNull(mapper.writeValueToTree(report));
            PrinterState after = Objects.requireNonNull(
                    mapper.readValueFromTree(MergePatch.apply(before, patch), PrinterState.class));
            keep(tx, printerId, session, after);
            return after;
        } catch (IOException e) {
            throw ProblemException.invalid("reports", "invalid", "a printer's state is not whole: begin a new session");
        }
    }

    private void keep(Tx tx, String printerId, String session, PrinterState state) throws IOException {
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
                rows -> rows.next() ? Optional.of(state(rows)) : Optional.empty(),
                tx.store().value(),
                printerId);
    }

    /** Printer → its state, of those of the printers that were ever seen. */
    public Map<String, PrinterState> find(Tx tx, Collection<String> printerIds) {
        return tx.query(
                "select state::text, \"printerId\" from farm.\"printerState\" where \"storeId\"=?"
                        + " and \"printerId\"=any(?)",
                rows -> {
                    Map<String, PrinterState> states = new HashMap<>();
                    while (rows.next()) {
                        states.put(rows.getString(2), state(rows));
                    }
                    return states;
                },
                tx.store().value(),
                printerIds.toArray(String[]::new));
    }

    /** Printer → its places for filament, of all printers that have any. */
    public Map<String, List<PrinterState.FilamentSlot>> filamentSlots(Tx tx) {
        return tx.query(
                "select \"printerId\", state->>'filamentSlots' from farm.\"printerState\" where \"storeId\"=?"
                        + " and state->>'filamentSlots' <> '[]'",
                rows -> {
                    Map<String, List<PrinterState.FilamentSlot>> slots = new HashMap<>();
                    while (rows.next()) {
                        slots.put(rows.getString(1), slots(rows.getString(2)));
                    }
                    return slots;
                },
                tx.store().value());
    }

    private List<PrinterState.FilamentSlot> slots(String json) {
        try {
            return Objects.requireNonNull(mapper.readValue(json, Argument.listOf(PrinterState.FilamentSlot.class)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private PrinterState state(ResultSet rows) throws SQLException {
        try {
            return Objects.requireNonNull(mapper.readValue(rows.getString(1), PrinterState.class));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private JsonNode tree(String json) {
        try {
            return Objects.requireNonNull(mapper.readValue(json, Argument.of(JsonNode.class)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
