package farm.gantry.simulator.printer;

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

/**
 * A simulated machine with its firmware: heaters, files, the print and faults. It has no network; a listener receives
 * its changes.
 */
public final class SimulatedPrinter {
    private static final Pattern HEAT = Pattern.compile("(M104|M109|M140|M190)\\b.*?S([\\d.]+).*");
    private static final Pattern SET_HEATER =
            Pattern.compile("SET_HEATER_TEMPERATURE HEATER=(\\S+) TARGET=([\\d.]+).*");
    private static final Pattern EXCLUDE = Pattern.compile("EXCLUDE_OBJECT NAME=(\\S+)");
    /** The maximum simulated step in seconds, so that a print does not jump ahead after the host was suspended. */
    private static final double MAX_STEP = 0.3;

    private static final double RESTART_SECONDS = 0.5;
    private static final double NOZZLE_SECONDS = 40;
    private static final double BED_SECONDS = 120;

    private static final String ON_CARD = "somebodys.gcode";

    private final SimulationSpeed speed;
    private final ConcurrentMap<String, GcodeFile> files = new ConcurrentHashMap<>();
    private final List<String> starts = new CopyOnWriteArrayList<>();
    private final List<String> uploads = new CopyOnWriteArrayList<>();
    private final List<String> scripts = new CopyOnWriteArrayList<>();
    private final List<Map<String, Object>> commands = new CopyOnWriteArrayList<>();
    private final List<String> excluded = new CopyOnWriteArrayList<>();
    private final List<Map<String, Object>> history = new CopyOnWriteArrayList<>();
    private final List<List<Integer>> tools = new CopyOnWriteArrayList<>();
    private volatile @Nullable FilamentUnit unit;
    private volatile String klippy = "ready";
    private volatile String klippyMessage = "Printer is ready";
    private volatile long advancedAt = System.nanoTime();
    private volatile double uptime;
    private volatile BiConsumer<String, Object> notifications = (_, _) -> {};
    private volatile double restarting;
    private volatile boolean losing;
    private volatile boolean deaf;
    private volatile boolean bedUnplugged;
    private volatile boolean scripting;
    private volatile boolean dwelling;
    private volatile boolean scriptPrinted;
    private @Nullable Double endShownAt;
    private volatile double previousProgress;
    private volatile Heater nozzle = Heater.cold(NOZZLE_SECONDS);
    private volatile Heater bed = Heater.cold(BED_SECONDS);
    private volatile PrintState print = PrintState.none();

    public SimulatedPrinter(SimulationSpeed speed) {
        this(speed, null);
    }

    public SimulatedPrinter(SimulationSpeed speed, @Nullable FilamentUnit unit) {
        this.speed = speed;
        this.unit = unit;
    }

    /** Sets the listener, which receives Moonraker's notifications as method and parameters. */
    public void setListener(BiConsumer<String, Object> listener) {
        notifications = listener;
    }

    /** Advances by the time since the last call. */
    public synchronized void advance() {
        long now = System.nanoTime();
        double realSeconds = Math.min((now - advancedAt) / 1e9, MAX_STEP);
        advancedAt = now;
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
        double seconds = realSeconds * speed.factor();
        nozzle = nozzle.advance(seconds);
        if (!bedUnplugged) {
            bed = bed.advance(seconds);
        }
        if (print.isPrinting() && klippy.equals("ready")) {
            print = print.advance(seconds, nozzle.isWarm() && bed.isWarm());
            if (print.progress() >= 1) {
                end("complete", "completed", "");
            }
        }
    }

    public synchronized void upload(GcodeFile file) throws RpcException {
        if (print.isActive() && Objects.equals(print.file(), files.get(file.name()))) {
            throw new RpcException(403, "File currently in use");
        }
        files.put(file.name(), file);
        uploads.add(file.name());
    }

    /** Removes a file; returns false if it is missing. */
    public synchronized boolean remove(String name) throws RpcException {
        GcodeFile file = files.get(name);
        if (file != null && print.isActive() && file.equals(print.file())) {
            throw new RpcException(403, "File currently in use");
        }
        return files.remove(name) != null;
    }

    public synchronized void start(String name) throws RpcException {
        if (deaf) {
            deaf = false;
            throw new IllegalStateException("the connection breaks before the command");
        }
        requireReady();
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
        print = PrintState.of(file, speed.printDuration(file.number("estimated_time")));
        nozzle = nozzle.heatTo(file.number("first_layer_extr_temp", 205));
        bed = bed.heatTo(file.number("first_layer_bed_temp", 60));
        recordHistory("in_progress");
        if (losing) {
            losing = false;
            throw new IllegalStateException("the connection breaks before the response");
        }
    }

    public synchronized void pause() throws RpcException {
        requireReady();
        if (!print.isPrinting()) {
            throw RpcException.refused("Print is not active, cannot pause");
        }
        print = print.withState("paused", "");
    }

    public synchronized void resume() throws RpcException {
        requireReady();
        if (!print.state().equals("paused")) {
            throw RpcException.refused("Print is not paused, resume aborted");
        }
        print = print.withState("printing", "");
    }

    public synchronized void cancel() throws RpcException {
        requireReady();
        if (print.isActive()) {
            end("cancelled", "cancelled", "");
        }
    }

    private void end(String state, String historyStatus, String message) {
        print = print.withState(state, message);
        endShownAt = null;
        previousProgress = state.equals("complete") ? 1 : print.progress();
        nozzle = nozzle.heatTo(0);
        bed = bed.heatTo(0);
        recordHistory(historyStatus);
    }

    public synchronized void recordHistory(String status) {
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

    /** Executes lines of G-code; an unknown one is reported and skipped. */
    public synchronized void script(String script) throws RpcException {
        requireReady();
        for (String line : script.lines().map(String::strip).toList()) {
            scripts.add(line);
            if (unit != null) {
                unit = unit.execute(line);
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

    /** Sets the targets that are not null, in °C. */
    public void heat(@Nullable Double nozzleTarget, @Nullable Double bedTarget) throws RpcException {
        if (nozzleTarget != null) {
            script("M104 S" + nozzleTarget);
        }
        if (bedTarget != null) {
            script("M140 S" + bedTarget);
        }
    }

    private void heat(boolean isNozzle, double target) {
        if (isNozzle) {
            nozzle = nozzle.heatTo(target);
        } else {
            bed = bed.heatTo(target);
        }
    }

    public synchronized void shutDown(String message) {
        klippy = "shutdown";
        klippyMessage = message;
        nozzle = nozzle.heatTo(0);
        bed = bed.heatTo(0);
        if (print.isActive()) {
            // Like the real one, which reports a pause; only {@code webhooks} has the shutdown.
            print = print.withState("paused", "");
            recordHistory("klippy_shutdown");
        }
        notifications.accept("notify_klippy_shutdown", List.of());
    }

    public synchronized void restart() {
        if (print.isActive() && klippy.equals("ready")) {
            recordHistory("klippy_disconnect");
        }
        klippy = "startup";
        klippyMessage = "Printer is not ready";
        restarting = RESTART_SECONDS;
        print = PrintState.none();
        nozzle = nozzle.heatTo(0);
        bed = bed.heatTo(0);
        notifications.accept("notify_klippy_disconnected", List.of());
    }

    /** Ends the print without recording it. */
    public synchronized void dropPrint() {
        print = PrintState.none();
        nozzle = nozzle.heatTo(0);
        bed = bed.heatTo(0);
    }

    /** Simulates a restart that fails with this configuration error. */
    private void misconfigure(String message) {
        restart();
        klippy = "error";
        klippyMessage = message;
    }

    public synchronized void fail(String kind) throws RpcException {
        switch (kind) {
            case "mcu-shutdown" ->
                shutDown("MCU 'mcu' shutdown: Timer too close\nOnce the issue is corrected, restart");
            case "config-error" ->
                misconfigure("Option 'pin' in section 'fan' must be specified\n\nOnce it is corrected, restart");
            case "print-error" -> end("error", "error", "Heater extruder not heating at expected rate");
            case "filament-runout" -> pause();
            case "reboot" -> restart();
            case "finished" -> {
                print = print.completed();
                end("complete", "completed", "");
            }
            case "end-forgotten" -> endShownAt = Double.NEGATIVE_INFINITY;
            case "bed-unplugged" -> bedUnplugged = true;
            case "bed-plugged-in" -> bedUnplugged = false;
            case "warmed-up" -> {
                nozzle = nozzle.atTarget();
                bed = bed.atTarget();
            }
            case "cancelled-at-screen" -> cancel();
            case "started-at-screen" -> start(uploads.isEmpty() ? fileOnCard() : uploads.getLast());
            case "script-begun" -> scripting = true;
            case "script-dwells" -> dwell();
            case "script-over" -> {
                scripting = false;
                dwelling = false;
            }
            case "script-printed" -> scriptPrinted = true;
            case "unit-off" -> unit = unit == null ? null : unit.disabled();
            case "start-unanswered" -> losing = true;
            case "start-unheard" -> deaf = true;
            default -> throw RpcException.refused("no such failure: " + kind);
        }
    }

    /** Returns the name of a file that was not uploaded by the agent. */
    private String fileOnCard() {
        files.putIfAbsent(ON_CARD, GcodeFile.of(ON_CARD, new byte[0]));
        return ON_CARD;
    }

    public synchronized void recover() {
        if (klippy.equals("shutdown") || klippy.equals("error")) {
            restart();
        }
    }

    private void requireReady() throws RpcException {
        if (klippy.equals("shutdown") || klippy.equals("error")) {
            throw RpcException.refused(klippyMessage);
        }
        if (!klippy.equals("ready")) {
            throw new RpcException(503, "Klippy Host not connected");
        }
    }

    public PrintState print() {
        return print;
    }

    /** Returns the uptime in simulated seconds. */
    public double uptime() {
        return uptime;
    }

    /**
     * Returns for how many seconds the end of the last print has been shown. The time begins with the first call, so
     * that no client misses the end.
     */
    public synchronized double secondsSinceEndShown() {
        endShownAt = endShownAt == null ? uptime : endShownAt;
        return uptime - endShownAt;
    }

    /** Returns the last progress of the print before the present one. */
    double previousProgress() {
        return previousProgress;
    }

    /** Returns the position of the head and of the filament after scripts. */
    List<Double> livePosition() {
        return scriptPrinted ? List.of(90.0, 40.0, 0.2, 30.0) : List.of(0.0, 0.0, 0.0, 0.0);
    }

    /**
     * Returns Klipper's idle_timeout state: a script makes it busy as a print does. It has not moved yet, or rests
     * between two scripts.
     */
    String activity() {
        if (scripting || print.isPrinting()) {
            return "Printing";
        }
        return starts.isEmpty() && scripts.isEmpty() ? "Idle" : "Ready";
    }

    public void dwell() {
        dwelling = true;
    }

    /**
     * Returns whether a script runs, behind which other G-code waits, even one that moves nothing, which is no
     * activity.
     */
    public boolean isScriptRunning() {
        return scripting || dwelling;
    }

    /** Returns how many prints were started. */
    public int startedPrints() {
        return starts.size();
    }

    @Nullable
    public FilamentUnit unit() {
        return unit;
    }

    public Heater nozzle() {
        return nozzle;
    }

    public Heater bed() {
        return bed;
    }

    public String klippy() {
        return klippy;
    }

    public boolean isReady() {
        return klippy.equals("ready");
    }

    public boolean isStarting() {
        return klippy.equals("startup");
    }

    public boolean isShutDown() {
        return klippy.equals("shutdown");
    }

    public String klippyMessage() {
        return klippyMessage;
    }

    public @Nullable GcodeFile file(String name) {
        return files.get(name);
    }

    public List<String> fileNames() {
        return List.copyOf(files.keySet());
    }

    /** Returns the id of the latest print; empty before the first. */
    public String newestPrint() {
        return history.isEmpty() ? "" : String.valueOf(history.getLast().get("job_id"));
    }

    /** Returns the prints, the latest first. */
    public List<Map<String, Object>> history() {
        return new ArrayList<>(history).reversed();
    }

    /** Returns the log of commands in order; the caller may add to it. */
    public synchronized Map<String, Object> log() {
        return new LinkedHashMap<>(Map.of(
                "state",
                klippy.equals("ready") ? print.state() : klippy,
                "starts",
                starts,
                "uploads",
                uploads,
                "files",
                List.copyOf(files.keySet()),
                "scripts",
                scripts,
                "tools",
                tools,
                "orders",
                commands));
    }

    /** Adds a command of the provider's protocol to the log. */
    public void record(Map<String, Object> command) {
        commands.add(command);
    }

    List<String> excluded() {
        return List.copyOf(excluded);
    }

    public synchronized Map<String, Map<String, Object>> objects() {
        return new KlipperObjects(this).allObjects();
    }
}
