package farm.gantry.edge.printer.state;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Generates the page of printer states from the code. */
final class PrinterStatesPage {
    private static final Path SOURCES = Path.of("src/main/java/farm/gantry/edge/printer/state");
    private static final Pattern STATE =
            Pattern.compile("/\\*\\*((?:(?!\\*/).)*)\\*/\\s*record (\\w+)\\(", Pattern.DOTALL);
    private static final String HEAD = """
            # States of a printer

            The agent runs one state machine for each printer. Its states, and those that may follow each one, are sealed
            types in `farm.gantry.edge.printer.state`: `JobState`, `StartedState`, `UnconfirmedState` and `NextState`. A transition that
            `NextState` does not list does not compile. The agent journals each transition before it acts, so that it
            continues in the same state after a crash.

            Two rules keep a print from starting twice or on an occupied bed:

            - The start is sent only on the transition from `Preparing` or `Prepared` into `Starting`, and the journal grants
              each attempt of a job one start.
            - A status that shows that the bed was used, or may have been used, ends a job that has not begun, and is
              reported as `printerChanged`.

            After a restart of the agent, a job whose start was not sent is prepared again once the API has answered. A job
            whose start was sent continues in `Starting`, one whose start was accepted in `BeginUnconfirmed`, and one that
            the printer has shown as running in `PrintLost`; or in `CancellingStart` or `CancellingUnconfirmed` if it is to
            be cancelled.

            A test prints this page from the code and compares it: `infra/test PrinterStatesTest -Dprinter-states=write`.

            """;
    private static final String TRANSITIONS = """

            ## Transitions

            The table shows typical states and statuses, for a printer without special abilities (`Provider.Ability`). A
            combination that is not listed changes nothing. "Wait over" means that the time has passed after which the agent
            gives up a print that the printer does not show, or believes an end that it shows.

            Two rules are left out, because they hold in every state: a print for a printer that has a job is reported as
            `jobRefused`, and a cancel of another job as `jobCancelled`.

            | State | Events | Next state | Reports to the API | Actions |
            |---|---|---|---|---|
            """;

    private PrinterStatesPage() {}

    static String print() throws IOException {
        return HEAD + states() + diagram() + TRANSITIONS + table();
    }

    private static String states() throws IOException {
        Map<String, String> sentences = sentences();
        String rows = PrinterStateSamples.typicalStates().stream()
                .map(PrinterStatesPage::name)
                .map(state -> "| `" + state + "` | " + sentences.getOrDefault(state, "") + " |\n")
                .collect(Collectors.joining());
        return "## States\n\n| State | Meaning |\n|---|---|\n" + rows;
    }

    /** Returns the first sentence of the description of each record. */
    private static Map<String, String> sentences() throws IOException {
        Map<String, String> sentences = new LinkedHashMap<>();
        for (String file : List.of("JobState", "StartedState", "UnconfirmedState")) {
            Matcher state = STATE.matcher(Files.readString(SOURCES.resolve(file + ".java")));
            while (state.find()) {
                String text =
                        state.group(1).replaceAll("\\s*\\n\\s*\\*?\\s*", " ").strip();
                sentences.put(
                        state.group(2),
                        text.replaceAll("(?s)(\\.) [A-Z{].*", "$1").replaceAll("\\{@code (\\w+)}", "`$1`"));
            }
        }
        return sentences;
    }

    /** Returns the transitions between different states, with the events that cause them. */
    private static String diagram() {
        Map<String, Set<String>> arrows = new LinkedHashMap<>();
        for (JobState state : PrinterStateSamples.states()) {
            for (PrinterEvent event : PrinterStateSamples.events()) {
                for (Transitions machine : PrinterStateSamples.machines()) {
                    String next = name(machine.next(state, event).next());
                    if (!next.equals(name(state))) {
                        arrows.computeIfAbsent(name(state) + " --> " + next, _ -> new TreeSet<>())
                                .add(kind(event));
                    }
                }
            }
        }
        String lines = arrows.entrySet().stream()
                .map(arrow -> "    " + arrow.getKey() + ": " + String.join(", ", arrow.getValue()) + "\n")
                .collect(Collectors.joining());
        return "\n## Diagram\n\n```mermaid\nstateDiagram-v2\n    [*] --> Idle\n" + lines + "```\n";
    }

    /** Returns a row for each different effect of the events in a state. */
    private static String table() {
        Transitions machine = PrinterStateSamples.machines().getFirst();
        Map<List<String>, List<String>> events = new LinkedHashMap<>();
        for (JobState state : PrinterStateSamples.typicalStates()) {
            PrinterStateSamples.typicalEvents().forEach((name, event) -> {
                Transition<?> transition = machine.next(state, event);
                if (isListed(state, event, transition)) {
                    events.computeIfAbsent(effect(state, transition), _ -> new ArrayList<>())
                            .add(name);
                }
            });
        }
        return events.entrySet().stream()
                .map(row -> row(row.getKey(), String.join("; ", row.getValue())))
                .collect(Collectors.joining());
    }

    private static boolean isListed(JobState state, PrinterEvent event, Transition<?> transition) {
        boolean isSame = transition.next().equals(state)
                && transition.reports().isEmpty()
                && transition.actions().isEmpty();
        boolean isRefused = event instanceof PrinterEvent.PrintRequested && !(state instanceof JobState.NoJob);
        return !isSame && !isRefused;
    }

    /** Returns the state, the next state, the reports and the actions. */
    private static List<String> effect(JobState state, Transition<?> transition) {
        JobState next = transition.next();
        String request = switch (next.pendingRequest()) {
            case NONE -> "";
            case PAUSE -> ", pause pending";
            case RESUME -> ", resume pending";
        };
        return List.of(
                "`" + name(state) + "`",
                "`" + name(next) + "`" + request,
                joined(transition.reports(), report -> "`" + report.kind() + "`"),
                joined(transition.actions(), action -> words(action.getClass().getSimpleName())));
    }

    private static <T> String joined(List<T> list, Function<T, String> text) {
        return list.stream().map(text).collect(Collectors.joining(", "));
    }

    private static String row(List<String> effect, String events) {
        return "| " + effect.getFirst() + " | " + events + " |"
                + effect.stream()
                        .skip(1)
                        .map(cell -> cell.isEmpty() ? " |" : " " + cell + " |")
                        .collect(Collectors.joining())
                + "\n";
    }

    private static String kind(PrinterEvent event) {
        return event instanceof PrinterEvent.StatusRead
                ? "status"
                : words(event.getClass().getSimpleName());
    }

    private static String words(String name) {
        return name.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
    }

    static String name(JobState state) {
        return state.getClass().getSimpleName();
    }
}
