package farm.gantry.promise;

import farm.gantry.schedule.Candidate;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.LongStream;

/** Describes why jobs wait, based on the typical run, as text and data. It omits details that differ between the random runs. */
final class WaitReasonWriter {
    /** The minimum share of runs in which a job gets the same printer before the printer is named. */
    private static final double AGREEMENT = 0.8;

    /** The maximum number of printers that a reason names. */
    private static final int NAMED = 20;

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("EEE d MMM HH:mm", Locale.ENGLISH);

    private static final long[] NO_TIMES = {};

    private final SimulatedFarm model;
    private final SimulationRun usual;
    private final List<SimulationRun> runs;

    /** The start times of each printer's jobs, in order. */
    private final long[][] beginsOf;

    WaitReasonWriter(SimulatedFarm model, SimulationRun usual, List<SimulationRun> runs) {
        this.model = model;
        this.usual = usual;
        this.runs = runs;
        this.beginsOf = new long[model.printerCount()][];
        for (int printer = 0; printer < beginsOf.length; printer++) {
            beginsOf[printer] = NO_TIMES;
        }
        Map<Integer, LongStream.Builder> begins = new HashMap<>();
        for (int job = 0; job < model.jobCount(); job++) {
            if (usual.printerOf[job] != SimulatedFarm.NONE) {
                begins.computeIfAbsent(usual.printerOf[job], _ -> LongStream.builder())
                        .add(usual.begins[job]);
            }
        }
        begins.forEach(
                (printer, times) -> beginsOf[printer] = times.build().sorted().toArray());
    }

    /** Returns why the printer's current job is not finished. */
    WaitReason currentJobReason(int printer) {
        Instant end = instantAt(usual.currentEnds[printer]);
        return new WaitReason(
                WaitReason.Code.printing,
                printerName(printer) + " prints it until " + timeText(end) + ".",
                List.of(candidate(printer).printer().id()),
                end,
                null);
    }

    /** Returns why a queued job waits, in order of time. */
    List<WaitReason> queuedJobReasons(int job) {
        if (usual.printerOf[job] == SimulatedFarm.NONE
                && model.state().matching().isQueuePaused()) {
            return List.of(new WaitReason(
                    WaitReason.Code.paused,
                    "The queue is paused; it has no date until somebody resumes the queue.",
                    null,
                    null,
                    null));
        } else if (usual.printerOf[job] == SimulatedFarm.NONE) {
            return List.of(new WaitReason(
                    WaitReason.Code.blocked,
                    "No printer in service can print it. See the reasons of each printer.",
                    null,
                    null,
                    null));
        }
        int printer = usual.printerOf[job];
        boolean isSure = isAgreed(job, printer);
        List<WaitReason> waits = new ArrayList<>();
        if (usual.takenAt[job] > 0) {
            waits.addAll(
                    isSure && usual.before[job] == SimulatedFarm.NONE
                            ? printerReasons(job, printer)
                            : List.of(queueReason(job)));
        }
        String who = isSure ? printerName(printer) : "the printer";
        if (usual.loadedAt[job] > usual.takenAt[job]) {
            Instant loaded = instantAt(usual.loadedAt[job]);
            waits.add(wait(
                    WaitReason.Code.filament,
                    "Somebody changes the filament of " + who + ", by " + timeText(loaded) + ".",
                    isSure,
                    printer,
                    loaded));
        }
        if (usual.begins[job] > usual.loadedAt[job]) {
            Instant begin = instantAt(usual.begins[job]);
            waits.add(wait(
                    WaitReason.Code.throttled,
                    "Its throttle group lets " + who + " start at " + timeText(begin) + ".",
                    isSure,
                    printer,
                    begin));
        }
        Duration prints = Duration.ofSeconds(usual.ends[job] - usual.begins[job]);
        Instant end = instantAt(usual.ends[job]);
        String where = isSure ? " on " + printerName(printer) : "";
        waits.add(wait(
                WaitReason.Code.prints,
                "It prints " + durationText(prints) + where + ", until " + timeText(end) + ".",
                isSure,
                printer,
                end));
        return waits;
    }

    private WaitReason wait(WaitReason.Code code, String text, boolean isSure, int printer, Instant until) {
        return new WaitReason(
                code, text, isSure ? List.of(candidate(printer).printer().id()) : null, until, null);
    }

    private boolean isAgreed(int job, int printer) {
        long agreeing =
                runs.stream().filter(run -> run.printerOf[job] == printer).count();
        return agreeing >= AGREEMENT * runs.size();
    }

    /** Returns the reasons of a job that is the next one of its printer. */
    private List<WaitReason> printerReasons(int job, int printer) {
        List<WaitReason> waits = new ArrayList<>();
        long free = usual.currentEnds[printer];
        if (free > 0) {
            Instant end = instantAt(free);
            waits.add(wait(
                    WaitReason.Code.printerBusy,
                    printerName(printer) + " is busy until " + timeText(end) + ".",
                    true,
                    printer,
                    end));
        }
        if (usual.takenAt[job] > Math.max(0, free)) {
            Instant cleared = instantAt(usual.takenAt[job]);
            String who = candidate(printer).printer().continuousPrint() ? "A macro" : "Somebody";
            waits.add(wait(
                    WaitReason.Code.bed,
                    who + " clears its bed by " + timeText(cleared) + ".",
                    true,
                    printer,
                    cleared));
        }
        return waits;
    }

    /** Returns the reason of a job that waits behind others for the first free printer. */
    private WaitReason queueReason(int job) {
        int[] printers = runs.stream()
                .mapToInt(run -> run.printerOf[job])
                .filter(printer -> printer != SimulatedFarm.NONE)
                .distinct()
                .sorted()
                .toArray();
        int ahead = 0;
        for (int printer : printers) {
            int place = Arrays.binarySearch(beginsOf[printer], usual.begins[job]);
            ahead += place < 0 ? -1 - place : place;
        }
        Instant turn = instantAt(usual.takenAt[job]);
        String which = printers.length == 1
                ? printerName(printers[0])
                : "the first of " + printers.length + " printers to be free";
        String others = ahead == 0 ? "" : ahead == 1 ? ", after 1 other job" : ", after " + ahead + " other jobs";
        return new WaitReason(
                WaitReason.Code.queue,
                "It goes to " + which + others + ", about " + timeText(turn) + ".",
                Arrays.stream(printers)
                        .limit(NAMED)
                        .mapToObj(printer -> candidate(printer).printer().id())
                        .toList(),
                turn,
                ahead);
    }

    private Candidate candidate(int printer) {
        return model.printer(printer).candidate();
    }

    private String printerName(int printer) {
        return candidate(printer).printer().name();
    }

    private Instant instantAt(long second) {
        return model.state().now().plusSeconds(second);
    }

    private String timeText(Instant instant) {
        ZonedDateTime then = instant.atZone(model.state().zone());
        boolean isToday = then.toLocalDate()
                .equals(model.state().now().atZone(model.state().zone()).toLocalDate());
        return (isToday ? TIME : DAY).format(then);
    }

    private static String durationText(Duration duration) {
        long minutes = Math.max(1, Math.round(duration.toSeconds() / 60.0));
        return minutes < 60 ? minutes + " min" : minutes / 60 + " h " + minutes % 60 + " min";
    }
}
