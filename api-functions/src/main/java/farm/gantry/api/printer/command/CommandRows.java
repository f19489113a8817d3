package farm.gantry.api.printer.command;

import farm.gantry.Id;
import farm.gantry.api.database.Tx;
import farm.gantry.api.json.JsonCodec;
import farm.gantry.wire.Command;
import io.micronaut.core.type.Argument;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;

/** Statements on commands that are queued for agents until acknowledged. */
@Singleton
public final class CommandRows {
    /** Lifetime of a start command and of the URL of its file. */
    public static final Duration START_COMMAND_LIFETIME = Duration.ofHours(24);

    /** The maximum number of commands in one response: an agent journals each of them before it polls again. */
    public static final int MAX_IN_RESPONSE = 100;

    private static final String READS = """
            select c.id, p."deviceId", c."expiresAt", c.action::text, c."printerId" from farm."agentCommand" c
            join farm.printer p on p."storeId" = c."storeId" and p.id = c."printerId"
            where c."storeId" = ? and c."agentId" = ?""";

    private final JsonCodec json;

    CommandRows(JsonCodec json) {
        this.json = json;
    }

    /** A queued command and the id of its printer. */
    public record PendingCommand(Command command, String printerId) {}

    /** A command to be queued for an agent's printer. */
    public record NewCommand(String agentId, String printerId, Command.Action action) {}

    /** A row of {@code agentCommand}. */
    @Serdeable
    record CommandRow(String id, String agentId, String printerId, ActionWrapper action) {}

    /** Queues a command for an agent; returns its id. */
    public String add(Tx tx, String agentId, String printerId, Command.Action action, Duration life) {
        String id = Id.next();
        add(tx, List.of(new CommandRow(id, agentId, printerId, new ActionWrapper(action))), life);
        return id;
    }

    public void addAll(Tx tx, List<NewCommand> orders, Duration life) {
        add(
                tx,
                orders.stream()
                        .map(order -> new CommandRow(
                                Id.next(), order.agentId(), order.printerId(), new ActionWrapper(order.action())))
                        .toList(),
                life);
    }

    private void add(Tx tx, List<CommandRow> rows, Duration life) {
        if (rows.isEmpty()) {
            return;
        }
        tx.update("""
                insert into farm."agentCommand" ("storeId", id, "agentId", "printerId", action, "expiresAt")
                select ?, t.id, t."agentId", t."printerId", t.action, now() + ? * interval '1 second'
                from json_to_recordset(?::json) t(id text, "agentId" text, "printerId" text, action json)""", tx.store().value(), life.toSeconds(), json.write(rows));
    }

    /**
     * Returns the commands the agent has not acknowledged, oldest first, without those for printers that no longer have
     * a device.
     */
    public List<PendingCommand> findPending(Tx tx, String agentId) {
        return tx.list(
                READS + " and p.\"deviceId\" is not null order by c.\"createdAt\", c.id",
                this::toPendingCommand,
                tx.store().value(),
                agentId);
    }

    /**
     * Returns the next {@link #MAX_IN_RESPONSE} of these commands: emergency stops first, then the oldest. All others
     * keep their order, because a later one may revoke an earlier one.
     */
    public List<PendingCommand> findNext(Tx tx, String agentId) {
        return tx.list(READS + """
                 and p."deviceId" is not null
                order by c.action #>> '{action,command}' is not distinct from 'emergency-stop' desc, c."createdAt", c.id
                limit ?""", this::toPendingCommand, tx.store().value(), agentId, MAX_IN_RESPONSE);
    }

    /** Deletes and returns an acknowledged command. */
    public Optional<PendingCommand> remove(Tx tx, String agentId, String commandId) {
        Optional<PendingCommand> found = tx.first(
                READS + " and c.id = ?", this::toPendingCommand, tx.store().value(), agentId, commandId);
        tx.update(
                "delete from farm.\"agentCommand\" where \"storeId\" = ? and \"agentId\" = ? and id = ?",
                tx.store().value(),
                agentId,
                commandId);
        return found;
    }

    private PendingCommand toPendingCommand(ResultSet rows) throws SQLException {
        Instant expiresAt = rows.getObject(3, OffsetDateTime.class).toInstant();
        ActionWrapper boxed = json.read(rows.getString(4), Argument.of(ActionWrapper.class));
        return new PendingCommand(
                new Command(rows.getString(1), rows.getString(2), expiresAt, boxed.action()), rows.getString(5));
    }

    /** Wraps the action so that its type is serialised. */
    @Serdeable
    record ActionWrapper(Command.Action action) {}
}
