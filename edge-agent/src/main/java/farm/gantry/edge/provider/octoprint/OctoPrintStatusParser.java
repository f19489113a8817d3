package farm.gantry.edge.provider.octoprint;

import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import farm.gantry.edge.printer.connection.Temperatures;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.json.Tree;
import farm.gantry.printer.PrinterState.Fault;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.printer.PrinterState.Temperature;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Converts OctoPrint's printer and job to a status. After a cancelled print, OctoPrint reports only that its file is
 * still selected; that it was cancelled is known from the previous status.
 */
final class OctoPrintStatusParser {
    private static final Pattern NOZZLE = Pattern.compile("tool(?:0|(\\d+))");
    private static final String CLOSED = "Offline";
    private static final double WARM_ENOUGH = 2;
    /**
     * The progress below which a print may still be heating. Progress is a share of the file's bytes, so it reaches a
     * few percent before the heaters are warm.
     */
    private static final double HEAD_PERCENT = 10;

    /**
     * The flags by priority: the first flag that is set decides, because {@code printing} may be set together with
     * others.
     */
    private static final List<StateFlag> ROWS = List.of(
            new StateFlag("error", Status.error),
            new StateFlag("closedOrError", Status.offline),
            new StateFlag("cancelling", Status.printing),
            new StateFlag("pausing", Status.paused),
            new StateFlag("paused", Status.paused),
            new StateFlag("resuming", Status.printing),
            new StateFlag("finishing", Status.printing),
            new StateFlag("printing", Status.printing),
            new StateFlag("ready", Status.idle));

    private OctoPrintStatusParser() {}

    private record StateFlag(String flag, Status status) {}

    /**
     * Converts the responses to a status. {@code printer} is empty while OctoPrint is not connected to a printer.
     * Throws a refusal with the reason if the printer is unreachable.
     */
    static PrinterStatus parse(Map<String, Object> printer, Map<String, Object> job, @Nullable PrinterStatus before)
            throws Refusal {
        Map<String, Temperature> temperatures = temperatures(printer);
        Status status = status(printer, job);
        return switch (status) {
            case offline -> throw new Refusal("OctoPrint has no connection to the printer: " + stateText(job));
            case error -> statusAfterError(before, stateText(job), temperatures);
            case idle -> idleStatus(job, before, temperatures);
            case printing ->
                runningStatus(isHeating(job, temperatures) ? Status.preparing : Status.printing, job, temperatures);
            case paused -> runningStatus(Status.paused, job, temperatures);
            case preparing, finished, failed, cancelled, unknown ->
                unknownStatus(statusOfSelectedFile(job, before), temperatures);
        };
    }

    private static Status status(Map<String, Object> printer, Map<String, Object> job) {
        if (printer.isEmpty()) {
            return isError(job) ? Status.error : Status.offline;
        }
        return ROWS.stream()
                .filter(row -> Tree.flag(printer, "state", "flags", row.flag()))
                .map(StateFlag::status)
                .findFirst()
                .orElse(Status.unknown);
    }

    /**
     * Returns whether OctoPrint may have closed its serial connection between the two responses: the printer's response
     * reports a connection, and the job's reports none, or a print without a file. Together they show no real state.
     */
    static boolean mayBeClosedBetween(Map<String, Object> printer, Map<String, Object> job) {
        Status status = status(printer, job);
        boolean isConnected = !printer.isEmpty() && status != Status.offline && status != Status.error;
        return isConnected && (isClosed(job) || isError(job) || (status.isBusy() && uploadedName(job) == null));
    }

    private static boolean isError(Map<String, Object> job) {
        return stateText(job).toLowerCase(Locale.ROOT).contains("error");
    }

    /** Returns OctoPrint's text of its state, with the error if there is one. */
    private static String stateText(Map<String, Object> job) {
        String state = Objects.requireNonNullElse(Tree.text(job, "state"), "no state");
        String error = Tree.text(job, "error");
        return error == null || error.isBlank() || state.contains(error) ? state : state + ": " + error;
    }

    private static PrinterStatus runningStatus(
            Status status, Map<String, Object> job, Map<String, Temperature> temperatures) {
        String name = uploadedName(job);
        return createStatus(
                status,
                null,
                file(name == null ? "a print without a file" : name, job, remainingSeconds(job)),
                temperatures,
                List.of());
    }

    /** Returns the status of a printer that failed. A running print has failed with it. */
    private static PrinterStatus statusAfterError(
            @Nullable PrinterStatus before, String text, Map<String, Temperature> temperatures) {
        PrinterStatus.File file = before == null || before.file() == null ? null : atFullProgress(before.file());
        Ending ending = before == null || file == null ? null : endingAfter(before, Ending.FAILED);
        return createStatus(Status.error, ending, file, temperatures, List.of(new Fault(null, text)));
    }

    private static Ending endingAfter(PrinterStatus before, Ending now) {
        return before.ending() == null ? now : before.ending();
    }

    private static PrinterStatus idleStatus(
            Map<String, Object> job, @Nullable PrinterStatus before, Map<String, Temperature> temperatures) {
        String name = uploadedName(job);
        if (name != null && completion(job) >= 100) {
            return createStatus(Status.finished, Ending.COMPLETED, file(name, job, null), temperatures, List.of());
        }
        PrinterStatus same = statusOfSelectedFile(job, before);
        if (same == null || same.file() == null) {
            return createStatus(Status.idle, null, null, temperatures, List.of());
        }
        Ending ending = endingAfter(same, Ending.CANCELLED);
        Status status = switch (ending) {
            case COMPLETED -> Status.idle;
            case CANCELLED -> Status.cancelled;
            case FAILED -> Status.failed;
        };
        return endedStatus(status, ending, same.message(), atFullProgress(same.file()), temperatures);
    }

    /**
     * Returns the status with a failed instead of a cancelled print, for a print that OctoPrint cancelled because of
     * this printer error.
     */
    static PrinterStatus toFailed(PrinterStatus cancelled, String error) {
        return endedStatus(Status.failed, Ending.FAILED, error, cancelled.file(), cancelled.temperatures());
    }

    /** Returns whether OctoPrint's serial connection is closed, and not because of an error. */
    static boolean isClosed(Map<String, Object> job) {
        return CLOSED.equals(Tree.text(job, "state"));
    }

    /**
     * Returns the last status of the print during which the serial connection was closed; {@code ending} is null if
     * unknown.
     */
    static PrinterStatus closedStatus(PrinterStatus before, @Nullable Ending ending) {
        String message = ending == null
                ? "needs attention: OctoPrint closed its connection to the printer and does not report how the print ended:"
                        + " check the bed"
                : "OctoPrint closed its connection to the printer during the print";
        Ending now = ending == null ? Ending.FAILED : ending;
        PrinterStatus.File file = before.file() == null ? null : atFullProgress(before.file());
        return new PrinterStatus(
                Status.offline,
                now,
                now == Ending.FAILED ? message : null,
                file,
                Map.of(),
                List.of(),
                List.of(),
                before.printCounter());
    }

    /**
     * Returns whether this file is selected and no print of it is running or completed, which is the state after a
     * cancelled print.
     */
    static boolean isCancelled(String fileName, Map<String, Object> printer, Map<String, Object> job) {
        return fileName.equals(uploadedName(job))
                && Tree.flag(printer, "state", "flags", "ready")
                && Tree.number(job, "progress", "completion") == null;
    }

    private static PrinterStatus endedStatus(
            Status status,
            Ending ending,
            @Nullable String message,
            PrinterStatus.@Nullable File file,
            Map<String, Temperature> temperatures) {
        return new PrinterStatus(status, ending, message, file, temperatures, List.of(), List.of());
    }

    private static PrinterStatus unknownStatus(@Nullable PrinterStatus same, Map<String, Temperature> temperatures) {
        return same == null
                ? createStatus(Status.unknown, null, null, temperatures, List.of())
                : createStatus(Status.unknown, same.ending(), same.file(), temperatures, List.of());
    }

    /** Returns the previous status if it was of the file that is selected now. */
    private static @Nullable PrinterStatus statusOfSelectedFile(
            Map<String, Object> job, @Nullable PrinterStatus before) {
        return before != null && before.file() != null && before.fileName().equals(uploadedName(job)) ? before : null;
    }

    private static PrinterStatus createStatus(
            Status status,
            @Nullable Ending ending,
            PrinterStatus.@Nullable File file,
            Map<String, Temperature> temperatures,
            List<Fault> errors) {
        return new PrinterStatus(status, ending, null, file, temperatures, List.of(), errors);
    }

    /** Returns the name as uploaded; OctoPrint may have replaced characters in the name on its disk. */
    private static @Nullable String uploadedName(Map<String, Object> job) {
        String shown = Tree.text(job, "job", "file", "display");
        return shown == null ? Tree.text(job, "job", "file", "name") : shown;
    }

    private static double completion(Map<String, Object> job) {
        return Math.clamp(Tree.number(Tree.object(job, "progress"), "completion", 0), 0, 100);
    }

    private static @Nullable Long remainingSeconds(Map<String, Object> job) {
        Double seconds = Tree.number(job, "progress", "printTimeLeft");
        return seconds == null ? null : (Long) Math.round(seconds);
    }

    private static PrinterStatus.File file(String name, Map<String, Object> job, @Nullable Long remaining) {
        double elapsed = Tree.number(Tree.object(job, "progress"), "printTime", 0);
        Double position = Tree.number(job, "progress", "filepos");
        return new PrinterStatus.File(name, completion(job), null, null, Math.round(elapsed), remaining, null)
                .withPosition(position == null ? null : (Long) position.longValue(), null);
    }

    private static PrinterStatus.File atFullProgress(PrinterStatus.File file) {
        return new PrinterStatus.File(file.name(), file.percent(), null, null, file.elapsedSeconds(), null, null)
                .withPosition(file.position(), null);
    }

    private static boolean isHeating(Map<String, Object> job, Map<String, Temperature> temperatures) {
        return completion(job) < HEAD_PERCENT
                && temperatures.values().stream().anyMatch(heater -> heater.actual() < heater.target() - WARM_ENOUGH);
    }

    /** Returns the temperatures. The values of a heater without a sensor are null. */
    private static Map<String, Temperature> temperatures(Map<String, Object> printer) {
        Temperatures temperatures = new Temperatures();
        Tree.object(printer, "temperature").forEach((heater, reported) -> {
            Matcher nozzle = NOZZLE.matcher(heater);
            String name = nozzle.matches() ? "nozzle" + Objects.requireNonNullElse(nozzle.group(1), "") : heater;
            temperatures.with(name, Tree.number(reported, "actual"), Tree.number(reported, "target"));
        });
        return temperatures.byHeater();
    }
}
