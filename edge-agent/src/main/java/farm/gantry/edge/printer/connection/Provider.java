package farm.gantry.edge.printer.connection;

import farm.gantry.edge.discovery.Discovery;
import farm.gantry.printer.Printer;
import farm.gantry.wire.LinkResponse.PrinterConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** The adapter for one make of printers. Each provider is a package, and is listed in {@code Providers}. */
public interface Provider {
    Printer.Provider name();

    Set<Ability> abilities();

    /** Returns this provider with a folder in which it stores data about its printers, such as pinned certificates. */
    default Provider withDataFolder(Path folder) {
        return this;
    }

    /** Returns this provider with a program that decodes its camera streams. */
    default Provider withVideoDecoder(String program) {
        return this;
    }

    /**
     * Returns this provider with additional hosts from which it may read camera images if a printer reports cameras
     * there.
     */
    default Provider withCameraHosts(Set<String> hosts) {
        return this;
    }

    /**
     * Returns the maximum time until a printer shows a print after its start. {@code usual} is the default for most
     * providers.
     */
    default Duration maxTimeUntilShown(Duration usual) {
        return usual;
    }

    /** Connects to the printer and reconnects until the connection is closed. All events go to the listener. */
    PrinterConnection connect(PrinterConfig config, String host, Listener listener);

    /** Returns the printer's port: the configured one, or the provider's default. */
    int port(PrinterConfig config);

    /** Returns the methods to discover such printers on a network; empty if they cannot be discovered. */
    default List<Discovery> discoveries() {
        return List.of();
    }

    /** Returns the other providers whose discovery may also find this provider's printers, at the same address. */
    default Set<Printer.Provider> alsoDiscoveredAs() {
        return Set.of();
    }

    /** A capability of a provider's printers on which the farm relies. */
    enum Ability {
        PRINT,
        PAUSE,
        /**
         * Can be paused while it prepares a print, so that nothing is printed. Other printers either ignore such a
         * pause and cannot be paused any more, or crash into the bed that they are measuring.
         */
        PAUSE_WHILE_PREPARING,
        RESUME,
        CANCEL,
        GCODE,
        SET_TEMPERATURE,
        SET_FAN,
        LIGHT,
        SKIP_OBJECTS,
        LAYERS,
        RECALL,
        /** Reports at any time a counter that changes with every print, also with one started at the printer. */
        PRINT_COUNTER,
        /**
         * Changes its counter when a print begins, and keeps it across restarts: an equal counter proves that no print
         * has begun since. Others count only prints that have ended.
         */
        COUNTS_STARTS,
        /**
         * Stops showing the file of a print some time after its end, so that a status without a file does not prove a
         * restart.
         */
        FORGETS_PRINTS,
        CAMERA,
        /** Lets the farm remove the files that it uploaded. */
        REMOVE_FILES,
        /** May print a file in its storage again by itself, for example when it is switched on. */
        REPLAY,
        /**
         * May show the name of the next print together with the end of the last one; permanently if the next print
         * never begins.
         */
        NAMES_NEXT,
        /** Can be stopped at once, after which the farm can restart its firmware. */
        EMERGENCY_STOP,
        /** Accepts a whole sliced 3MF together with the number of the plate to print. */
        ARCHIVES
    }

    /** Receives the events of a connection, from one thread at a time. */
    interface Listener {
        /** {@code afterGap} marks the first status after the printer was unreachable or restarted. */
        void onStatus(PrinterStatus reading, boolean afterGap);

        void onDisconnect(String reason);

        /** Called if the printer's own server answers that the printer cannot be used. */
        default void onNotReady(String reason) {
            onDisconnect(reason);
        }
    }
}
