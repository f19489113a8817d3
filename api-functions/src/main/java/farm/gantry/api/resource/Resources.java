package farm.gantry.api.resource;

import farm.gantry.StoreId;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Secrets;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.Faults;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.hint.Hints;
import farm.gantry.api.http.IfMatch;
import farm.gantry.api.json.RawJson;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.security.Caller;
import io.micronaut.http.HttpResponse;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What every resource can do: list, get, create, patch, delete; a controller adds its own rules. */
public final class Resources<R> extends ReadableResource<R> {
    /** The member of a change to many that holds the fields; what is wrong with them is said below its path. */
    static final String UPDATE = "update";

    private static final String IDS = "ids";

    /** The records of a change to many. */
    @Serdeable
    record Selection(@Size(min = 1, max = 1000) List<String> ids) {}

    /** What a resource adds to its changes; {@code whole} is how a single record of it is answered. */
    private record Hooks<R>(
            ListQuery whole,
            @Nullable BiFunction<Tx, List<R>, List<R>> check,
            boolean inTurn,
            @Nullable Consequence<R> consequence,
            @Nullable BiConsumer<Tx, List<String>> lock) {}

    private final RecordBodies<R> bodies;
    private final Hooks<R> hooks;

    Resources(String noun, Table<R> table, Database database, RecordReader reader, Secrets secrets, Hints hints) {
        super(noun, table, database, reader, hints);
        this.bodies = new RecordBodies<>(table.columns(), reader, secrets);
        this.hooks = new Hooks<>(ListQuery.all(table.columns()), null, false, null, null);
    }

    private Resources(Resources<R> other, Hooks<R> hooks) {
        super(other.noun, other.table, other.database, other.reader, other.hints);
        this.bodies = other.bodies;
        this.hooks = hooks;
    }

    /**
     * What a change brings about, in its transaction: of the records as they were, and as they are; new ones were not.
     */
    public interface Consequence<R> {
        void follow(Tx tx, List<R> before, List<R> after);
    }

    /** The resource whose records are each checked, or completed, before they are kept; the check looks at no other of them. */
    public Resources<R> checkedBy(BiFunction<Tx, R, R> every) {
        return checkedTogetherBy((tx, records) ->
                records.stream().map(record -> every.apply(tx, record)).toList());
    }

    /** The same, of all records of a change at once. */
    public Resources<R> checkedTogetherBy(BiFunction<Tx, List<R>, List<R>> all) {
        return new Resources<>(this, new Hooks<>(hooks.whole, all, false, hooks.consequence, hooks.lock));
    }

    /**
     * The same where the check of a record looks at others, or changes them: those of a change are kept one after another.
     */
    public Resources<R> checkedInTurnBy(BiFunction<Tx, R, R> every) {
        Resources<R> checked = checkedBy(every);
        return new Resources<>(
                this, new Hooks<>(hooks.whole, checked.hooks.check, true, hooks.consequence, hooks.lock));
    }

    /** The resource whose changes have this consequence. */
    public Resources<R> followedBy(Consequence<R> each) {
        return new Resources<>(this, new Hooks<>(hooks.whole, hooks.check, hooks.inTurn, each, hooks.lock));
    }

    /** The resource of which others are locked before those of its records that change; it is told their ids, none of new ones. */
    public Resources<R> lockedBy(BiConsumer<Tx, List<String>> others) {
        return new Resources<>(this, new Hooks<>(hooks.whole, hooks.check, hooks.inTurn, hooks.consequence, others));
    }

    /** The resource whose single record is always answered as this query has it. */
    public Resources<R> answeredAs(ListQuery query) {
        return new Resources<>(this, new Hooks<>(query, hooks.check, hooks.inTurn, hooks.consequence, hooks.lock));
    }

    private void lock(Tx tx, List<String> ids) {
        if (hooks.lock != null) {
            hooks.lock.accept(tx, ids);
        }
    }

    private void follow(Tx tx, List<R> before, List<R> after) {
        if (hooks.consequence != null) {
            hooks.consequence.follow(tx, before, after);
        }
    }

    /** Creates the record of a body; {@code system} holds the components the service sets. */
    public HttpResponse<R> create(Caller caller, JsonNode body, Map<String, ?> system) {
        Faults faults = new Faults();
        Optional<R> read = faults.read("", () -> record(caller.unverifiedStore(), body, system));
        addUnknown(caller, faults, "", body);
        faults.check();
        R record = read.orElseThrow();
        boolean alone = hooks.check == null && hooks.lock == null && isAllOfItsChange() && !table.refers(record);
        return Answers.created(
                alone
                        ? table.insert(caller, record, table.shown(caller))
                        : database.in(caller, tx -> create(tx, caller, record)));
    }

    /** Whether a record's row is all that its change writes and its answer holds. */
    private boolean isAllOfItsChange() {
        return hooks.consequence == null && table.columns().embeds().isEmpty();
    }

    private R checked(Tx tx, R record) {
        return checked(tx, List.of(record)).getFirst();
    }

    private List<R> checked(Tx tx, List<R> records) {
        if (hooks.check == null) {
            return records;
        }
        return orAllFaults(() -> hooks.check.apply(tx, records), () -> table.checkReferences(tx, records));
    }

    /** The result, or all that is wrong: where the reading fails, what is named and not there is told with it. */
    private static <T> T orAllFaults(Supplier<T> reading, Runnable references) {
        Faults faults = new Faults();
        Optional<T> read = faults.read("", reading);
        if (read.isEmpty()) {
            faults.run("", references);
        }
        faults.check();
        return read.orElseThrow();
    }

    /** Adds what a body names that is not there, if it is refused for these faults: all that is wrong is told at once. */
    public void addUnknown(Caller caller, Faults faults, String path, JsonNode body) {
        if (faults.size() > 0) {
            database.in(caller, tx -> {
                addUnknown(tx, faults, path, body);
                return faults;
            });
        }
    }

    /** The same, as part of a larger change. */
    public void addUnknown(Tx tx, Faults faults, String path, JsonNode body) {
        if (faults.size() > 0) {
            faults.run(path, () -> table.checkReferences(tx, body));
        }
    }

    /** Keeps the record, as part of a larger change. */
    public RawJson<R> create(Tx tx, Caller caller, R record) {
        lock(tx, List.of());
        R complete = checked(tx, record);
        RawJson<R> made = table.insert(tx, complete, table.shown(caller));
        follow(tx, List.of(), List.of(complete));
        return answer(tx, caller, made);
    }

    /** The record with what it embeds, as it is when all that follows from its change is done. */
    private RawJson<R> answer(Tx tx, Caller caller, RawJson<R> written) {
        if (isAllOfItsChange()) {
            return written;
        }
        String id = reader.tree(written).get("id").getStringValue();
        return table.get(tx, id, table.shown(caller)).orElseThrow(() -> ProblemException.notFound(noun));
    }

    /** The record a body describes, with a new id, not yet kept. */
    public R record(StoreId store, JsonNode body, Map<String, ?> system) {
        return bodies.created(store, body, system);
    }

    public HttpResponse<R> patch(Caller caller, String id, IfMatch ifMatch, JsonNode body) {
        return patch(caller, id, ifMatch, body, (_, _, changed) -> changed);
    }

    /** What a resource says to a change: it may refuse the result, or add to it. */
    public interface Rule<R> {
        R apply(Tx tx, R kept, R changed);
    }

    /**
     * Replaces the fields the body names, has the rule look at it, and checks the whole. The row is locked meanwhile.
     */
    public HttpResponse<R> patch(Caller caller, String id, IfMatch ifMatch, JsonNode body, Rule<R> rule) {
        checked(id);
        return Answers.ok(database.in(caller, tx -> patch(tx, caller, id, ifMatch, body, rule)));
    }

    /** The same, as part of a larger change that depends on nothing. */
    public RawJson<R> patch(Tx tx, Caller caller, String id, JsonNode body, Rule<R> rule) {
        return patch(tx, caller, id, IfMatch.NONE, body, rule);
    }

    /** The same, as part of a larger change. */
    public RawJson<R> patch(Tx tx, Caller caller, String id, IfMatch ifMatch, JsonNode body, Rule<R> rule) {
        ProblemException.throwUnlessObject(body);
        lock(tx, List.of(id));
        RawJson<R> row = table.lockKept(tx, id).orElseThrow(() -> {
            reader.checkNamed(table.columns().type(), body);
            return ProblemException.notFound(noun);
        });
        R before = table.record(row);
        Written<R> after = patched(caller, tx, row, before, body, unless(caller, id, ifMatch, rule));
        follow(tx, List.of(before), List.of(after.record()));
        return answer(tx, caller, after.json());
    }

    /** The rule, and after it the condition: who may not change the record learns nothing of it. */
    private Rule<R> unless(Caller caller, String id, IfMatch ifMatch, Rule<R> rule) {
        return (tx, kept, changed) -> {
            boolean isStale = isStale(tx, caller, id, ifMatch);
            R ruled = rule.apply(tx, kept, changed);
            ProblemException.throwIfStale(isStale);
            return ruled;
        };
    }

    /** Whether the record, which is locked, is no longer what the condition names. */
    public boolean isStale(Tx tx, Caller caller, String id, IfMatch ifMatch) {
        return ifMatch.isStale(() ->
                table.get(tx, id, hooks.whole, table.shown(caller)).orElseThrow(() -> ProblemException.notFound(noun)));
    }

    private record Written<R>(R record, RawJson<R> json) {}

    private Written<R> patched(Caller caller, Tx tx, RawJson<R> row, R before, JsonNode body, Rule<R> rule) {
        JsonNode kept = reader.tree(row);
        R record = checked(tx, rule.apply(tx, before, patched(tx, kept, body)));
        String readAt = kept.get("updatedAt").getStringValue();
        RawJson<R> json = table.update(tx, kept.get("id").getStringValue(), readAt, record, table.shown(caller))
                .orElseThrow(() -> ProblemException.notFound(noun));
        return new Written<>(record, json);
    }

    /** Makes the same change to each of the records, or to none when one is missing. */
    public HttpResponse<List<R>> patchAll(Caller caller, JsonNode body, Rule<R> rule) {
        return Answers.ok(database.in(caller, tx -> patchAll(tx, caller, body, rule)));
    }

    /** The same, as part of a larger change. */
    public RawJson<List<R>> patchAll(Tx tx, Caller caller, JsonNode body, Rule<R> rule) {
        Faults faults = new Faults();
        Optional<Selection> selection = faults.read("", () -> reader.read(Selection.class, body));
        JsonNode update = Objects.requireNonNullElse(body.get(UPDATE), JsonNode.nullNode());
        if (body.isObject() && !update.isObject()) {
            faults.add(UPDATE, update.isNull() ? "required" : "type", "update must be an object");
        }
        faults.check();
        List<String> ids = selection.orElseThrow().ids().stream().distinct().toList();
        lock(tx, ids);
        Map<String, RawJson<R>> found = table.lockKept(tx, ids);
        List<String> missing = ids.stream().filter(id -> !found.containsKey(id)).toList();
        if (!missing.isEmpty()) {
            faults.read(UPDATE, () -> {
                reader.checkNamed(table.columns().type(), update);
                return update;
            });
            faults.check();
        }
        ProblemException.throwIfMissing(missing);
        List<R> before = new ArrayList<>();
        List<R> after = new ArrayList<>();
        Consumer<Collection<RawJson<R>>> change = rows -> {
            List<R> kept = rows.stream().map(table::record).toList();
            before.addAll(kept);
            faults.read(UPDATE, () -> patched(tx, rows, kept, update, rule)).ifPresent(after::addAll);
            faults.check();
        };
        if (hooks.inTurn) {
            found.keySet()
                    .forEach(id -> change.accept(table.lockKept(tx, List.of(id)).values()));
        } else {
            change.accept(found.values());
        }
        follow(tx, before, after);
        return table.get(tx, ids, table.shown(caller));
    }

    /** What is to change of one of many records, and where in the body that is said. */
    public record Update(String place, JsonNode fields) {}

    /** What a resource says to a change of many: as {@link Rule}, of all that are kept and of what they become. */
    public interface RuleOfMany<R> {
        List<R> apply(Tx tx, List<R> kept, List<R> changed);
    }

    /** Changes each of the records in its own way, by id, as part of a larger change; or none when one is missing. */
    public void patchEach(Tx tx, Map<String, Update> updates, RuleOfMany<R> rule) {
        List<String> ids = List.copyOf(updates.keySet());
        lock(tx, ids);
        Map<String, RawJson<R>> found = table.lockKept(tx, ids);
        ProblemException.throwIfMissing(
                ids.stream().filter(id -> !found.containsKey(id)).toList());
        Faults faults = new Faults();
        List<R> before = new ArrayList<>();
        List<R> changed = new ArrayList<>();
        updates.forEach((id, update) -> {
            RawJson<R> row = Objects.requireNonNull(found.get(id));
            before.add(table.record(row));
            faults.read(update.place(), () -> checked(tx, patched(tx, reader.tree(row), update.fields())))
                    .ifPresent(changed::add);
        });
        faults.check();
        List<R> after = rule.apply(tx, before, changed);
        table.updateAll(tx, after);
        follow(tx, before, after);
    }

    private R patched(Tx tx, JsonNode kept, JsonNode body) {
        return orAllFaults(() -> bodies.patched(kept, body), () -> table.checkReferences(tx, body));
    }

    /** {@code before} are the records of the rows. */
    private List<R> patched(Tx tx, Collection<RawJson<R>> rows, List<R> before, JsonNode body, Rule<R> rule) {
        List<R> changed = new ArrayList<>();
        for (RawJson<R> row : rows) {
            changed.add(rule.apply(tx, before.get(changed.size()), patched(tx, reader.tree(row), body)));
        }
        List<R> records = checked(tx, changed);
        table.updateAll(tx, records);
        return records;
    }

    /** Changes the records of these ids, all or none, and answers them as they are then. */
    public HttpResponse<List<R>> changeNamed(Caller caller, List<String> ids, BiConsumer<Tx, List<R>> change) {
        return Answers.ok(database.in(caller, tx -> {
            lock(tx, ids);
            change.accept(tx, table.lockNamed(tx, ids));
            return table.get(tx, ids, table.shown(caller));
        }));
    }

    /** Deletes one record and answers its id in an array. */
    public HttpResponse<List<String>> delete(Caller caller, String id, IfMatch ifMatch) {
        return delete(caller, id, ifMatch, _ -> {});
    }

    /** The same; {@code permit} may refuse it. */
    public HttpResponse<List<String>> delete(Caller caller, String id, IfMatch ifMatch, Consumer<R> permit) {
        checked(id);
        return HttpResponse.ok(database.in(caller, tx -> delete(tx, caller, id, ifMatch, permit)));
    }

    /** The same, as part of a larger change. */
    public List<String> delete(Tx tx, Caller caller, String id, IfMatch ifMatch, Consumer<R> permit) {
        List<String> deleted = delete(tx, List.of(id), record -> {
            permit.accept(record);
            ProblemException.throwIfStale(isStale(tx, caller, id, ifMatch));
        });
        if (deleted.isEmpty()) {
            throw ProblemException.notFound(noun);
        }
        return deleted;
    }

    /** Deletes those of the ids that are there, and answers them; {@code permit} may refuse any, and then none is deleted. */
    public HttpResponse<List<String>> deleteAll(Caller caller, JsonNode body, Consumer<R> permit) {
        List<String> ids;
        try {
            ids = reader.read(Selection.class, JsonNode.createObjectNode(Map.of(IDS, body)))
                    .ids();
        } catch (ProblemException refused) {
            throw refused.at(path -> path.substring(IDS.length())); // the body is the array itself
        }
        return HttpResponse.ok(database.in(caller, tx -> delete(tx, ids, permit)));
    }

    /** The same without a check, as part of a larger change. */
    public List<String> delete(Tx tx, List<String> ids) {
        return delete(tx, ids, _ -> {});
    }

    private List<String> delete(Tx tx, List<String> ids, Consumer<R> permit) {
        lock(tx, ids);
        List<R> before =
                table.lockKept(tx, ids).values().stream().map(table::record).toList();
        before.forEach(permit);
        List<String> deleted = table.delete(tx, ids);
        follow(tx, before, List.of());
        return deleted;
    }

    /** The time as records keep it, to the millisecond. */
    public static Instant now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS);
    }
}
