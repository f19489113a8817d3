package farm.gantry.api.job.lifecycle;

import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.printer.command.CommandRows;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import farm.gantry.printer.Printer;
import farm.gantry.wire.Command;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** Sends commands to the agent of a job's printer. */
@Singleton
public final class JobCommands {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final Table<Printer> printers;
    private final CommandRows commands;

    JobCommands(Tables tables, CommandRows commands) {
        this.printers = tables.of(Printer.class);
        this.commands = commands;
    }

    /** Asks the printer of a printing job to pause; returns whether it was asked. */
    public boolean pause(Tx tx, PrintJob job) {
        return job.status() == JobStatus.Printing && send(tx, job, new Command.Pause(job.id(), job.attempt()), TIMEOUT);
    }

    /** Asks the printer of a paused job to resume; returns whether it was asked. */
    public boolean resume(Tx tx, PrintJob job) {
        return job.status() == JobStatus.Paused && send(tx, job, new Command.Resume(job.id(), job.attempt()), TIMEOUT);
    }

    /** Sends a command that expires after {@code life}; returns whether the job's printer has an agent. */
    public boolean send(Tx tx, PrintJob job, Command.Action action, Duration life) {
        Optional<Printer> printer = Optional.ofNullable(job.assignedPrinterId())
                .flatMap(id -> printers.find(tx, id))
                .filter(found -> found.proxyClientId() != null && found.deviceId() != null);
        printer.ifPresent(
                found -> commands.add(tx, Objects.requireNonNull(found.proxyClientId()), found.id(), action, life));
        return printer.isPresent();
    }
}
