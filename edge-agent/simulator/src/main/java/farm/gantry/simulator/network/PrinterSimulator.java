package farm.gantry.simulator.network;

import farm.gantry.simulator.printer.RpcException;
import farm.gantry.simulator.printer.SimulatedPrinter;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** One simulated printer of any make on a port of its own: its machine, its log, and the faults injected into it. */
public abstract class PrinterSimulator implements AutoCloseable, FaultInjection.Target {
    /** Of a make that says which machine it is: another printer has the address. */
    public static final String OTHER_MACHINE = "other-machine";
    /** Of a make that tells what changes: it tells that only when it is asked. */
    public static final String CHANGES_UNTOLD = "changes-untold";
    /** What it answered when it was asked how it is comes once more, right before the answer to the next such question. */
    public static final String LATE_ANSWERS = "late-answers";

    /** Those injected and still present. */
    public final Set<String> faults = ConcurrentHashMap.newKeySet();

    private final SimulatedPrinter printer;
    private final Set<String> ownFaults;

    /** {@code ownFaults}: what only this make can have; they last until the printer recovers. */
    public PrinterSimulator(SimulatedPrinter printer, Set<String> ownFaults) {
        this.printer = printer;
        this.ownFaults = ownFaults;
    }

    public abstract int port();

    /** Closes all connections; new ones are accepted if the printer is reachable. */
    public abstract void disconnectAll();

    /** Faults of this make, of its connections, or of the machine ({@link SimulatedPrinter#fail}). */
    @Override
    public void fail(String kind) throws RpcException {
        if (ownFaults.contains(kind)) {
            faults.add(kind);
            return;
        }
        switch (kind) {
            case "disconnect" -> disconnectAll();
            case "offline" -> {
                faults.add(kind);
                disconnectAll();
            }
            case "reboot" -> {
                printer.restart();
                disconnectAll();
            }
            default -> printer.fail(kind);
        }
    }

    @Override
    public void recover() {
        faults.clear();
        printer.recover();
    }

    @Override
    public Map<String, Object> log() {
        return printer.log();
    }

    public boolean has(String fault) {
        return faults.contains(fault);
    }

    /** Neither when it is off nor while it starts. */
    public boolean isReachable() {
        return !has("offline") && !printer.isStarting();
    }

    public SimulatedPrinter printer() {
        return printer;
    }

    @Override
    public abstract void close();
}
