package farm.gantry.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.part.PrintTags;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlacementPlannerTest {
    /** Returns the printer of each job, in order; {@code -} is none. */
    private static List<String> placed(List<Candidate> printers, Requirement... jobs) {
        PlacementPlanner placing = new PlacementPlanner(SchedulingFixtures.RULES, printers);
        List<String> placed = new ArrayList<>();
        for (Requirement job : jobs) {
            Optional<PlacementPlanner.Placement> placement =
                    placing.place(new PlacementPlanner.WaitingJob("j" + placed.size(), 0, job));
            placed.add(placement.map(each -> each.printer().printer().id()).orElse("-"));
        }
        return placed;
    }

    @Test
    void printerUsedLeastRecentlyIsChosen() {
        List<Candidate> printers = List.of(
                SchedulingFixtures.printer("late", 30),
                SchedulingFixtures.printer("early", 10),
                SchedulingFixtures.printer("middle", 20));
        assertThat(placed(
                        printers,
                        SchedulingFixtures.anything(),
                        SchedulingFixtures.anything(),
                        SchedulingFixtures.anything(),
                        SchedulingFixtures.anything()))
                .containsExactly("early", "middle", "late", "-");
    }

    @Test
    void firstJobOfTheQueueDoesNotBlockOthers() {
        assertThat(placed(
                        List.of(SchedulingFixtures.printer("a", 0)),
                        SchedulingFixtures.on("elsewhere"),
                        SchedulingFixtures.anything()))
                .containsExactly("-", "a");
    }

    @Test
    void printerThatIsNotReadyGetsNoJob() {
        assertThat(placed(List.of(SchedulingFixtures.unready("a")), SchedulingFixtures.anything()))
                .containsExactly("-");
    }

    @Test
    void onlyTheNamedPrinterIsChosen() {
        List<Candidate> printers = List.of(
                SchedulingFixtures.printer("a", 1),
                SchedulingFixtures.printer("b", 2),
                SchedulingFixtures.printer("c", 3));
        assertThat(placed(
                        printers,
                        SchedulingFixtures.on("=c"),
                        SchedulingFixtures.on("|=c|b"),
                        SchedulingFixtures.on("b"),
                        SchedulingFixtures.anything()))
                .containsExactly("c", "b", "-", "a");
    }

    @Test
    void jobTooLargeForABedGoesToALargerPrinter() {
        List<Candidate> printers = List.of(
                SchedulingFixtures.withBed("mini", 180, 180, 180),
                SchedulingFixtures.withBed("large", 250, 210, 220),
                SchedulingFixtures.printer("unknown", 1));
        assertThat(placed(
                        printers,
                        SchedulingFixtures.ofSize(250, 210, 220.001),
                        SchedulingFixtures.ofSize(181, 10, 10),
                        SchedulingFixtures.ofSize(10, 10, 181),
                        SchedulingFixtures.ofSize(180, 180, 180)))
                .containsExactly("large", "unknown", "-", "mini");
    }

    @Test
    void tagRuleMatchesTheFieldItNames() {
        List<Candidate> printers = List.of(
                SchedulingFixtures.printer("a", 1, SchedulingFixtures.pla(0)), SchedulingFixtures.printer("b", 2));
        assertThat(placed(printers, SchedulingFixtures.tagged(new PrintTags(null, null, null, null, null, "shelf b"))))
                .containsExactly("b");
        assertThat(placed(printers, SchedulingFixtures.tagged(new PrintTags("PLA", null, null, null, null, null))))
                .containsExactly("a");
        assertThat(placed(
                        printers,
                        SchedulingFixtures.tagged(new PrintTags(null, null, "Trident", "0.4", "firmwareK", null))))
                .containsExactly("a");
        assertThat(placed(printers, SchedulingFixtures.tagged(new PrintTags(null, null, "trident", null, null, null))))
                .containsExactly("-");
    }

    @Test
    void modelGoesToAPrinterWithAllProfiles() {
        SlotFilament withProfile = SchedulingFixtures.filament(1, null, "pla with a profile", "PLA");
        List<Candidate> printers = List.of(
                SchedulingFixtures.printer("plain", 1, withProfile),
                SchedulingFixtures.withMachineProfile("no filament"),
                SchedulingFixtures.withMachineProfile("filament without profile", SchedulingFixtures.pla(0)),
                SchedulingFixtures.withMachineProfile("set up", SchedulingFixtures.pla(0), withProfile));
        assertThat(placed(printers, SchedulingFixtures.sliced(), SchedulingFixtures.sliced()))
                .containsExactly("set up", "-");
    }

    @Test
    void gcodeGoesToAPrinterWithItsNozzle() {
        List<Candidate> printers = List.of(SchedulingFixtures.printer("a", 1));
        assertThat(placed(printers, SchedulingFixtures.madeFor("0.6"), SchedulingFixtures.madeFor("0.40")))
                .containsExactly("-", "a");
    }

    /** Compares the batch with a check of each of ten thousand jobs on each of a thousand printers. */
    @Test
    void batchPlacementEqualsPlacementOneByOne() {
        Random random = new Random(7);
        for (int seed = 0; seed < 50; seed++) {
            List<Candidate> printers = IntStream.range(0, 12)
                    .mapToObj(i -> SchedulingFixtures.printer(
                            "p" + i,
                            random.nextInt(5),
                            SchedulingFixtures.filament(0, null, null, random.nextBoolean() ? "PLA" : "PETG")))
                    .toList();
            Requirement[] jobs = IntStream.range(0, 20)
                    .mapToObj(_ -> switch (random.nextInt(4)) {
                        case 0 -> SchedulingFixtures.on("p" + random.nextInt(14));
                        case 1 -> SchedulingFixtures.of(List.of(SchedulingFixtures.type("PLA")));
                        case 2 -> SchedulingFixtures.of(List.of(SchedulingFixtures.type("PETG")));
                        default -> SchedulingFixtures.anything();
                    })
                    .toArray(Requirement[]::new);
            assertThat(placed(printers, jobs)).as("seed %s", seed).isEqualTo(oneByOne(printers, jobs));
        }
    }

    private static List<String> oneByOne(List<Candidate> printers, Requirement... jobs) {
        List<Candidate> free = new ArrayList<>(printers);
        List<String> placed = new ArrayList<>();
        for (Requirement job : jobs) {
            Optional<Candidate> chosen = free.stream()
                    .filter(printer -> new RuleExplainer(SchedulingFixtures.RULES, Map.of())
                            .findObstacle(job, printer)
                            .isEmpty())
                    .min(Candidate.BY_LAST_USE);
            chosen.ifPresent(free::remove);
            placed.add(chosen.map(printer -> printer.printer().id()).orElse("-"));
        }
        return placed;
    }
}
