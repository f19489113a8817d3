package farm.gantry.promise;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.job.PrintJob;
import farm.gantry.printer.PrinterModelCatalog;
import farm.gantry.schedule.Candidate;
import farm.gantry.schedule.FilamentNeed;
import farm.gantry.schedule.JobMatcher;
import farm.gantry.schedule.Requirement;
import farm.gantry.schedule.SchedulingFixtures;
import farm.gantry.schedule.LoadedSpools;
import farm.gantry.store.WorkingHours;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PromisePlannerTest {
    private static final Instant NOW = Instant.parse("2026-11-24T15:00:00Z");
    private static final ZoneId ZONE = ZoneId.of("Europe/Berlin");
    private static final WorkingHours DAYTIME = new WorkingHours(
            List.of(
                    new WorkingHours.Shift(WorkingHours.Day.tuesday, "08:00", "17:00"),
                    new WorkingHours.Shift(WorkingHours.Day.thursday, "08:00", "17:00")),
            List.of(),
            5,
            4,
            1);

    private final List<FarmState.PlannedPrinter> printers = new ArrayList<>();
    private final List<FarmState.QueuedJob> queue = new ArrayList<>();
    private Map<String, FarmState.StartLimit> groups = Map.of();

    private void printer(Candidate candidate, @Nullable Integer busySeconds) {
        FarmState.CurrentJob current =
                busySeconds == null ? null : new FarmState.CurrentJob(null, 0, 0, busySeconds.doubleValue(), null);
        printers.add(new FarmState.PlannedPrinter(candidate, current, busySeconds == null));
    }

    private void job(Requirement requirement, int seconds) {
        queue.add(new FarmState.QueuedJob("j" + queue.size(), requirement, seconds, null, 100, 0, false));
    }

    private FarmState state(WorkingHours hours) {
        return new FarmState(
                NOW,
                ZONE,
                SchedulingFixtures.RULES,
                printers,
                queue,
                groups,
                WorkPattern.fromSettings(hours),
                new EstimateErrors(Map.of(), 0));
    }

    private List<WaitReason.Code> codes(WorkingHours hours, String id) {
        return waits(hours, id).stream().map(WaitReason::code).toList();
    }

    private List<WaitReason> waits(WorkingHours hours, String id) {
        return new PromisePlanner(state(hours)).waitReasons(id);
    }

    private Promise promise(WorkingHours hours, String id) {
        return Objects.requireNonNull(
                new PromisePlanner(state(hours)).promises().get(id));
    }

    private static Instant untilOf(List<WaitReason> waits, WaitReason.Code code) {
        return Objects.requireNonNull(waits.stream()
                .filter(wait -> wait.code() == code)
                .findFirst()
                .orElseThrow()
                .until());
    }

    @Test
    void onlyRunningPrintsArePromisedWhileTheQueueIsPaused() {
        JobMatcher paused = new JobMatcher(Map.of(), PrinterModelCatalog.BUILT_IN, false, false, false, false, false, false, true);
        printers.add(new FarmState.PlannedPrinter(
                SchedulingFixtures.printer("a", 0), new FarmState.CurrentJob("now", 0, 0, 600.0, null), false));
        printer(SchedulingFixtures.printer("b", 0), null);
        job(SchedulingFixtures.anything(), 60);
        PromisePlanner planner = new PromisePlanner(new FarmState(
                NOW,
                ZONE,
                paused,
                printers,
                queue,
                groups,
                WorkPattern.fromSettings(WorkingHours.ALWAYS),
                new EstimateErrors(Map.of(), 0)));
        assertThat(Objects.requireNonNull(planner.promises().get("now")).promisedAt())
                .isBetween(NOW.plusSeconds(540), NOW.plusSeconds(660));
        assertThat(planner.promises().get("j0")).isEqualTo(Promise.NONE);
        assertThat(planner.waitReasons("j0").stream().map(WaitReason::code)).containsExactly(WaitReason.Code.paused);
    }

    @Test
    void jobStartsAtOnceOnAFreePrinter() {
        printer(SchedulingFixtures.printer("a", 0), null);
        job(SchedulingFixtures.anything(), 3600);
        Promise promise = promise(WorkingHours.ALWAYS, "j0");
        assertThat(promise.promisedAt()).isBetween(NOW.plusSeconds(3300), NOW.plusSeconds(3900));
        assertThat(promise.promisedBy()).isAfter(promise.promisedAt()).isBefore(NOW.plusSeconds(5400));
        assertThat(waits(WorkingHours.ALWAYS, "j0")).singleElement().satisfies(wait -> {
            assertThat(wait.code()).isEqualTo(WaitReason.Code.prints);
            assertThat(wait.text()).isEqualTo("It prints 1 h 0 min on a, until 17:00.");
        });
    }

    @Test
    void bedIsClearedAtTheStartOfTheNextShift() {
        printer(SchedulingFixtures.printer("a", 0), 4 * 3600);
        job(SchedulingFixtures.anything(), 600);
        List<WaitReason> waits = waits(DAYTIME, "j0");
        assertThat(waits.stream().map(WaitReason::code))
                .containsExactly(WaitReason.Code.printerBusy, WaitReason.Code.bed, WaitReason.Code.prints);
        assertThat(untilOf(waits, WaitReason.Code.bed)).isEqualTo("2026-11-26T07:05:00Z");
        assertThat(waits.get(1).text()).isEqualTo("Somebody clears its bed by Thu 26 Nov 08:05.");
    }

    @Test
    void singlePersonClearsBedsOneAfterAnother() {
        printer(SchedulingFixtures.unready("a"), null);
        printers.set(0, new FarmState.PlannedPrinter(SchedulingFixtures.unready("a"), null, false));
        printers.add(new FarmState.PlannedPrinter(SchedulingFixtures.unready("b"), null, false));
        job(SchedulingFixtures.anything(), 600);
        job(SchedulingFixtures.anything(), 600);
        assertThat(untilOf(waits(DAYTIME, "j0"), WaitReason.Code.bed)).isEqualTo(NOW.plusSeconds(300));
        assertThat(untilOf(waits(DAYTIME, "j1"), WaitReason.Code.bed)).isEqualTo(NOW.plusSeconds(600));
    }

    @Test
    void filamentIsLoadedByAPersonWhenNoPrinterHasIt() {
        printer(SchedulingFixtures.printer("a", 0, SchedulingFixtures.pla(0)), null);
        job(SchedulingFixtures.of(List.of(SchedulingFixtures.type("PETG"))), 600);
        job(SchedulingFixtures.of(List.of(SchedulingFixtures.type("PLA"))), 600);
        assertThat(codes(DAYTIME, "j0")).containsExactly(WaitReason.Code.queue, WaitReason.Code.filament, WaitReason.Code.prints);
        assertThat(codes(DAYTIME, "j1")).containsExactly(WaitReason.Code.prints);
    }

    @Test
    void spoolWithTooLittleFilamentIsChanged() {
        Candidate printer = SchedulingFixtures.printer("a", 0, SchedulingFixtures.pla(0));
        LoadedSpools spools = new LoadedSpools(Map.of(new PrintJob.Slot(0, 0), new LoadedSpools.Spool("spool", 150.0, 0)), false);
        printer(new Candidate(printer.printer(), printer.condition(), false, printer.filaments(), spools), null);
        Requirement hundred = new Requirement(
                SchedulingFixtures.NO_TAGS,
                SchedulingFixtures.of(List.of(SchedulingFixtures.type("PLA"))).materials(),
                List.of(),
                false,
                false,
                null,
                null,
                null,
                new FilamentNeed(new TreeMap<>(), 100.0),
                List.of(),
                false);
        job(hundred, 600);
        job(hundred, 600);
        assertThat(codes(WorkingHours.ALWAYS, "j0")).containsExactly(WaitReason.Code.prints);
        assertThat(codes(WorkingHours.ALWAYS, "j1"))
                .containsExactly(WaitReason.Code.queue, WaitReason.Code.filament, WaitReason.Code.prints);
    }

    @Test
    void jobIsNotPromisedWhenNoPrinterCanPrintIt() {
        printer(SchedulingFixtures.withBed("mini", 180, 180, 180), null);
        job(SchedulingFixtures.ofSize(250, 210, 220), 600);
        assertThat(promise(WorkingHours.ALWAYS, "j0")).isEqualTo(Promise.NONE);
        assertThat(waits(WorkingHours.ALWAYS, "j0"))
                .singleElement()
                .extracting(WaitReason::code)
                .isEqualTo(WaitReason.Code.blocked);
    }

    @Test
    void jobWaitsForThePrinterItNames() {
        printer(SchedulingFixtures.printer("a", 0), null);
        printer(SchedulingFixtures.printer("b", 1), 7200);
        job(SchedulingFixtures.on("b"), 600);
        job(SchedulingFixtures.anything(), 600);
        assertThat(waits(WorkingHours.ALWAYS, "j0").getFirst()).satisfies(wait -> {
            assertThat(wait.code()).isEqualTo(WaitReason.Code.printerBusy);
            assertThat(wait.printerIds()).containsExactly("b");
        });
        assertThat(codes(WorkingHours.ALWAYS, "j1")).containsExactly(WaitReason.Code.prints);
    }

    @Test
    void orderOfManyJobsIsPromisedThoughEachRunHasFailures() {
        for (int i = 0; i < 12; i++) {
            printer(SchedulingFixtures.printer("p" + i, i), null);
        }
        List<String> order = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            order.add("order" + i);
            queue.add(new FarmState.QueuedJob("order" + i, SchedulingFixtures.anything(), 3600, null, 100, 0, true));
        }
        Promise promise = new PromisePlanner(new FarmState(
                        NOW,
                        ZONE,
                        SchedulingFixtures.RULES,
                        printers,
                        queue,
                        groups,
                        WorkPattern.fromSettings(WorkingHours.ALWAYS),
                        new EstimateErrors(Map.of(), 0.09)))
                .promiseAll(order);
        assertThat(promise.promisedAt()).isBetween(NOW.plusSeconds(17 * 3600), NOW.plusSeconds(23 * 3600));
        assertThat(promise.promisedBy()).isAfter(promise.promisedAt());
    }

    @Test
    void promisesAreDeterministic() {
        printer(SchedulingFixtures.printer("a", 0), 900);
        printer(SchedulingFixtures.printer("b", 1), 900);
        for (int i = 0; i < 20; i++) {
            job(SchedulingFixtures.anything(), 1000 + i);
        }
        assertThat(promise(DAYTIME, "j19")).isEqualTo(promise(DAYTIME, "j19"));
    }

    @Test
    void currentPrintThatFailsReturnsToItsPlaceInTheQueue() {
        printers.add(new FarmState.PlannedPrinter(
                SchedulingFixtures.printer("a", 0), new FarmState.CurrentJob("j0", 3600, 0, null, null), false));
        for (int i = 0; i < 2; i++) {
            queue.add(new FarmState.QueuedJob("j" + i, SchedulingFixtures.anything(), 3600, null, 100, 20, false));
        }
        EstimateErrors failing = new EstimateErrors(Map.of(), 0.9);
        PromisePlanner planner = new PromisePlanner(new FarmState(
                NOW,
                ZONE,
                SchedulingFixtures.RULES,
                printers,
                queue,
                groups,
                WorkPattern.fromSettings(WorkingHours.ALWAYS),
                failing));
        Promise current = Objects.requireNonNull(planner.promises().get("j0"));
        Promise next = Objects.requireNonNull(planner.promises().get("j1"));
        assertThat(planner.isAtPrinter("j0")).isTrue();
        assertThat(current.promisedAt()).isAfter(NOW.plusSeconds(2 * 3600));
        assertThat(next.promisedAt()).isAfter(NOW.plusSeconds(5 * 3600));
        assertThat(next.promisedAt()).isAfter(current.promisedAt());
    }
}
