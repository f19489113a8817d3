package farm.gantry.api.printer.readiness;

import farm.gantry.api.database.Tx;
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
import org.jspecify.annotations.Nullable;

/** Latest state of each printer. */
@Singleton
public final class PrinterStateRows {
    private static final Argument<Map<String, Object>> TREE = Argument.mapOf(String.class, Object.class);
    private static final Argument<PrinterState> STATE = Argument.of(PrinterState.class);
    private static final Argument<List<PrinterState.FilamentSlot>> SLOTS =
            Argument.listOf(PrinterState.FilamentSlot.class);

    private static final List<String> REQUIRED_MEMBERS =
            List.of("connection", "status", "temperatures", "filamentSlots", "errors", "at");

    private final ObjectMapper mapper;

    PrinterStateRows(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    /**
     * Applies reports by printer id: the first of a session is a complete state, later ones are merge patches.
     *
     * @return the resulting states
     */
    public SortedMap<String, PrinterState> applyReports(
            Tx tx, String session, SortedMap<String, Map<String, Object>> reports) {
        SortedMap<String, PrinterState> states = new TreeMap<>();
        if (reports.isEmpty()) {
            return states;
        }
        Map<String, Map<String, Object>> before = tx.map(
                """
                select "printerId", state::text from farm."printerState"
                where "storeId" = ? and "printerId" = any(?) and session = ? order by "printerId" for update""",
                rows -> parse(rows.getString(2), TREE),
                tx.store().value(),
                reports.keySet().toArray(String[]::new),
                session);
        try {
            for (Map.Entry<String, Map<String, Object>> report : reports.entrySet()) {
                Map<String, Object> after =
                        MergePatch.apply(before.getOrDefault(report.getKey(), Map.of()), report.getValue());
                states.put(report.getKey(), parseState(report.getKey(), after));
            }
            save(tx, session, states);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return states;
    }

    /**
     * A report that results in no complete state. {@code member} is missing, or null if a member has the wrong type.
     */
    public static final class IncompleteStateException extends RuntimeException {
        private final String printerId;
        private final @Nullable String member;

        IncompleteStateException(String printerId, @Nullable String member) {
            super("the state of printer " + printerId + " is incomplete", null, false, false);
            this.printerId = printerId;
            this.member = member;
        }

        public String printerId() {
            return printerId;
        }

        public @Nullable String member() {
            return member;
        }
    }

    /** Parses a state; members that an agent omits are null. */
    private PrinterState parseState(String printerId, Map<String, Object> tree) {
        Optional<String> missing =
                REQUIRED_MEMBERS.stream().filter(member -> tree.get(member) == null).findFirst();
        if (missing.isPresent()) {
            throw new IncompleteStateException(printerId, missing.get());
        }
        try {
            return Objects.requireNonNull(mapper.readValueFromTree(mapper.writeValueToTree(tree), PrinterState.class));
        } catch (IOException e) {
            throw new IncompleteStateException(printerId, null);
        }
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

    /** Whether the printer's latest report belongs to the session. */
    public boolean belongsToSession(Tx tx, String printerId, String session) {
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
                rows -> parse(rows.getString(1), STATE),
                tx.store().value(),
                printerId);
    }

    /** Printer id → state; printers without a report are left out. */
    public Map<String, PrinterState> find(Tx tx, Collection<String> printerIds) {
        return tx.map(
                "select \"printerId\", state::text from farm.\"printerState\" where \"storeId\"=?"
                        + " and \"printerId\"=any(?)",
                rows -> parse(rows.getString(2), STATE),
                tx.store().value(),
                printerIds.toArray(String[]::new));
    }

    /** Printer id → filament slots, of all printers that have any. */
    public Map<String, List<PrinterState.FilamentSlot>> filamentSlots(Tx tx) {
        return tx.map(
                "select \"printerId\", state->>'filamentSlots' from farm.\"printerState\" where \"storeId\"=?"
                        + " and state->>'filamentSlots' <> '[]'",
                rows -> parse(rows.getString(2), SLOTS),
                tx.store().value());
    }

    private <T> T parse(String json, Argument<T> type) {
        try {
            return Objects.requireNonNull(mapper.readValue(json, type));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
