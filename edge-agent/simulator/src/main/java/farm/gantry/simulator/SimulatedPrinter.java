package farm.gantry.simulator;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The machine and its Klipper: heaters, the print, what may go wrong. Knows no network; tells by notifications. */
final class SimulatedPrinter {
    private static final Pattern HEAT = Pattern.compile("(M104|M109|M140|M190)\\b.*?S([\\d.]+).*");
    private static final Pattern SET_HEATER =
            Pattern.compile("SET_HEATER_TEMPERATURE HEATER=(\\S+) TARGET=([\\d.]+).*");
    private static final Pattern EXCLUDE = Pattern.compile("EXCLUDE_OBJECT NAME=(\\S+)");
    /** Its time stands still with the machine it is simulated on: it skips nothing of a print. */
    private static final double LONGEST_STEP = 0.3;

    private static final double RESTART_SECONDS = 0.5;
    private static final double NOZZLE_SECONDS = 40;
    private static final double BED_SECONDS = 120;

    private static final String ON_CARD = "somebodys.gcode";

    private final SimulationSpeed pace;
    private final BiConsumer<String, Object> notifications;
    private final ConcurrentMap<String, GcodeFile> files = new ConcurrentHashMap<>();
    private final List<String> starts = new CopyOnWriteArrayList<>();
    private final List<String> uploads = new CopyOnWriteArrayList<>();
    private final List<String> scripts = new CopyOnWriteArrayList<>();
    private final List<String> excluded = new CopyOnWriteArrayList<>();
    private final List<Map<String, Object>> history = new CopyOnWriteArrayList<>();
    private final List<List<Integer>> tools = new CopyOnWriteArrayList<>();
    private volatile @Nullable FilamentUnit unit;
    private volatile String klippy = "ready";
    private volatile String klippyMessage = "Printer is ready";
    private volatile double uptime;
    private volatile double restarting;
    private volatile boolean losing;
    private volatile boolean deaf;
    private volatile double endedAt;
    private volatile double announcedBefore;
    private volatile Heater nozzle = Heater.cold(NOZZLE_SECONDS);
    private volatile Heater bed = Heater.cold(BED_SECONDS);
    private volatile PrintState print = PrintState.none();

    SimulatedPrinter(SimulationSpeed pace, BiConsumer<String, Object> notifications) {
        this(pace, notifications, null);
    }

    SimulatedPrinter(SimulationSpeed pace, BiConsumer<String, Object> notifications, @Nullable FilamentUnit unit) {
        this.pace = pace;
        this.notifications = notifications;
        this.unit = unit;
    }

    synchronized void pass(double secondsSince) {
        double realSeconds = Math.min(secondsSince, LONGEST_STEP);
        uptime += realSeconds;
        if (klippy.equals("startup")) {
            restarting -= realSeconds;
            if (restarting <= 0) {
                klippy = "ready";
                klippyMessage = "Printer is ready";
                notifications.accept("notify_klippy_ready", List.of());
            }
            return;
        }
        double seconds = realSeconds * pace.speed();
        nozzle = nozzle.after(seconds);
        bed = bed.after(seconds);
        if (print.isPrinting() && klippy.equals("ready")) {
            print = print.after(seconds, nozzle.isWarm() && bed.isWarm());
            if (print.progress(pace) >= 1) {
                end("complete", "completed", "");
            }
        }
    }

    synchronized void upload(GcodeFile file) throws RpcException {
        if (print.isActive() && Objects.equals(print.file(), files.get(file.name()))) {
            throw new RpcException(403, "File currently in use");
        }
        files.put(file.name(), file);
        uploads.add(file.name());
    }

    synchronized void start(String name) throws RpcException {
        if (deaf) {
            deaf = false;
            throw new IllegalStateException("the line breaks before the order");
        }
        ready();
        GcodeFile file = files.get(name);
        if (file == null) {
            throw RpcException.refused("Unable to open file");
        }
        if (print.isActive()) {
            throw RpcException.refused("SD busy");
        }
        starts.add(name);
        if (unit != null) {
            tools.add(unit.tools());
        }
        excluded.clear();
        print = PrintState.of(file);
        nozzle = nozzle.toward(file.number("first_layer_extr_temp", 205));
        bed = bed.toward(file.number("first_layer_bed_temp", 60));
        remember("in_progress");
        if (losing) {
            losing = false;
            throw new IllegalStateException("the line breaks before the answer");
        }
    }

    synchronized void pause() throws RpcException {
        ready();
        if (!print.isPrinting()) {
            throw RpcException.refused("Print is not active, cannot pause");
        }
        print = print.become("paused", "");
    }

    synchronized void resume() throws RpcException {
        ready();
        if (!print.state().equals("paused")) {
            throw RpcException.refused("Print is not paused, resume aborted");
        }
        print = print.become("printing", "");
    }

    synchronized void cancel() throws RpcException {
        ready();
        if (print.isActive()) {
            end("cancelled", "cancelled", "");
        }
    }

    private void end(String state, String remembered, String message) {
        print = print.become(state, message);
        endedAt = uptime;
        announcedBefore = state.equals("complete") ? 1 : print.progress(pace);
        nozzle = nozzle.toward(0);
        bed = bed.toward(0);
        remember(remembered);
    }

    private void remember(String status) {
        GcodeFile file = print.file();
        if (file == null) {
            return;
        }
        boolean isNew = status.equals("in_progress") || history.isEmpty();
        int number = history.size() + (isNew ? 1 : 0);
        Map<String, Object> job = new LinkedHashMap<>();
        job.put("job_id", "%06X".formatted(number));
        job.put("filename", file.name());
        job.put("status", status);
        job.put("print_duration", print.printed());
        job.put("total_duration", print.total());
        if (isNew) {
            history.add(job);
        } else {
            history.set(number - 1, job);
        }
        String action = status.equals("in_progress") ? "added" : "finished";
        notifications.accept("notify_history_changed", List.of(Map.of("action", action, "job", job)));
    }

    /** Klipper goes through its lines one by one; what it does not know it says, and goes on. */
    synchronized void script(String script) throws RpcException {
        ready();
        for (String line : script.lines().map(String::strip).toList()) {
            scripts.add(line);
            if (unit != null) {
                unit = unit.after(line);
            }
            Matcher heat = HEAT.matcher(line);
            Matcher heater = SET_HEATER.matcher(line);
            Matcher exclude = EXCLUDE.matcher(line);
            if (heat.matches()) {
                heat(heat.group(1).matches("M104|M109"), Double.parseDouble(heat.group(2)));
            } else if (heater.matches()) {
                heat(heater.group(1).equals("extruder"), Double.parseDouble(heater.group(2)));
            } else if (exclude.matches()) {
                excluded.add(exclude.group(1).toUpperCase(Locale.ROOT));
            } else if (line.equals("M112")) {
                shutDown("Closing serial port due to emergency stop M112.");
            } else if (line.startsWith("FOO")) {
                notifications.accept("notify_gcode_response", List.of("// Unknown command:\"FOO\""));
            }
        }
    }

    private void heat(boolean isNozzle, double target) {
        if (isNozzle) {
            nozzle = nozzle.toward(target);
        } else {
            bed = bed.toward(target);
        }
    }

    synchronized void shutDown(String message) {
        klippy = "shutdown";
        klippyMessage = message;
        nozzle = nozzle.toward(0);
        bed = bed.toward(0);
        if (print.isActive()) {
            // As the real one does: only webhooks tells that this pause is a death.
            print = print.become("paused", "");
            remember("klippy_shutdown");
        }
        notifications.accept("notify_klippy_shutdown", List.of());
    }

    synchronized void restart() {
        if (print.isActive() && klippy.equals("ready")) {
            remember("klippy_disconnect");
        }
        klippy = "startup";
        klippyMessage = "Printer is not ready";
        restarting = RESTART_SECONDS;
        print = PrintState.none();
        nozzle = nozzle.toward(0);
        bed = bed.toward(0);
        notifications.accept("notify_klippy_disconnected", List.of());
    }

    /** It comes back from a restart with this to say, and goes no further. */
    private void misconfigure(String message) {
        restart();
        klippy = "error";
        klippyMessage = message;
    }

    synchronized void fail(String kind) throws RpcException {
        switch (kind) {
            case "mcu-shutdown" ->
                shutDown("MCU 'mcu' shutdown: Timer too close\nOnce the issue is corrected, restart");
            case "config-error" ->
                misconfigure("Option 'pin' in section 'fan' must be specified\n\nOnce it is corrected, restart");
            case "print-error" -> end("error", "error", "Heater extruder not heating at expected rate");
            case "filament-runout" -> pause();
            case "reboot" -> restart();
            case "finished" -> end("complete", "completed", "");
            case "cancelled-at-screen" -> cancel();
            case "started-at-screen" -> start(uploads.isEmpty() ? onCard() : uploads.getLast());
            case "unit-off" -> unit = unit == null ? null : unit.off();
            case "start-unanswered" -> losing = true;
            case "start-unheard" -> deaf = true;
            default -> throw RpcException.refused("no such failure: " + kind);
        }
    }

    /** A file that somebody has brought to the printer by hand. */
    private String onCard() {
        files.putIfAbsent(ON_CARD, GcodeFile.of(ON_CARD, new byte[0]));
        return ON_CARD;
    }

    synchronized void recover() {
        if (klippy.equals("shutdown") || klippy.equals("error")) {
            restart();
        }
    }

    private void ready() throws RpcException {
        if (klippy.equals("shutdown") || klippy.equals("error")) {
            throw RpcException.refused(klippyMessage);
        }
        if (!klippy.equals("ready")) {
            throw new RpcException(503, "Klippy Host not connected");
        }
    }

    SimulationSpeed pace() {
        return pace;
    }

    PrintState print() {
        return print;
    }

    /** By its own time, in seconds. */
    double uptime() {
        return uptime;
    }

    /** How long ago its last print ended, by its own time in seconds. */
    double sinceEnd() {
        return uptime - endedAt;
    }

    /** How far the print before the present one announced to be at its end. */
    double announcedBefore() {
        return announcedBefore;
    }

    /** How many prints were begun. */
    int started() {
        return starts.size();
    }

    @Nullable
    FilamentUnit unit() {
        return unit;
    }

    Heater nozzle() {
        return nozzle;
    }

    Heater bed() {
        return bed;
    }

    String klippy() {
        return klippy;
    }

    String klippyMessage() {
        return klippyMessage;
    }

    @Nullable
    GcodeFile file(String name) {
        return files.get(name);
    }

    List<String> fileNames() {
        return List.copyOf(files.keySet());
    }

    /** The number of the latest print; empty before the first. */
    String newestPrint() {
        return history.isEmpty() ? "" : String.valueOf(history.getLast().get("job_id"));
    }

    /** The latest first. */
    List<Map<String, Object>> history() {
        return new ArrayList<>(history).reversed();
    }

    Map<String, Object> log() {
        return Map.of("starts", starts, "uploads", uploads, "scripts", scripts, "tools", tools);
    }

    List<String> excluded() {
        return List.copyOf(excluded);
    }

    synchronized Map<String, Map<String, Object>> objects() {
        return new KlipperObjects(this).all();
    }
}
