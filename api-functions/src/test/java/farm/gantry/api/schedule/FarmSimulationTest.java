package farm.gantry.api.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.database.Database;
import farm.gantry.api.database.Tables;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.FaultyAgent;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.query.ListQuery;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Simulates a farm with the real scheduler, agent link and database. Clock, connection, agent and printers behave and
 * fail as a seed determines. The invariants are checked after every step; at the end all faults are removed and every
 * job must end. {@code -Dsimulation.seeds=500} runs more seeds, {@code -Dsimulation.seed=17} repeats one.
 */
final class FarmSimulationTest {
    private static final int STEPS = 40;
    private static final int MAX_STARTS = 1;

    static LongStream seeds() {
        Long one = Long.getLong("simulation.seed");
        return one == null ? LongStream.range(0, Long.getLong("simulation.seeds", 10)) : LongStream.of(one);
    }

    private static final class PowerCut extends RuntimeException {}

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void noJobIsPrintedTwiceOrLostUnderRandomFailures(long seed) {
        new Run(seed).run();
    }

    private static final class Run {
        private final SharedApi.Store store = SharedApi.newStore();
        private final FakeAgent fakeAgent = new FakeAgent(store, new Socket());
        private final Random random;
        private final FaultyAgent shop;
        private final List<String> log = new ArrayList<>();
        private final List<String> jobs;
        private Instant now = Instant.now();

        Run(long seed) {
            this.random = new Random(seed);
            this.shop = new FaultyAgent(fakeAgent, random);
            String group = fakeAgent.client().made("/v1/printer-throttle-groups", """
                    {"name": "fuse", "enabled": true, "maxConcurrentStarts": %d, "fallbackTimeoutSeconds": 300,
                     "temperatureToleranceC": 2, "releaseConditions": {"duration": {"seconds": 60}}}""".formatted(MAX_STARTS));
            for (int i = 0; i < 3; i++) {
                shop.add(fakeAgent.printer(
                        "p" + i,
                        ", \"vendorName\": \"Voron\", \"modelName\": \"Trident\""
                                + (i == 0 ? "" : ", \"throttleGroupId\": \"" + group + "\"")));
            }
            fakeAgent.client().made("/v1/macros", """
                    {"name": "push it off", "type": "bed_clearing", "gcode": "PUSH",
                     "compatibilities": [{"vendorName": "Voron", "modelName": "Trident"}]}""");
            if (seed % 2 == 1) {
                fakeAgent.client().patch("/v1/settings/store", """
                        {"failurePolicy": {"retriesElsewhere": 2, "quarantine": {"failures": 2, "ofLastJobs": 3},
                         "holdPartAfterPrinters": 3}}""");
            }
            String part = ReadyParts.uploaded(store, fakeAgent.client());
            Answer built =
                    fakeAgent.client().post("/v2/builds", "{\"parts\":[{\"partId\":\"" + part + "\",\"quantity\":6}]}");
            this.jobs = fakeAgent
                    .client()
                    .get("/v1/print-jobs?partBuildId=" + built.at("partBuilds[0].id"))
                    .each("id");
        }

        void run() {
            for (int i = 0; i < STEPS; i++) {
                now = now.plusSeconds(random.nextInt(90));
                step(random.nextInt(100));
                check();
            }
            heal();
            assertThat(stored().values())
                    .as(String.join("\n", log))
                    .allMatch(job -> job.status().isFinished());
            shop.endings().forEach((attempt, ending) -> {
                PrintJob job = stored().get(attempt.replaceFirst("/.*", ""));
                if (job != null && attempt.equals(job.id() + "/" + job.attempt()) && ending.equals("jobCompleted")) {
                    assertThat(job.status())
                            .as("%s has printed\n%s", attempt, String.join("\n", log))
                            .isIn(JobStatus.Completed, JobStatus.Cancelled);
                }
            });
        }

        private void step(int die) {
            String before = String.join(
                    " ",
                    stored().values().stream()
                            .map(job -> job.status().wireName() + "/" + job.attempt())
                            .toList());
            if (die < 25) {
                said("round", before);
                round(random.nextInt(100) < 15);
            } else if (die < 50) {
                said("exchange", before);
                shop.talk(30);
            } else if (die < 54) {
                said("old news", before);
                shop.repeatOldNews();
            } else if (die < 66) {
                said("a print ends", before);
                shop.finishOne(25);
            } else if (die < 74) {
                said("by hand", before);
                shop.printByHand();
            } else if (die < 84) {
                said("beds are cleared", before);
                shop.clearBeds();
                release();
            } else if (die < 88) {
                said("continuous printing", before);
                shop.goOn();
            } else if (die < 92) {
                said("the agent leaves or comes back", before);
                shop.leaveOrComeBack();
            } else if (die < 96) {
                said("cancel", before);
                tell("cancel");
            } else {
                said("retry", before);
                tell("retry");
            }
        }

        private void said(String what, String before) {
            log.add(now + " " + what + ": " + before);
        }

        private void tell(String what) {
            String job = jobs.get(random.nextInt(jobs.size()));
            fakeAgent.client().patch("/v1/print-jobs/" + what, "{\"printJobIds\":[\"" + job + "\"]}");
        }

        /** Releases what the failure policy has stopped. */
        private void release() {
            List<String> quarantined = fakeAgent
                    .client()
                    .get("/v1/printers?quarantinedAt.isNull=false")
                    .each("id");
            if (!quarantined.isEmpty()) {
                log.add("  and " + quarantined + " are released");
                fakeAgent
                        .client()
                        .patch(
                                "/v1/printers/quarantine",
                                "{\"quarantined\":false,\"ids\":[\"" + String.join("\",\"", quarantined) + "\"]}");
            }
            List<String> held =
                    fakeAgent.client().get("/v1/parts?heldAt.isNull=false").each("id");
            if (!held.isEmpty()) {
                log.add("  and the part is released");
                fakeAgent.client().patch("/v1/parts/hold", "{\"held\":false,\"ids\":[\"" + held.getFirst() + "\"]}");
            }
        }

        /** Returns the idle printers that may get no job. */
        private List<String> outOfWork() {
            return fakeAgent
                    .client()
                    .get("/v1/printers?quarantinedAt.isNull=false&printingJobId.isNull=true")
                    .each("id");
        }

        /** Runs a scheduling round, which may crash before it commits. */
        private void round(boolean dies) {
            List<String> outOfWork = outOfWork();
            tryRound(dies);
            assertThat(outOfWork()).as("got no job\n%s", log).isEqualTo(outOfWork);
        }

        private void tryRound(boolean dies) {
            try {
                SharedApi.bean(Database.class).in(store.id(), tx -> {
                    SchedulingRound.Outcome outcome =
                            SharedApi.bean(SchedulingRound.class).run(tx, now);
                    if (dies) {
                        throw new PowerCut();
                    }
                    return outcome;
                });
            } catch (PowerCut _) {
                log.add("  and died");
            }
        }

        private Map<String, PrintJob> stored() {
            return SharedApi.bean(Database.class).in(store.id(), tx -> {
                var table = SharedApi.bean(Tables.class).of(PrintJob.class);
                Map<String, PrintJob> found = new HashMap<>();
                table.find(tx, ListQuery.all(table.columns())).forEach(job -> found.put(job.id(), job));
                return found;
            });
        }

        private void check() {
            List<String> taken = stored().values().stream()
                    .filter(job -> job.status().isActive())
                    .flatMap(job -> Stream.ofNullable(job.assignedPrinterId()))
                    .toList();
            String logText = String.join("\n", log);
            assertThat(taken).as("active jobs by printer\n%s", logText).doesNotHaveDuplicates();
            assertThat(shop.violations()).as(logText).isEmpty();
            int held = SharedApi.bean(Database.class)
                    .in(store.id(), tx -> SharedApi.bean(ThrottleHoldRows.class).all(tx))
                    .values()
                    .stream()
                    .mapToInt(List::size)
                    .sum();
            assertThat(held).as("starts of the group\n%s", logText).isLessThanOrEqualTo(MAX_STARTS);
        }

        /** Continues without faults, and confirms beds, until every job has ended. */
        private void heal() {
            log.add("healed");
            shop.calm();
            for (int i = 0; i < 60; i++) {
                now = now.plusSeconds(400);
                round(false);
                shop.talk(0);
                check();
                shop.finishAll();
                shop.talk(0);
                shop.clearBeds();
                release();
                if (shop.isQuiet()
                        && stored().values().stream()
                                .allMatch(job -> job.status().isFinished())) {
                    return;
                }
            }
        }
    }
}
