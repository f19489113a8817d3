package farm.gantry.edge.file;

import farm.gantry.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Objects;

/** Downloads a file from its signed URL; resumes after an interruption, and verifies the hash. */
public final class FileDownload {
    private static final int MAX_ATTEMPTS = 6;
    private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(30);

    private final HttpClient http;
    private final Duration delay;
    private final Duration timeout;

    public FileDownload(HttpClient http) {
        this(http, Duration.ofSeconds(1), Duration.ofSeconds(30));
    }

    /**
     * Creates downloads with other limits. {@code delay} is the first delay between two attempts, {@code timeout} the
     * maximum time without a received byte.
     */
    FileDownload(HttpClient http, Duration delay, Duration timeout) {
        this.http = http;
        this.delay = delay;
        this.timeout = timeout;
    }

    void download(Path path, URI url, long size, String sha256) throws IOException, InterruptedException {
        Path part = path.resolveSibling(path.getFileName() + ".part");
        IOException fault = new IOException("no attempt was made");
        for (int tried = 0; tried < MAX_ATTEMPTS; tried++) {
            if (tried > 0) {
                Thread.sleep(delay.multipliedBy(1L << (tried - 1)));
            }
            try {
                downloadRest(part, url, size);
                if (sha256(part).equals(sha256)) {
                    moveIntoPlace(part, path);
                    return;
                }
                Files.delete(part);
                fault = new PrintFileException("the downloaded file has another SHA-256 than announced");
            } catch (IOException e) {
                fault = e;
            }
        }
        String words = "cannot download the file: " + Objects.requireNonNullElse(fault.getMessage(), fault.toString());
        throw fault instanceof PrintFileException ? new PrintFileException(words) : new IOException(words, fault);
    }

    /** Syncs a file to disk and renames it to its final name. */
    static void moveIntoPlace(Path part, Path path) throws IOException {
        try (FileChannel written = FileChannel.open(part, StandardOpenOption.WRITE)) {
            written.force(true);
        }
        Files.move(part, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private void downloadRest(Path part, URI url, long size) throws IOException, InterruptedException {
        long have = Files.exists(part) ? Files.size(part) : 0;
        if (have > size) {
            Files.delete(part);
            have = 0;
        }
        if (have < size || have == 0) {
            receive(part, url, have);
        }
        long got = Files.size(part);
        if (got > size) {
            Files.delete(part);
        }
        if (got != size) {
            throw new IOException("the download ended after " + got + " of " + size + " bytes");
        }
    }

    private void receive(Path part, URI url, long have) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(url).timeout(RESPONSE_TIMEOUT);
        if (have > 0) {
            request.header("Range", "bytes=" + have + "-");
        }
        HttpResponse<InputStream> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream body = answer.body()) {
            switch (answer.statusCode()) {
                case 200 -> copyWithWatchdog(body, part, StandardOpenOption.TRUNCATE_EXISTING);
                case 206 -> copyWithWatchdog(body, part, StandardOpenOption.APPEND);
                case 416 -> {
                    Files.deleteIfExists(part);
                    throw new IOException("the server's file is shorter than the downloaded part");
                }
                case 404, 410 ->
                    throw new PrintFileException("the file's URL answered with status " + answer.statusCode());
                default -> throw new IOException("the file's URL answered with status " + answer.statusCode());
            }
        }
    }

    /**
     * Copies the body to the file, and closes it if no byte arrives before the timeout, because the HTTP client has no
     * read timeout for bodies.
     */
    private void copyWithWatchdog(InputStream body, Path part, StandardOpenOption how) throws IOException {
        try (OutputStream out = Files.newOutputStream(part, StandardOpenOption.CREATE, StandardOpenOption.WRITE, how)) {
            WatchedTransfer.copy(body, out, timeout, body);
        }
    }

    static String sha256(Path path) throws IOException, InterruptedException {
        return FileTaskPool.run(() -> hash(path));
    }

    private static String hash(Path path) throws IOException {
        MessageDigest digest = Sha256.digest();
        try (InputStream in = Files.newInputStream(path)) {
            byte[] buffer = new byte[1 << 16];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                digest.update(buffer, 0, read);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
