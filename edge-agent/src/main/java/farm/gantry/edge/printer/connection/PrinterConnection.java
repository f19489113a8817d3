package farm.gantry.edge.printer.connection;

import farm.gantry.edge.camera.CameraImage;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.wire.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The connection to one printer. Each call waits for the printer's answer. After a {@link Refusal} nothing was done;
 * after an {@code IOException} it is unknown whether the printer acted.
 */
public interface PrinterConnection extends AutoCloseable {
    /** Stops a machine at once and ends its print. */
    String EMERGENCY_STOP = "emergency-stop";

    String PAUSE = "pause";

    /** Restarts a machine that has shut itself down. */
    String FIRMWARE_RESTART = "firmware-restart";

    void upload(Path file, String sha256, String fileName) throws IOException, Refusal, InterruptedException;

    /** Decides right before a command is sent whether it may still be sent. */
    interface StatusCheck {
        /** Throws if the command is obsolete, or not allowed at this status. */
        void check(PrinterStatus now) throws Refusal;
    }

    /**
     * Starts the print of an uploaded file. Providers that take filaments and options apart from the file read them
     * from {@code command}. The check runs before each time the start is sent, because a printer may let it wait. The
     * cause of a refusal is {@code answer} only if the start was sent to the printer.
     */
    void start(String fileName, Command.@Nullable Print command, StatusCheck check)
            throws IOException, Refusal, InterruptedException;

    /**
     * Returns the print counter that the printer shows for this file only if the farm started its print; null if the
     * provider has none.
     */
    default @Nullable String farmPrintCounter(String fileName) {
        return null;
    }

    /**
     * Waits until the printer has carried out or dropped all commands sent before. Some printers queue a start until
     * their current work is done, even if the client has disconnected.
     */
    default void awaitQueuedCommands() throws IOException, Refusal, InterruptedException {}

    /** A change to the running print. */
    enum Control {
        PAUSE,
        RESUME,
        CANCEL;

        /** Returns whether a printer with this status has carried out the change. */
        public boolean isDone(PrinterStatus status) {
            return switch (this) {
                case PAUSE ->
                    status.status() == Status.paused || !status.status().isBusy();
                case RESUME -> status.status() != Status.paused;
                case CANCEL -> !status.status().isBusy();
            };
        }
    }

    /** Pauses, resumes or cancels the running print. The check receives the status of the print that would change. */
    void control(Control control, StatusCheck check) throws IOException, Refusal, InterruptedException;

    default void pause() throws IOException, Refusal, InterruptedException {
        control(Control.PAUSE, _ -> {});
    }

    default void resume() throws IOException, Refusal, InterruptedException {
        control(Control.RESUME, _ -> {});
    }

    default void cancel() throws IOException, Refusal, InterruptedException {
        control(Control.CANCEL, _ -> {});
    }

    /** Sends a command from a person or a macro. */
    default void send(Command.Send send) throws IOException, Refusal, InterruptedException {
        switch (send.command()) {
            case "stop" -> cancel();
            case PAUSE -> pause();
            case "resume" -> resume();
            default -> sendProviderCommand(send);
        }
    }

    /** Sends a command that only some providers know. */
    void sendProviderCommand(Command.Send send) throws IOException, Refusal, InterruptedException;

    /**
     * Removes an uploaded file; a missing file counts as removed. Throws a refusal while the printer prints, and for
     * the file that it shows. The cause of the refusal is {@code printer} only if it applies to every file.
     */
    default void removeFile(String fileName) throws IOException, Refusal, InterruptedException {
        throw new Refusal("this printer does not let the farm remove files");
    }

    /** Returns the current camera image. */
    default CameraImage takeSnapshot() throws IOException, Refusal, InterruptedException {
        throw new Refusal("the printer has no camera image");
    }

    /** How a print ended according to the printer's own history, and the reason if it gives one. */
    record RecordedEnding(
            PrinterStatus.Ending ending, @Nullable String reason) {
        public static RecordedEnding of(PrinterStatus.Ending ending) {
            return new RecordedEnding(ending, null);
        }
    }

    /** Returns how the print of this file ended according to the printer's own history; empty if it does not know. */
    default Optional<RecordedEnding> findRecordedEnding(String fileName)
            throws IOException, Refusal, InterruptedException {
        return Optional.empty();
    }

    @Override
    void close();
}
