package farm.gantry.edge.camera;

import farm.gantry.edge.refusal.Refusal;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** ffmpeg, which is not part of the agent: it makes a picture of a film in H.264. By its path, or by its name alone. */
public record Decoder(String program, Duration patience) {
    public static final String NAME = "ffmpeg";
    public static final String INSTALL =
            "install ffmpeg on the agent's machine (apt install ffmpeg), or name it in the agent's settings (ffmpeg=/…)";

    private static final String NOT_INSTALLED = "the printer's camera shows a film, and no pictures: " + INSTALL;
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    /** More than any printer's camera has, and little enough for the memory of a small machine. */
    private static final String MOST_PIXELS = "16777216";

    public Decoder(String program) {
        this(program, PATIENCE);
    }

    /** A film as it comes from a camera. */
    public interface Footage {
        /** The next piece; an empty one is the end. */
        byte[] next() throws IOException;
    }

    public boolean isInstalled() {
        return program.contains(File.separator)
                ? Files.isExecutable(Path.of(program))
                : Pattern.compile(File.pathSeparator)
                        .splitAsStream(System.getenv().getOrDefault("PATH", ""))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /** Before a camera is troubled for nothing. */
    public void check() throws Refusal {
        if (!isInstalled()) {
            throw new Refusal(NOT_INSTALLED);
        }
    }

    /** The first one of the film, which is fed to ffmpeg by its input, so that it knows no address and no code. */
    public Picture picture(String format, Footage film) throws IOException, Refusal {
        check();
        Process process = start(format);
        try {
            CompletableFuture.delayedExecutor(patience.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(process::destroyForcibly);
            Thread.ofVirtual().start(() -> feed(film, process));
            byte[] picture = process.getInputStream().readNBytes(Picture.LARGEST + 1);
            if (picture.length == 0) {
                throw new IOException("the camera's film shows no picture");
            }
            return Picture.of(picture);
        } finally {
            process.destroyForcibly().onExit().join();
        }
    }

    private Process start(String format) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(List.of(
                program,
                "-loglevel",
                "quiet",
                "-protocol_whitelist",
                "pipe",
                "-fpsprobesize",
                "0",
                "-max_pixels",
                MOST_PIXELS,
                "-threads",
                "1",
                "-f",
                format,
                "-i",
                "pipe:0",
                "-frames:v",
                "1",
                "-f",
                "image2pipe",
                "-c:v",
                "mjpeg",
                "pipe:1"));
        builder.environment().keySet().retainAll(Set.of("PATH"));
        return builder.redirectError(Redirect.DISCARD).start();
    }

    private static void feed(Footage film, Process process) {
        try (OutputStream viewer = process.getOutputStream()) {
            for (byte[] piece = film.next(); piece.length > 0; piece = film.next()) {
                viewer.write(piece);
                viewer.flush();
            }
        } catch (IOException e) {
            // It has its picture, or the film broke off: what it has made of it shows which.
        }
    }
}
