package farm.gantry.edge.printer;

import farm.gantry.edge.camera.CameraPicture;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.printer.PrinterState.Status;
import farm.gantry.wire.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One printer's line. Calls wait for the printer's answer: with a {@link Refusal} nothing was done, an
 * {@code IOException} means that nobody knows whether it was.
 */
public interface Connection extends AutoCloseable {
    /** The command that stops a machine at once, and ends its print. */
    String EMERGENCY_STOP = "emergency-stop";

    /** The command that pauses the print that is on. */
    String PAUSE = "pause";

    /** The command that brings a machine back that has shut itself down. */
    String FIRMWARE_RESTART = "firmware-restart";

    void upload(Path file, String sha256, String fileName) throws IOException, Refusal, InterruptedException;

    /** Decides, right before a command is sent, whether it still may be. */
    interface StatusCheck {
        /** Throws where the command is not wanted any more, or not at a printer of this status. */
        void check(Reading now) throws Refusal;
    }

    /**
     * Makes that can be told of filaments and options beside the file heed what is {@code wanted}. The check is made before each
     * time that the start is sent, since a printer may let it wait. The cause of a refusal is {@code answer} only where the
     * printer was sent the start.
     */
    void start(String fileName, Command.@Nullable Print wanted, StatusCheck check)
            throws IOException, Refusal, InterruptedException;

    /** What counter the printer shows with a print of this file if the farm's start began it, and none else; null where it has none. */
    default @Nullable String startNumber(String fileName) {
        return null;
    }

    /**
     * Waits until the printer has carried out all that it was sent before, or has lost it: some keep a start until what they are
     * on is over, also when nobody waits for its answer any more.
     */
    default void awaitQueue() throws IOException, Refusal, InterruptedException {}

    /** A change to the print that is on. */
    enum Control {
        PAUSE,
        RESUME,
        CANCEL;

        /** Whether a printer of this status shows that it was done. */
        public boolean isDone(Reading status) {
            return switch (this) {
                case PAUSE ->
                    status.status() == Status.paused || !status.status().isBusy();
                case RESUME -> status.status() != Status.paused;
                case CANCEL -> !status.status().isBusy();
            };
        }
    }

    /** The check is made of the print that would be changed. */
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

    /** What a person asks for by name. */
    default void send(Command.Send send) throws IOException, Refusal, InterruptedException {
        switch (send.command()) {
            case "stop" -> cancel();
            case PAUSE -> pause();
            case "resume" -> resume();
            default -> order(send);
        }
    }

    /** What only some makes can do. */
    void order(Command.Send send) throws IOException, Refusal, InterruptedException;

    /**
     * Removes an uploaded file; one that is not there counts as removed. Refused while the printer prints, and of the file
     * that it shows. The cause of a refusal is {@code printer} only where it holds for every file.
     */
    default void remove(String fileName) throws IOException, Refusal, InterruptedException {
        throw new Refusal("files stay on printers of this make");
    }

    /** What the printer's camera shows now. */
    default CameraPicture snapshot() throws IOException, Refusal, InterruptedException {
        throw new Refusal("the printer shows no pictures");
    }

    /** How a print ended, as the printer itself remembers it, and why if it says so. */
    record Remembered(Reading.Ending ending, @Nullable String reason) {
        public static Remembered of(Reading.Ending ending) {
            return new Remembered(ending, null);
        }
    }

    /** How the printer itself remembers that the print of this file ended; nothing where it does not. */
    default Optional<Remembered> recall(String fileName) throws IOException, Refusal, InterruptedException {
        return Optional.empty();
    }

    @Override
    void close();
}
