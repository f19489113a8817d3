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
 * A simulated agent and its printers with faults: the line loses, repeats, delays and reorders, the agent dies between what it
 * heard and what it wrote down, prints are refused, or end well or badly, people start prints at the printers themselves.
 * It knows what really lay on each bed, and complains when a print is started where one must not be, or twice.
 */
final class FaultyAgent {
    private final FakeAgent fakeAgent;
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

    FaultyAgent(FakeAgent fakeAgent, Random random) {
        this.fakeAgent = fakeAgent;
        this.random = random;
    }

    /**
     * What is on a bed: a running print, what an ended one left, or nothing; how many prints the machine has begun and of how
     * many its agent knows, and the number of the last event by which that told that the bed was used.
     */
    private static final class Machine {
        private final Map<String, Object> running = new HashMap<>();
        private final Set<String> left = new HashSet<>();
        private int prints;
        private int known;
        private long lastUse;

        boolean isForeign() {
            return FOREIGN.equals(running.get("jobId"));
        }
    }

    private static final String FOREIGN = "foreign";
    private boolean isAway;

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
        if (isAway || chance(badness)) {
            return;
        }
        List<Map<String, Object>> told = List.copyOf(events);
        Answer answer = fakeAgent.exchange(told, List.copyOf(acks), chance(50) ? reports() : List.of());
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
            fakeAgent.exchange(delayed.remove(random.nextInt(delayed.size())), List.of(), List.of());
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
                case "send" -> clear(id, command);
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
        if (!machine.running.isEmpty() || heard(command) < machine.lastUse) {
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
        machine.prints++;
        machine.known = machine.prints;
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
                .filter(printer -> fakeAgent.deviceOf(printer).equals(device))
                .findFirst()
                .orElse("");
    }

    private void tell(String printer, String kind, String job, int attempt) {
        tell(printer, kind, Map.of("jobId", job, "attempt", attempt, "elapsedSeconds", 60));
    }

    private void tell(String printer, String kind, Map<String, ?> more) {
        Map<String, Object> event = fakeAgent.event(printer, kind, more);
        events.add(event);
        Machine machine = machines.get(printer);
        if (machine != null && !List.of("jobRefused", "commandDone").contains(kind)) {
            machine.lastUse = Long.parseLong(String.valueOf(event.get("sequence")));
        }
    }

    private static long heard(JsonNode command) {
        return Long.parseLong(String.valueOf(Answer.at(command, "action.heardSequence")));
    }

    /** The macro that clears a bed runs through, unless the bed was used since. */
    private void clear(String id, JsonNode command) {
        String printer = printerOf(command);
        Machine machine = machines.get(printer);
        if (machine != null && heard(command) >= machine.lastUse) {
            if (!machine.running.isEmpty()) {
                violations.add("a bed was cleared while something was printed on it: " + printer);
            }
            machine.left.clear();
            tell(printer, "commandDone", Map.of("commandId", id));
        }
    }

    private List<Map<String, Object>> reports() {
        List<Map<String, Object>> reports = new ArrayList<>();
        machines.forEach((printer, machine) -> {
            if (chance(50)) {
                Object job = machine.running.get("jobId");
                String file = machine.isForeign() ? "benchy.gcode" : "gantry-" + job + "-1-a.gcode";
                reports.add(fakeAgent.report(
                        printer,
                        machine.running.isEmpty() ? "finished" : "printing",
                        job == null ? null : file,
                        machine.isForeign() || job == null ? null : String.valueOf(job),
                        machine.prints));
            }
        });
        return reports;
    }

    /** Somebody starts a print at a printer that stands still, or such a print ends. */
    void printByHand() {
        String printer = List.copyOf(machines.keySet()).get(random.nextInt(machines.size()));
        Machine machine = machines.getOrDefault(printer, new Machine());
        if (machine.running.isEmpty()) {
            machine.running.put("jobId", FOREIGN);
            machine.left.add(FOREIGN);
            machine.prints++;
            notice(printer, machine);
        } else if (machine.isForeign()) {
            machine.running.clear();
            notice(printer, machine);
        }
    }

    /** An agent that is there sees what was begun at the printer, and one that is back finds it by the printer's counter. */
    private void notice(String printer, Machine machine) {
        if (!isAway) {
            machine.known = machine.prints;
            tell(printer, "printerChanged", Map.of("message", "it prints what the farm did not start"));
        }
    }

    /** The agent stops, or starts again. */
    void leaveOrComeBack() {
        isAway = !isAway;
        if (!isAway) {
            machines.forEach((printer, machine) -> {
                if (machine.known != machine.prints) {
                    notice(printer, machine);
                }
            });
        }
    }

    /** All people go home, and the agent is there. */
    void calm() {
        if (isAway) {
            leaveOrComeBack();
        }
        machines.forEach((printer, machine) -> {
            if (machine.isForeign()) {
                machine.running.clear();
                notice(printer, machine);
            }
        });
    }

    /** A print ends at one of the printers. */
    void finishOne(int failing) {
        machines.entrySet().stream()
                .filter(machine -> !isAway
                        && !machine.getValue().running.isEmpty()
                        && !machine.getValue().isForeign())
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

    /** A person goes past, and says of every printer that stands still that its bed is clear, if the farm takes that. */
    void clearBeds() {
        machines.forEach((printer, machine) -> {
            if (machine.running.isEmpty() && fakeAgent.confirm(printer).status() == 200) {
                machine.left.clear();
            }
        });
    }

    /** A person switches continuous printing. */
    void goOn() {
        String printer = List.copyOf(machines.keySet()).get(random.nextInt(machines.size()));
        fakeAgent
                .client()
                .patch(
                        "/v1/printers/continous-print",
                        "{\"ids\":[\"" + printer + "\"],\"enabled\":" + random.nextBoolean() + "}");
    }

    boolean isQuiet() {
        return events.isEmpty() && machines.values().stream().allMatch(machine -> machine.running.isEmpty());
    }
}
