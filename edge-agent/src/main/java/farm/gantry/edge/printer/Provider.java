package farm.gantry.edge.printer;

import farm.gantry.edge.discovery.Discovery;
import farm.gantry.printer.Printer;
import farm.gantry.wire.LinkAnswer.PrinterConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** A make of printer: one folder, one line in the list of providers. */
public interface Provider {
    Printer.Provider name();

    Set<Ability> abilities();

    /** The same make, which keeps in this folder what it must remember of its printers. */
    default Provider keeping(Path folder) {
        return this;
    }

    /** The same make, which decodes what its cameras film by this program. */
    default Provider decoding(String program) {
        return this;
    }

    /** Returns this make, which also asks cameras on these hosts where a printer reports them. */
    default Provider withCameraHosts(Set<String> hosts) {
        return this;
    }

    /** How long a printer may take to show a print that it was told to start; {@code usual} is enough for most makes. */
    default Duration untilShown(Duration usual) {
        return usual;
    }

    /** Begins to reach the printer there, and never gives up until the connection is closed; all news go to the listener. */
    Connection connect(PrinterConfig config, String host, Listener listener);

    /** The port at which the printer is spoken to, where it is configured or usual. */
    int port(PrinterConfig config);

    /** How printers of this make are found in a network; some tell nobody that they are there. */
    default List<Discovery> discoveries() {
        return List.of();
    }

    /** The other makes as which a printer of this make may be discovered too, at the same address. */
    default Set<Printer.Provider> imitates() {
        return Set.of();
    }

    /** What a make may or may not let the farm do or know. */
    enum Ability {
        PRINT,
        PAUSE,
        /**
         * Can also be paused while it prepares a print, which keeps that from the bed. Of the others, some print on and can be paused
         * no more, and some drive into the bed that they measure.
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
        /** Tells at any time of a counter that changes with every print, whoever began it. */
        PRINT_COUNTER,
        /**
         * Its counter changes when a print begins, and survives a restart of the printer: an equal counter proves that no print has begun
         * since. Others count only prints that have ended.
         */
        COUNTS_STARTS,
        /** Stops showing the file of a print some time after its end by itself: without a file it need not have been restarted. */
        FORGETS_PRINTS,
        CAMERA,
        /** Removes files that the farm has uploaded. */
        REMOVE_FILES,
        /** May print a file that lies on it once more by itself, for example when it is switched on. */
        REPLAY,
        /** May show the name of the next print together with the end of the last one, for good where the next one never begins. */
        NAMES_NEXT,
        /** Can be stopped at once, and its firmware be restarted after that, also by the farm. */
        EMERGENCY_STOP,
        /** Takes a sliced 3MF whole, and is told which plate of it to print. */
        ARCHIVES
    }

    /** Receives the events of a connection, from one thread at a time. */
    interface Listener {
        /** {@code afterGap} marks the first reading after the printer was out of sight or restarted. */
        void saw(Reading reading, boolean afterGap);

        void lost(String reason);

        /** What answers there is the printer's own server, which says that the printer cannot be used. */
        default void notReady(String reason) {
            lost(reason);
        }
    }
}
