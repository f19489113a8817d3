package farm.gantry.api.job.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import farm.gantry.api.database.Change;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.query.ListQuery;
import farm.gantry.job.JobStatus;
import farm.gantry.job.PrintJob;
import farm.gantry.material.MaterialInstance;
import farm.gantry.printer.Printer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests spools with random concurrent changes by printers, people and scheduling rounds: the remaining weight is the
 * initial weight minus the used weight, is never negative, and only active jobs reserve filament.
 */
final class SpoolPropertyTest {
    private static final int CALLERS = 4;
    private static final int STEPS = 60;
    private static final double GRAMS = 40;
    private static final double PLENTY = 100_000;
    private static final Database DATABASE = SharedApi.bean(Database.class);
    private static final Table<PrintJob> JOBS = SharedApi.bean(Tables.class).of(PrintJob.class);
    private static final Table<Printer> PRINTERS = SharedApi.bean(Tables.class).of(Printer.class);
    private static final Table<MaterialInstance> SPOOLS =
            SharedApi.bean(Tables.class).of(MaterialInstance.class);
    private static final JobTransitions TRANSITIONS = SharedApi.bean(JobTransitions.class);

    private final FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), new Socket());
    private final List<String> printers = new ArrayList<>();
    private final List<String> spools = new ArrayList<>();

    private void load(String printer, String spool) {
        assertThat(fakeAgent
                        .client()
                        .patch(
                                "/v1/printer-slots/assign",
                                "{\"printerIds\":[\"" + printer
                                        + "\"],\"slots\":[{\"amsIndex\":0,\"slotIndex\":0}],\"instanceId\":\"" + spool
                                        + "\"}")
                        .status())
                .isEqualTo(200);
    }

    private void open() {
        for (int i = 0; i < 4; i++) {
            printers.add(fakeAgent.printer("p" + i, ""));
            spools.add(fakeAgent
                    .client()
                    .made(
                            "/v1/materials/instances",
                            "{\"materialType\":\"PLA\",\"remainingGrams\":" + (i < 2 ? PLENTY : 2.5 * GRAMS) + "}"));
            load(printers.get(i), spools.get(i));
        }
        String part = ReadyParts.uploaded(fakeAgent.store(), fakeAgent.client());
        ReadyParts.change(fakeAgent.store(), part, "slicingEstimate", ReadyParts.estimate("PLA", GRAMS));
        fakeAgent.jobOf(part, ",\"quantity\":60,\"materials\":{\"0\":[{\"materialType\":\"PLA\"}]}");
    }

    private List<PrintJob> jobs() {
        return DATABASE.in(
                fakeAgent.store().id(),
                tx -> JOBS.find(tx, ListQuery.all(JOBS.columns()).page(1000, 0)));
    }

    /** Changes a job's status at random, and releases its printer when it ends. */
    private void work(Random random) {
        List<PrintJob> active =
                jobs().stream().filter(job -> job.status().isActive()).toList();
        if (active.isEmpty()) {
            return;
        }
        String id = active.get(random.nextInt(active.size())).id();
        JobStatus.Transition move = List.of(
                        JobStatus.Transition.START,
                        JobStatus.Transition.START,
                        JobStatus.Transition.COMPLETE,
                        JobStatus.Transition.FAIL,
                        JobStatus.Transition.CANCEL,
                        JobStatus.Transition.RETURN)
                .get(random.nextInt(6));
        DATABASE.in(
                fakeAgent.store().id(),
                tx -> JOBS.lock(tx, id).flatMap(job -> {
                    Change<PrintJob> also = new Change<>();
                    if (move == JobStatus.Transition.FAIL) {
                        also.set(PrintJob::actualGrams, 10.0);
                    }
                    return (move == JobStatus.Transition.RETURN
                                    ? TRANSITIONS.returnToQueue(tx, job, move)
                                    : TRANSITIONS.apply(tx, job, move, also))
                            .filter(moved -> !moved.status().isActive() && job.assignedPrinterId() != null)
                            .map(moved -> PRINTERS.change(
                                    tx,
                                    String.valueOf(job.assignedPrinterId()),
                                    new Change<Printer>().set(Printer::printingJobId, null)));
                }));
    }

    private void step(Random random) {
        switch (random.nextInt(5)) {
            case 0 -> fakeAgent.round();
            case 1 -> load(printers.get(random.nextInt(4)), spools.get(random.nextInt(4)));
            default -> work(random);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void spoolWeightIsConservedAndNeverNegative(int seed) throws Exception {
        open();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> callers = new ArrayList<>();
            for (int caller = 0; caller < CALLERS; caller++) {
                Random random = new Random(seed * 1000L + caller);
                callers.add(threads.submit(() -> {
                    for (int i = 0; i < STEPS; i++) {
                        step(random);
                    }
                }));
            }
            for (Future<?> caller : callers) {
                caller.get();
            }
        }
        List<PrintJob> jobs = jobs();
        List<MaterialInstance> stored =
                DATABASE.in(fakeAgent.store().id(), tx -> SPOOLS.find(tx, ListQuery.all(SPOOLS.columns())));
        double reserved =
                GRAMS * jobs.stream().filter(job -> job.status().isActive()).count();
        assertThat(stored.stream().mapToDouble(MaterialInstance::reservedGrams).sum())
                .isCloseTo(reserved, within(.001));
        assertThat(stored)
                .allSatisfy(spool -> assertThat(spool.remainingGrams()).isBetween(0.0, PLENTY));
        List<double[]> used = used();
        assertThat(used).hasSizeGreaterThan(5);
        for (int i = 0; i < 4; i++) {
            String id = spools.get(i);
            double left = stored.stream()
                    .filter(spool -> spool.id().equals(id))
                    .mapToDouble(spool -> spool.remainingGrams() == null ? -1 : spool.remainingGrams())
                    .sum();
            int number = i;
            double taken = used.stream()
                    .filter(use -> use[0] == number)
                    .mapToDouble(use -> use[1])
                    .sum();
            assertThat(left)
                    .as("spool %s of which %s g were used", i, taken)
                    .isCloseTo(Math.max(0, (i < 2 ? PLENTY : 2.5 * GRAMS) - taken), within(.001));
        }
        long completed =
                jobs.stream().filter(job -> job.status() == JobStatus.Completed).count();
        assertThat(used.stream().filter(use -> use[1] == GRAMS).count()).isEqualTo(completed);
    }

    /** Returns the spool's number and the grams of each use. */
    private List<double[]> used() {
        return DATABASE.in(
                fakeAgent.store().id(),
                tx -> tx.query(
                        "select \"instanceId\", \"usedGrams\" from farm.\"filamentUse\""
                                + " where \"storeId\" = ? and \"usedGrams\" is not null",
                        rows -> {
                            List<double[]> found = new ArrayList<>();
                            while (rows.next()) {
                                found.add(new double[] {spools.indexOf(rows.getString(1)), rows.getDouble(2)});
                            }
                            return found;
                        },
                        fakeAgent.store().id().value()));
    }
}
