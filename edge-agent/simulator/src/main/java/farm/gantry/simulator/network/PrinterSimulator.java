package farm.gantry.simulator.network;

import farm.gantry.simulator.printer.RpcException;
import farm.gantry.simulator.printer.SimulatedPrinter;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A simulated printer of one provider on its own port: its machine, its log, and the faults injected into it. */
public abstract class PrinterSimulator implements AutoCloseable, FaultInjection.FaultTarget {
    /** A fault: another printer, which reveals its identity, has the address. */
    public static final String OTHER_MACHINE = "other-machine";
    /** A fault: the printer sends changes only on request. */
    public static final String CHANGES_NOT_SENT = "changes-untold";
    /** A fault: the printer repeats its last status response right before the next one. */
    public static final String LATE_ANSWERS = "late-answers";

    /** The injected faults that are active. */
    public final Set<String> faults = ConcurrentHashMap.newKeySet();

    private final SimulatedPrinter printer;
    private final Set<String> ownFaults;

    /**
     * Creates a simulator. {@code ownFaults} are the faults that only this provider has; they last until the printer
     * recovers.
     */
    public PrinterSimulator(SimulatedPrinter printer, Set<String> ownFaults) {
        this.printer = printer;
        this.ownFaults = ownFaults;
    }

    public abstract int port();

    /** Closes all connections; new ones are accepted if the printer is reachable. */
    public abstract void disconnectAll();

    /** Injects a fault of this provider, of its connections, or of the machine ({@link SimulatedPrinter#fail}). */
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

    /** Returns whether the printer accepts connections: not while it is off or starts. */
    public boolean isReachable() {
        return !has("offline") && !printer.isStarting();
    }

    public SimulatedPrinter printer() {
        return printer;
    }

    @Override
    public abstract void close();
}
