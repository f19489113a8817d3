package farm.gantry.edge.provider.anycubic;

import farm.gantry.edge.printer.connection.PrintPhase;
import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.connection.PrinterStatus.Ending;
import farm.gantry.edge.printer.connection.Temperatures;
import farm.gantry.edge.session.PrinterSession;
import farm.gantry.json.Tree;
import farm.gantry.printer.PrinterState.Fault;
import farm.gantry.printer.PrinterState.FilamentSlot;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.printer.PrinterState.Temperature;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Converts a printer's reports to a status. */
final class AnycubicStatusParser {
    private static final int SECONDS = 60;
    private static final int RGB = 3;

    private AnycubicStatusParser() {}

    static PrinterStatus parse(AnycubicState reported, PrinterSession session) {
        return parse(reported, session.lastStatus(), session.isStopping());
    }

    /** {@code stopping}: the agent has cancelled the print of the status {@code before}. */
    static PrinterStatus parse(AnycubicState reported, @Nullable PrinterStatus before, boolean stopping) {
        Map<String, Object> job = reported.job();
        String named = fileName(job);
        boolean same = before != null && (named.isEmpty() || before.fileName().equals(named));
        PrinterStatus last = same ? before : null;
        PrintPhase phase = phase(reported, last, stopping);
        String name = named.isEmpty() && last != null && phase.ending() != null ? last.fileName() : named;
        boolean shown = !name.isEmpty() && (phase.status() != Status.idle || phase.ending() != null);
        AnycubicState.PrinterError trouble = reported.error();
        return new PrinterStatus(
                phase.status(),
                shown ? phase.ending() : null,
                null,
                shown ? file(name, job, phase.ending()) : null,
                temperatures(reported.info()),
                slots(reported),
                trouble == null
                        ? List.of()
                        : List.of(
                                new Fault(String.valueOf(trouble.code()), "the printer reports " + trouble.message())));
    }

    private static PrintPhase phase(AnycubicState reported, @Nullable PrinterStatus last, boolean stopping) {
        PrintPhase phase =
                AnycubicState.phaseOfState(Objects.requireNonNullElse(Tree.text(reported.job(), "state"), ""));
        if (reported.isIdle()) {
            return phase != null && phase.ending() != null ? phase : phaseAtRest(last, stopping);
        }
        boolean held = Tree.number(reported.job(), "pause", 0) == 1 || Tree.number(reported.job(), "pause", 0) == 2;
        if (phase == null) {
            return new PrintPhase(Status.unknown);
        }
        return held && phase.status().isBusy() ? new PrintPhase(Status.paused) : phase;
    }

    /**
     * Returns the phase of a printer at rest. An ending that was reported is kept; a job that disappears after a cancel
     * by the agent counts as cancelled.
     */
    private static PrintPhase phaseAtRest(@Nullable PrinterStatus last, boolean stopping) {
        boolean stopped = stopping && last != null && last.status().isBusy();
        Ending known = last == null ? null : last.ending();
        return new PrintPhase(Status.idle, known == null && stopped ? Ending.CANCELLED : known);
    }

    private static String fileName(Map<String, Object> job) {
        String path = Objects.requireNonNullElse(Tree.text(job, "filename"), "");
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** Returns the printed file with its progress. The printer reports times in minutes. */
    private static PrinterStatus.File file(String name, Map<String, Object> job, @Nullable Ending ending) {
        Integer layers = Tree.integer(job, "total_layers");
        return new PrinterStatus.File(
                name,
                ending == Ending.COMPLETED ? 100 : Math.clamp(Tree.number(job, "progress", 0), 0, 100),
                Tree.integer(job, "curr_layer"),
                layers == null || layers == 0 ? null : layers,
                seconds(job, "print_time"),
                ending == null ? seconds(job, "remain_time") : null,
                null);
    }

    private static @Nullable Long seconds(Map<String, Object> job, String name) {
        Double minutes = Tree.number(job, name);
        return minutes == null ? null : (Long) Math.round(minutes * SECONDS);
    }

    /**
     * Returns the temperatures. The chamber is omitted if its temperature is absent or zero, which means that there is
     * no sensor.
     */
    private static Map<String, Temperature> temperatures(Map<String, Object> info) {
        Map<String, Object> reported = Tree.object(info, "temp");
        Double chamber = Tree.number(reported, "curr_chamber_temp");
        return new Temperatures()
                .with("nozzle", Tree.number(reported, "curr_nozzle_temp"), Tree.number(reported, "target_nozzle_temp"))
                .with("bed", Tree.number(reported, "curr_hotbed_temp"), Tree.number(reported, "target_hotbed_temp"))
                .with(
                        "chamber",
                        chamber != null && chamber == 0 ? null : chamber,
                        Tree.number(reported, "target_chamber_temp"))
                .byHeater();
    }

    private static List<FilamentSlot> slots(AnycubicState reported) {
        return reported.slots().entrySet().stream()
                .map(entry -> {
                    String type = Objects.requireNonNullElse(Tree.text(entry.getValue(), "type"), "");
                    boolean loaded = !type.isBlank();
                    return new FilamentSlot(
                            entry.getKey().amsIndex(),
                            entry.getKey().slotIndex(),
                            loaded,
                            loaded ? type : null,
                            loaded ? color(Tree.list(entry.getValue(), "color")) : null);
                })
                .toList();
    }

    private static @Nullable String color(List<?> parts) {
        List<Integer> numbers = parts.stream()
                .map(part -> part instanceof Number number ? number.intValue() & 0xFF : 0)
                .toList();
        return numbers.size() < RGB
                ? null
                : numbers.stream()
                        .limit(RGB)
                        .map(number -> String.format(Locale.ROOT, "%02X", number))
                        .collect(Collectors.joining("", "#", ""));
    }
}
