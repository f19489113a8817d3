package farm.gantry.edge.provider.prusalink;

import farm.gantry.edge.printer.connection.PrintPhase;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import farm.gantry.edge.printer.connection.Temperatures;
import farm.gantry.json.Tree;
import farm.gantry.printer.PrinterState;
import farm.gantry.printer.PrinterState.Fault;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.printer.PrinterState.Temperature;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Converts PrusaLink's status. PrusaLink does not report the file of a job that has ended, so its name is taken from
 * the previous status.
 */
final class PrusaLinkStatusParser {
    private static final double WARM_ENOUGH = 2;

    private PrusaLinkStatusParser() {}

    /**
     * Returns the part of the last status that is still valid after the printer was offline. Its ending is dropped,
     * because another print may have run. So is a print that was expected to run much longer, because an end that the
     * printer now shows belongs to another print.
     */
    static @Nullable PrinterStatus stillValid(@Nullable PrinterStatus last, Duration unseen) {
        if (last == null || unseen.compareTo(PrinterState.MIN_PRINT) <= 0) {
            return last;
        }
        return last.ending() == null && mayHaveEnded(last.file(), unseen) ? last : null;
    }

    /** Returns whether the print may have ended meanwhile, assuming that no estimate is wrong by more than half. */
    private static boolean mayHaveEnded(PrinterStatus.@Nullable File file, Duration unseen) {
        Long remaining = file == null ? null : file.remainingSeconds();
        return remaining == null || unseen.compareTo(Duration.ofSeconds(remaining / 2)) >= 0;
    }

    /**
     * Converts a status. {@code fileName} is the file of the current job, null without a job. {@code stopping} is
     * whether the agent has cancelled the last job, which the printer shows as stopped only for seconds.
     */
    static PrinterStatus parse(
            Map<String, Object> status, @Nullable String fileName, @Nullable PrinterStatus before, boolean stopping) {
        String state = String.valueOf(Tree.text(status, "printer", "state"));
        PrinterStatus known = fileName != null
                        || before == null
                        || before.file() == null
                        || invalidatesLastStatus(state, before, stopping)
                ? null
                : before;
        boolean running = fileName != null || (known != null && known.ending() == null);
        PrintPhase phase = phase(state, running, isHeating(status), fileName == null && running);
        Ending ending = running ? phase.ending() : known == null ? null : known.ending();
        PrinterStatus.File last = known == null ? null : known.file();
        return new PrinterStatus(
                phase.status(),
                ending,
                null,
                fileName == null ? fileAtEnd(last, ending) : file(status, fileName, ending),
                temperatures(status),
                List.of(),
                phase.message() == null ? List.of() : List.of(new Fault(errorCode(status), phase.message())));
    }

    /**
     * Returns whether the previous status is about another job. An idle printer that reported no ending was restarted,
     * unless the agent has cancelled the job; an active printer after an ending has another job.
     */
    private static boolean invalidatesLastStatus(String state, PrinterStatus before, boolean stopping) {
        return switch (state) {
            case "IDLE", "READY" -> before.ending() == null && !stopping;
            case "PRINTING", "PAUSED" -> before.ending() != null;
            default -> false;
        };
    }

    /**
     * Returns the phase of a state. {@code running} is whether a job was running before this state, {@code gone}
     * whether it is no longer reported.
     */
    private static PrintPhase phase(String state, boolean running, boolean heating, boolean gone) {
        return switch (state) {
            case "IDLE", "READY" -> new PrintPhase(Status.idle, gone ? Ending.CANCELLED : null);
            case "BUSY" -> new PrintPhase(running ? Status.preparing : Status.unknown);
            case "PRINTING" -> new PrintPhase(heating ? Status.preparing : Status.printing);
            case "PAUSED" -> new PrintPhase(Status.paused);
            case "ATTENTION" ->
                new PrintPhase(
                        running ? Status.paused : Status.error, null, "the printer waits for an answer at its screen");
            case "FINISHED" -> PrintPhase.COMPLETED;
            case "STOPPED" -> PrintPhase.CANCELLED;
            case "ERROR" -> new PrintPhase(Status.error, Ending.FAILED, "the printer shows an error");
            default -> new PrintPhase(Status.unknown);
        };
    }

    private static boolean isHeating(Map<String, Object> status) {
        return Tree.number(Tree.object(status, "job"), "progress", 0) == 0
                && temperatures(status).values().stream()
                        .anyMatch(heater -> heater.actual() < heater.target() - WARM_ENOUGH);
    }

    private static Map<String, Temperature> temperatures(Map<String, Object> status) {
        Map<String, Object> printer = Tree.object(status, "printer");
        return new Temperatures()
                .with("nozzle", Tree.number(printer, "temp_nozzle"), Tree.number(printer, "target_nozzle"))
                .with("bed", Tree.number(printer, "temp_bed"), Tree.number(printer, "target_bed"))
                .byHeater();
    }

    private static PrinterStatus.File file(Map<String, Object> status, String name, @Nullable Ending ending) {
        Map<String, Object> job = Tree.object(status, "job");
        Double remaining = ending == null ? Tree.number(job, "time_remaining") : null;
        return new PrinterStatus.File(
                        name,
                        ending == Ending.COMPLETED ? 100 : Math.clamp(Tree.number(job, "progress", 0), 0, 100),
                        null,
                        null,
                        Math.round(Tree.number(job, "time_printing", 0)),
                        remaining == null ? null : (Long) Math.round(remaining),
                        null)
                .withPosition(null, Tree.number(status, "printer", "axis_z"));
    }

    private static PrinterStatus.@Nullable File fileAtEnd(PrinterStatus.@Nullable File last, @Nullable Ending ending) {
        return last == null || ending == null
                ? last
                : new PrinterStatus.File(
                                last.name(),
                                ending == Ending.COMPLETED ? 100 : last.percent(),
                                null,
                                null,
                                last.elapsedSeconds(),
                                null,
                                null)
                        .withPosition(null, last.height());
    }

    /** Returns the error code of help.prusa3d.com, if the firmware reports one. */
    private static @Nullable String errorCode(Map<String, Object> status) {
        Integer code = Tree.integer(status, "dialog", "code");
        return code == null || code == 0 ? null : String.valueOf(code);
    }
}
