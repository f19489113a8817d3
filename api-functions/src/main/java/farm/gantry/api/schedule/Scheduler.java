package farm.gantry.api.schedule;

import farm.gantry.StoreId;
import farm.gantry.api.live.LiveStates;
import farm.gantry.api.query.Filter;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.query.Operator;
import farm.gantry.api.queue.Loop;
import farm.gantry.api.queue.Signal;
import farm.gantry.api.store.Commands;
import farm.gantry.api.store.Database;
import farm.gantry.api.store.Resources;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
import farm.gantry.job.JobStatus;
import farm.gantry.job.Matching;
import farm.gantry.job.PrintJob;
import farm.gantry.printer.Printer;
import farm.gantry.store.StoreSettings;
import farm.gantry.wire.Command;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives waiting jobs to free printers, one transaction a store: those of priority 100 in the queue's order, then the
 * rest. A job that fits no free printer is passed over, so that the head never blocks; among fitting printers the least
 * recently used wins.
 */
@Singleton
public final class Scheduler {
    private static final Logger LOG = LoggerFactory.getLogger(Scheduler.class);
    private static final Duration SWEEP = Duration.ofSeconds(15);
    /** How long a print may wait for its start, on the way and at the agent; its file can be had as long. */
    public static final Duration START_LIFE = Duration.ofHours(24);

    private static final int PAGE = 1000;
    private static final String FIRST_PRIORITY = "100";

    private final Database database;
    private final Table<Printer> printers;
    private final Table<PrintJob> jobs;
    private final Table<StoreSettings> settings;
    private final LiveStates states;
    private final Moves moves;
    private final Beds beds;
    private final Commands commands;
    private final AgentSignals agents;
    private final Signal due = new Signal();
    private final Set<StoreId> woken = ConcurrentHashMap.newKeySet();

    Scheduler(
            Database database,
            Tables tables,
            LiveStates states,
            Moves moves,
            Beds beds,
            Commands commands,
            AgentSignals agents) {
        this.database = database;
        this.printers = tables.of(Printer.class);
        this.jobs = tables.of(PrintJob.class);
        this.settings = tables.of(StoreSettings.class);
        this.states = states;
        this.moves = moves;
        this.beds = beds;
        this.commands = commands;
        this.agents = agents;
    }

    /** Something changed in the store that may let a job start. */
    public void wake(StoreId store) {
        woken.add(store);
        due.give();
    }

    /** Looks at woken stores at once, and at all that have work every now and then. */
    public Loop start() {
        long[] lastSweep = {System.nanoTime() - SWEEP.toNanos()};
        return Loop.start("scheduler", due, SWEEP, () -> {
            Set<StoreId> stores = new HashSet<>();
            woken.removeIf(stores::add);
            if (System.nanoTime() - lastSweep[0] >= SWEEP.toNanos()) {
                stores.addAll(database.stores("stores_with_active_jobs"));
                lastSweep[0] = System.nanoTime();
            }
            stores.forEach(this::tryToAssign);
        });
    }

    /** One store's trouble is not the others', and is looked at again. */
    private void tryToAssign(StoreId store) {
        try {
            assign(store);
        } catch (RuntimeException e) {
            LOG.warn("the jobs of store {} could not be assigned and are tried again", store.value(), e);
            woken.add(store);
        }
    }

    private void assign(StoreId store) {
        boolean started = database.in(store, tx -> {
            tx.alone("schedule");
            return assign(tx);
        });
        if (started) {
            agents.of(store).give();
        }
    }

    private boolean assign(Tx tx) {
        List<Printer> free = new ArrayList<>(free(tx));
        Map<String, List<String>> loaded = new HashMap<>();
        boolean started = false;
        int passedOver = 0;
        if (free.isEmpty()) {
            return false;
        }
        ListQuery inOrder = waiting(tx);
        while (!free.isEmpty()) {
            List<PrintJob> waiting = jobs.find(tx, inOrder.page(PAGE, passedOver));
            for (PrintJob job : waiting) {
                Optional<Printer> printer = takeFitting(tx, job, free, loaded);
                if (printer.isPresent() && start(tx, job, printer.get())) {
                    free.removeIf(taken -> taken.id().equals(printer.get().id()));
                    started = true;
                } else {
                    passedOver++;
                }
            }
            if (waiting.size() < PAGE) {
                break;
            }
        }
        return started;
    }

    private List<Printer> free(Tx tx) {
        ListQuery query = ListQuery.all(printers.columns())
                .where(Filter.of(printers.columns().get("isAvailable"), Operator.eq, "true"))
                .where(Filter.of(printers.columns().get("commMethod"), Operator.eq, "fuse"));
        return printers.find(tx, query).stream()
                .filter(printer -> Matching.whyIdle(printer).isEmpty())
                .sorted(Comparator.comparing(Printer::lastPrintedAt, Comparator.nullsFirst(Comparator.naturalOrder())))
                .toList();
    }

    /** What waits, in its order, without what may wait where the store leaves that. */
    private ListQuery waiting(Tx tx) {
        ListQuery waiting = ListQuery.all(jobs.columns())
                .where(Filter.of(jobs.columns().get("status"), Operator.eq, JobStatus.Pending.wire()))
                .sortedBy(
                        new ListQuery.Sort(jobs.columns().get("priority"), false),
                        new ListQuery.Sort(jobs.columns().get("queueOrder"), false),
                        new ListQuery.Sort(jobs.columns().get("id"), false));
        boolean all = settings.find(tx, tx.store().value())
                .map(StoreSettings::processLowPriorityJobs)
                .orElse(true);
        return all ? waiting : waiting.where(Filter.of(jobs.columns().get("priority"), Operator.lte, FIRST_PRIORITY));
    }

    /** The first of the free printers that fits and is still free, held for this transaction; those no longer free go. */
    private Optional<Printer> takeFitting(Tx tx, PrintJob job, List<Printer> free, Map<String, List<String>> loaded) {
        for (Printer printer : List.copyOf(free)) {
            List<String> slots = loaded.computeIfAbsent(printer.id(), id -> states.loaded(tx, id));
            if (Matching.whyNot(job.requiredPrinterTags(), printer, slots).isEmpty()) {
                Optional<Printer> held = beds.hold(tx, printer);
                if (held.isPresent()) {
                    return held;
                }
                free.remove(printer);
            }
        }
        return Optional.empty();
    }

    /** Takes the printer for the job and has its agent told; a job that was moved meanwhile is left alone. */
    private boolean start(Tx tx, PrintJob job, Printer printer) {
        String agentId = Objects.requireNonNull(printer.proxyClientId());
        int attempt = job.attempt() + 1;
        Optional<PrintJob> assigned = moves.move(
                tx,
                job,
                JobStatus.Move.ASSIGN,
                Map.of(
                        "assignedPrinterId", printer.id(),
                        "assignmentStartedAt", Resources.now(),
                        "attempt", attempt));
        if (assigned.isEmpty()) {
            return false;
        }
        beds.take(tx, printer, job.id());
        PrintJob ready =
                moved(tx, assigned.get(), JobStatus.Move.MAKE_READY, Map.of("assignmentCompletedAt", Resources.now()));
        PrintJob sent = moved(tx, ready, JobStatus.Move.SEND, Map.of());
        commands.add(tx, agentId, printer.id(), print(sent, printer), START_LIFE);
        return true;
    }

    private PrintJob moved(Tx tx, PrintJob job, JobStatus.Move move, Map<String, ?> also) {
        return moves.move(tx, job, move, also)
                .orElseThrow(() -> new IllegalStateException("job " + job.id() + " cannot " + move));
    }

    /** The file's own address stands in for the signed one, which is made when the agent fetches the command. */
    private static Command.Print print(PrintJob job, Printer printer) {
        PrintJob.FileToPrint file = job.filesToPrint().getFirst();
        PrintJob.@Nullable Plate plate =
                job.extensions() == null ? null : job.extensions().threeMf();
        return new Command.Print(
                job.id(),
                job.attempt(),
                file.name(),
                file.uri(),
                file.size(),
                file.sha256(),
                plate == null ? null : plate.plateId(),
                plate == null ? null : plate.gcodeFile(),
                job.taskId(),
                printer.providerConfig());
    }
}
