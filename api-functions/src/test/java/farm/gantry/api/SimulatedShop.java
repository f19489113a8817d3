package farm.gantry.api;

import io.micronaut.json.tree.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * An agent and its printers as they may be: the line loses, repeats, delays and reorders, the agent dies between what it
 * heard and what it wrote down, prints are refused, or end well or badly. It knows what really lay on each bed, and complains when a
 * print is started where one must not be, or twice.
 */
final class SimulatedShop {
    private final Floor floor;
    private final Random random;
    private final Map<String, Machine> machines = new LinkedHashMap<>();
    private final Map<String, Integer> fences = new HashMap<>();
    private final Map<String, String> outcomes = new HashMap<>();
    private final List<Map<String, Object>> events = new ArrayList<>();
    private final List<Map<String, ?>> acks = new ArrayList<>();
    private final List<List<Map<String, Object>>> delayed = new ArrayList<>();
    private final Map<String, Integer> starts = new HashMap<>();
    private final Map<String, String> endings = new HashMap<>();
    private final List<String> violations = new ArrayList<>();

    SimulatedShop(Floor floor, Random random) {
        this.floor = floor;
        this.random = random;
    }

    /** What is on a bed: a running print, what an ended one left, or nothing. */
    private static final class Machine {
        private final Map<String, Object> running = new HashMap<>();
        private final Set<String> left = new HashSet<>();
    }

    void add(String printer) {
        machines.put(printer, new Machine());
    }

    List<String> violations() {
        return violations;
    }

    /** By job and attempt, how each print that ran has ended. */
    Map<String, String> endings() {
        return endings;
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    /** One exchange over a line that works so badly, in percent. */
    void talk(int badness) {
        if (chance(badness)) {
            return;
        }
        List<Map<String, Object>> told = List.copyOf(events);
        Answer answer = floor.exchange(told, List.copyOf(acks), List.of());
        if (chance(badness)) {
            delayed.add(told);
            return;
        }
        long kept = Long.parseLong(String.valueOf(answer.at("ackSequence")));
        events.removeIf(event -> Long.parseLong(String.valueOf(event.get("sequence"))) <= kept);
        acks.clear();
        List<JsonNode> commands = new ArrayList<>();
        answer.json().get("commands").values().forEach(commands::add);
        if (chance(badness)) {
            commands.addAll(List.copyOf(commands));
        }
        for (JsonNode command : commands) {
            if (chance(badness / 2)) {
                return; // died before it wrote the rest down
            }
            take(command, badness / 3);
        }
    }

    /** What was sent long ago arrives again. */
    void repeatOldNews() {
        if (!delayed.isEmpty()) {
            floor.exchange(delayed.remove(random.nextInt(delayed.size())), List.of(), List.of());
        }
    }

    /** A print may be refused before it is begun, in so many of a hundred cases. */
    private void take(JsonNode command, int refusing) {
        String id = String.valueOf(Answer.at(command, "commandId"));
        String type = String.valueOf(Answer.at(command, "action.type"));
        if (outcomes.putIfAbsent(id, type.equals("print") && chance(refusing) ? "refused" : "taken") == null
                && "taken".equals(outcomes.get(id))) {
            switch (type) {
                case "print" -> print(command);
                case "cancel" -> cancel(command);
                default -> {}
            }
        }
        acks.add(Map.of("commandId", id, "outcome", String.valueOf(outcomes.get(id))));
    }

    private void print(JsonNode command) {
        String job = String.valueOf(Answer.at(command, "action.jobId"));
        int attempt = Integer.parseInt(String.valueOf(Answer.at(command, "action.attempt")));
        String printer = printerOf(command);
        Machine machine = machines.get(printer);
        if (machine == null || attempt <= fences.getOrDefault(job, 0)) {
            return;
        }
        fences.put(job, attempt);
        if (!machine.running.isEmpty()) {
            tell(printer, "jobRefused", job, attempt);
            return;
        }
        if (!machine.left.isEmpty()) {
            violations.add("a print was started on a bed that is not clear: " + job + "/" + attempt);
        }
        if (starts.merge(job + "/" + attempt, 1, Integer::sum) > 1) {
            violations.add(job + "/" + attempt + " was started twice");
        }
        machine.running.put("jobId", job);
        machine.running.put("attempt", attempt);
        tell(printer, "jobStarted", job, attempt);
    }

    private void cancel(JsonNode command) {
        String job = String.valueOf(Answer.at(command, "action.jobId"));
        int attempt = Integer.parseInt(String.valueOf(Answer.at(command, "action.attempt")));
        String printer = printerOf(command);
        Machine machine = machines.get(printer);
        if (machine != null
                && job.equals(machine.running.get("jobId"))
                && Integer.valueOf(attempt).equals(machine.running.get("attempt"))) {
            end(printer, "jobCancelled");
        } else {
            tell(printer, "jobCancelled", job, attempt);
        }
    }

    private String printerOf(JsonNode command) {
        String device = String.valueOf(Answer.at(command, "deviceId"));
        return machines.keySet().stream()
                .filter(printer -> floor.deviceOf(printer).equals(device))
                .findFirst()
                .orElse("");
    }

    private void tell(String printer, String kind, String job, int attempt) {
        events.add(floor.event(printer, kind, Map.of("jobId", job, "attempt", attempt, "elapsedSeconds", 60)));
    }

    /** A print ends at one of the printers. */
    void finishOne(int failing) {
        machines.entrySet().stream()
                .filter(machine -> !machine.getValue().running.isEmpty())
                .map(Map.Entry::getKey)
                .skip(random.nextInt(machines.size()))
                .findFirst()
                .ifPresent(printer -> end(printer, chance(failing) ? "jobFailed" : "jobCompleted"));
    }

    void finishAll() {
        machines.forEach((printer, machine) -> {
            if (!machine.running.isEmpty()) {
                end(printer, "jobCompleted");
            }
        });
    }

    private void end(String printer, String kind) {
        Machine machine = machines.getOrDefault(printer, new Machine());
        String job = String.valueOf(machine.running.get("jobId"));
        Object attempt = machine.running.get("attempt");
        machine.running.clear();
        machine.left.add(job);
        endings.put(job + "/" + attempt, kind);
        tell(printer, kind, job, attempt instanceof Number number ? number.intValue() : 0);
    }

    /** A person goes past and clears the bed of every printer that stands still. */
    void clearBeds() {
        machines.forEach((printer, machine) -> {
            if (machine.running.isEmpty()) {
                machine.left.clear();
                floor.confirm(printer);
            }
        });
    }

    boolean isQuiet() {
        return events.isEmpty() && machines.values().stream().allMatch(machine -> machine.running.isEmpty());
    }
}
