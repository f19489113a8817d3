package farm.gantry.edge.camera;

import farm.gantry.edge.http.PrinterHttp;
import farm.gantry.edge.refusal.Refusal;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The ffmpeg program, which is not part of the agent and extracts a JPEG image from a video. {@code program} is its
 * path, or its name on the PATH; {@code timeout} is the time limit for one image.
 */
public record Ffmpeg(String program, Duration timeout) {
    public static final String NAME = "ffmpeg";
    public static final String INSTALL =
            "install ffmpeg on the agent's machine (apt install ffmpeg), or name it in the agent's settings (ffmpeg=/…)";
    private static final String NOT_INSTALLED = "the printer's camera sends only video: " + INSTALL;
    private static final Duration TIMEOUT = Duration.ofSeconds(15);
    /**
     * The maximum number of pixels of an image: more than any printer camera has, and few enough for the memory of a
     * small machine.
     */
    private static final String MAX_PIXELS = "16777216";

    private static final int MAX_LOG_BYTES = 8_192;
    private static final int BUFFER_BYTES = 1 << 14;
    private static final Pattern RTSP_STATUS = Pattern.compile("method [A-Z]+ failed: (\\d{3})");

    public Ffmpeg(String program) {
        this(program, TIMEOUT);
    }

    public boolean isInstalled() {
        return program.contains(File.separator)
                ? Files.isExecutable(Path.of(program))
                : Pattern.compile(File.pathSeparator)
                        .splitAsStream(System.getenv().getOrDefault("PATH", ""))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /** Throws a refusal if ffmpeg is not installed. Called before a camera is switched on. */
    public void requireInstalled() throws Refusal {
        if (!isInstalled()) {
            throw new Refusal(NOT_INSTALLED);
        }
    }

    /** Returns the first image of a video of this format, which ffmpeg reads from its standard input. */
    public CameraImage extractFirstImage(String format, InputStream video) throws IOException, Refusal {
        return extractImage(List.of("-protocol_whitelist", "pipe", "-f", format), video);
    }

    /**
     * Returns the first image of an RTSP stream. ffmpeg connects to the camera only through {@code camera}, a socket
     * that the agent has opened and whose certificate it has checked. ffmpeg reads the password from its standard
     * input, because the command line of a process is visible to every user of the machine.
     */
    public CameraImage extractFirstImage(Socket camera, String path, String user, String password)
            throws IOException, Refusal {
        try (LoopbackRelay relay = LoopbackRelay.to(camera)) {
            String address = "rtsp://%s:%s@127.0.0.1:%d%s"
                    .formatted(user, PrinterHttp.encodePathSegment(password), relay.port(), path);
            // Over the relayed connection, and without measuring the frame rate before the first image.
            String playlist = """
                    ffconcat version 1.0
                    file '%s'
                    option rtsp_transport tcp
                    option fpsprobesize 0
                    option analyzeduration 1000000
                    """.formatted(address);
            return extractImage(
                    List.of(
                            "-analyzeduration",
                            "1000000",
                            "-protocol_whitelist",
                            "pipe,rtsp,rtp,tcp",
                            "-safe",
                            "0",
                            "-f",
                            "concat"),
                    new ByteArrayInputStream(playlist.getBytes(StandardCharsets.UTF_8)));
        }
    }

    private CameraImage extractImage(List<String> inputOptions, InputStream input) throws IOException, Refusal {
        requireInstalled();
        Process process = start(inputOptions);
        try {
            CompletableFuture.delayedExecutor(timeout.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(process::destroyForcibly);
            Thread.ofVirtual().start(() -> feedInput(input, process));
            byte[] picture = process.getInputStream().readNBytes(CameraImage.MAX_SIZE + 1);
            if (picture.length == 0) {
                throw readFailure(process.getErrorStream());
            }
            return CameraImage.of(picture);
        } finally {
            process.destroyForcibly().onExit().join();
        }
    }

    private static IOException readFailure(InputStream log) throws Refusal {
        String lines = "";
        try {
            lines = new String(log.readNBytes(MAX_LOG_BYTES), StandardCharsets.UTF_8);
        } catch (IOException e) {
            // ffmpeg was ended because it took too long.
        }
        Matcher status = RTSP_STATUS.matcher(lines);
        if (status.find()) {
            throw new Refusal(
                    status.group(1).equals("401")
                            ? "the printer's camera does not accept the access code"
                            : "the printer's camera answers with status " + status.group(1));
        }
        if (lines.contains("unknown keyword 'option'")) {
            throw new Refusal("ffmpeg on the agent's machine is too old for this camera: it needs version 5 or later");
        }
        return new IOException("the camera's video contains no image");
    }

    private Process start(List<String> inputOptions) throws IOException {
        List<String> command = new ArrayList<>(List.of(program, "-loglevel", "error", "-max_pixels", MAX_PIXELS));
        command.addAll(List.of("-fpsprobesize", "0", "-threads", "1"));
        command.addAll(inputOptions);
        command.addAll(List.of("-i", "pipe:0", "-frames:v", "1", "-f", "image2pipe", "-c:v", "mjpeg", "pipe:1"));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().retainAll(Set.of("PATH"));
        return builder.start();
    }

    private static void feedInput(InputStream input, Process process) {
        try (OutputStream standardInput = process.getOutputStream()) {
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int read = input.read(buffer); read > 0; read = input.read(buffer)) {
                standardInput.write(buffer, 0, read);
                standardInput.flush();
            }
        } catch (IOException e) {
            // ffmpeg has its image and has closed its input, or the video broke off: its output shows which.
        }
    }
}
