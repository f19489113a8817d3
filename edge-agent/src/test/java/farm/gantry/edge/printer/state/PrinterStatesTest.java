package farm.gantry.edge.printer.state;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.printer.connection.PrinterStatus;
import farm.gantry.edge.printer.state.JobState.Prepared;
import farm.gantry.edge.printer.state.JobState.Preparing;
import farm.gantry.edge.printer.state.StartedState.Starting;
import farm.gantry.edge.printer.state.Transition.Action;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Applies every event to every state of the printer's state machine. */
class PrinterStatesTest {
    private static final Path PAGE = Path.of("../infra/docs/architecture/printer-states.md");

    @Test
    void printerStatesPageMatchesTheCode() throws IOException {
        String expected = PrinterStatesPage.print();
        if ("write".equals(System.getProperty("printer-states"))) {
            Files.createDirectories(PAGE.getParent());
            Files.writeString(PAGE, expected);
        }
        assertThat(PAGE)
                .as("run infra/test PrinterStatesTest -Dprinter-states=write")
                .content()
                .isEqualTo(expected);
    }

    @Test
    void samplesContainEveryStateAndEvent() {
        Set<String> states = leaves(JobState.class).map(Class::getSimpleName).collect(Collectors.toSet());
        assertThat(PrinterStateSamples.typicalStates())
                .extracting(PrinterStatesPage::name)
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(states);
        assertThat(PrinterStateSamples.states())
                .extracting(PrinterStatesPage::name)
                .containsAll(states);
        assertThat(PrinterStateSamples.events())
                .extracting(event -> (Object) event.getClass())
                .containsAll(leaves(PrinterEvent.class).toList());
    }

    /** A type that allows more than the code uses would let a wrong transition compile. */
    @Test
    void transitionsReachExactlyTheStatesThatTheTypesAllow() {
        Map<String, Set<String>> reached = new TreeMap<>();
        Map<String, Set<String>> allowed = new TreeMap<>();
        for (JobState state : PrinterStateSamples.states()) {
            Class<?> next = nextStates(state);
            allowed.computeIfAbsent(
                    next.getSimpleName(),
                    _ -> leaves(next).map(Class::getSimpleName).collect(Collectors.toCollection(TreeSet::new)));
            Set<String> states = reached.computeIfAbsent(next.getSimpleName(), _ -> new TreeSet<>());
            for (PrinterEvent event : PrinterStateSamples.events()) {
                for (Transitions machine : PrinterStateSamples.machines()) {
                    states.add(PrinterStatesPage.name(machine.next(state, event).next()));
                }
            }
        }
        assertThat(reached).isEqualTo(allowed);
    }

    @Test
    void startRequiresAPreparedJobAnIdlePrinterAndAnUnusedBed() {
        int starts = 0;
        for (JobState state : PrinterStateSamples.states()) {
            for (PrinterEvent event : PrinterStateSamples.events()) {
                for (Transitions machine : PrinterStateSamples.machines()) {
                    Transition<?> transition = machine.next(state, event);
                    boolean isStart = transition.actions().stream().anyMatch(Action.Start.class::isInstance);
                    assertThat(transition.next() instanceof Starting && !(state instanceof Starting))
                            .as("%s, %s", state, event)
                            .isEqualTo(isStart);
                    if (isStart) {
                        starts++;
                        assertStartable(state, event);
                    }
                }
            }
        }
        assertThat(starts).isPositive();
    }

    private static void assertStartable(JobState state, PrinterEvent event) {
        assertThat(state).isInstanceOfAny(Preparing.class, Prepared.class);
        JobState.NoJob before = state instanceof Preparing preparing ? preparing.before() : ((Prepared) state).before();
        assertThat(before).isInstanceOf(JobState.Idle.class);
        assertThat(event).isInstanceOfSatisfying(PrinterEvent.Uploaded.class, uploaded -> {
            PrinterStatus reading = Objects.requireNonNull(uploaded.status());
            assertThat(reading.isStartable()).isTrue();
            if (before.lastFile() != null) {
                assertThat(reading.fileName()).isEqualTo(before.lastFile());
            }
        });
    }

    /** Returns the type in {@link NextState} of the states that may follow this one. */
    private static Class<?> nextStates(JobState state) {
        return Stream.iterate(
                        Set.<Class<?>>of(state.getClass()),
                        types -> !types.isEmpty(),
                        types -> types.stream()
                                .flatMap(type -> Arrays.stream(type.getInterfaces()))
                                .collect(Collectors.toSet()))
                .flatMap(Set::stream)
                .flatMap(type -> Arrays.stream(NextState.class.getPermittedSubclasses())
                        .filter(next -> next.getSimpleName().equals("After" + type.getSimpleName())))
                .findFirst()
                .orElseThrow(() -> new AssertionError("NextState has no type for " + state));
    }

    /** Returns the records of a sealed type, each once. */
    private static Stream<Class<?>> leaves(Class<?> type) {
        Class<?>[] permitted = type.getPermittedSubclasses();
        return permitted == null
                ? Stream.of(type)
                : Arrays.stream(permitted).flatMap(PrinterStatesTest::leaves).distinct();
    }
}
