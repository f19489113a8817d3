package farm.gantry.edge.link;

import farm.gantry.edge.camera.CameraImage;
import farm.gantry.edge.camera.JpegConverter;
import farm.gantry.edge.log.ErrorText;
import farm.gantry.edge.log.SecretMask;
import farm.gantry.edge.printer.PrinterFleet;
import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.time.Uptime;
import farm.gantry.wire.LinkResponse.SnapshotRequest;
import farm.gantry.wire.SnapshotUpload;
import java.io.IOException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends camera snapshots to the API while somebody views them: one per printer and width every five seconds, or less
 * often if the camera is slower.
 */
public final class SnapshotUploads implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotUploads.class);
    private static final Duration INTERVAL = Duration.ofSeconds(5);
    private static final Duration MAX_DURATION = Duration.ofMinutes(2);
    private static final int MAX_BYTES = SnapshotUpload.MAX_CHARACTERS / 4 * 3;

    private final ApiClient api;
    private final String token;
    private final PrinterFleet printers;
    private final Map<SnapshotKey, Duration> wishes = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    /** Scales snapshots one at a time, on a thread separate from those that serve the printers. */
    private final ExecutorService scaler = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("scaler").factory());

    /** A printer and the width of its snapshots. */
    private record SnapshotKey(String deviceId, int width) {}

    public SnapshotUploads(ApiClient api, String token, PrinterFleet printers) {
        this.api = api;
        this.token = token;
        this.printers = printers;
    }

    /** Starts to send these snapshots, or extends the time for which they are sent. */
    void requestSnapshots(@Nullable List<SnapshotRequest> stills) {
        if (stills == null || threads.isShutdown()) {
            return;
        }
        for (SnapshotRequest still : stills) {
            SnapshotKey request = new SnapshotKey(still.deviceId(), still.width());
            Duration life = Duration.ofSeconds(still.seconds());
            Duration until = Uptime.now().plus(life.compareTo(MAX_DURATION) < 0 ? life : MAX_DURATION);
            if (wishes.put(request, until) == null) {
                threads.execute(() -> send(request));
            }
        }
    }

    private void send(SnapshotKey request) {
        try {
            while (!removeIfExpired(request)) {
                Duration begun = Uptime.now();
                try {
                    captureAndSend(request);
                } catch (IOException | RuntimeException e) {
                    LOG.debug("cannot send a snapshot of {}, retrying: {}", request.deviceId(), e.getMessage());
                }
                Duration rest = INTERVAL.minus(Uptime.now().minus(begun));
                Thread.sleep(rest.isNegative() ? Duration.ofMillis(1) : rest);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Removes a request that has expired, and returns whether it was removed. A request that is being renewed stays.
     */
    private boolean removeIfExpired(SnapshotKey request) {
        return wishes.computeIfPresent(request, (_, until) -> Uptime.now().compareTo(until) < 0 ? until : null) == null;
    }

    private void captureAndSend(SnapshotKey request) throws IOException, InterruptedException {
        api.sendSnapshot(token, captureUpload(request));
    }

    private SnapshotUpload captureUpload(SnapshotKey request) throws InterruptedException {
        try {
            Optional<CameraImage> picture = printers.snapshot(request.deviceId());
            return picture.isPresent()
                    ? new SnapshotUpload(
                            request.deviceId(), request.width(), encodeImage(picture.get(), request.width()), null)
                    : failedUpload(request, "its agent does not serve the printer yet");
        } catch (Refusal e) {
            return failedUpload(request, e.getMessage());
        } catch (IOException e) {
            return failedUpload(request, ErrorText.of(e));
        }
    }

    private static SnapshotUpload failedUpload(SnapshotKey request, @Nullable String fault) {
        return new SnapshotUpload(request.deviceId(), request.width(), null, SecretMask.mask(String.valueOf(fault)));
    }

    private String encodeImage(CameraImage picture, int width) throws IOException, InterruptedException {
        int maxBytes = width == 0 ? MAX_BYTES : SnapshotUpload.MAX_TILE_BYTES;
        try {
            byte[] jpeg = scaler.submit(() -> JpegConverter.toJpeg(picture, width, maxBytes))
                    .get();
            return Base64.getEncoder().encodeToString(jpeg);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        scaler.shutdownNow();
    }
}
