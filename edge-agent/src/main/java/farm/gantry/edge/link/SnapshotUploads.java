package farm.gantry.edge.link;

import farm.gantry.edge.camera.CameraPicture;
import farm.gantry.edge.camera.JpegPicture;
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

/** Sends camera snapshots to the API while somebody views them: each every five seconds, or as fast as they come. */
public final class SnapshotUploads implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotUploads.class);
    private static final Duration EVERY = Duration.ofSeconds(5);
    private static final Duration MAX_DURATION = Duration.ofMinutes(2);
    private static final int MAX_BYTES = SnapshotUpload.MAX_CHARACTERS / 4 * 3;

    private final ApiClient api;
    private final String token;
    private final PrinterFleet printers;
    private final Map<SnapshotKey, Duration> wishes = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    /** Scales snapshots one at a time, on a thread apart from those that serve the printers. */
    private final ExecutorService scaler = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("scaler").factory());

    /** A printer and the width of its snapshots. */
    private record SnapshotKey(String deviceId, int width) {}

    public SnapshotUploads(ApiClient api, String token, PrinterFleet printers) {
        this.api = api;
        this.token = token;
        this.printers = printers;
    }

    /** Sends these until they expire, also those that are being sent already. */
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
            while (!isOver(request)) {
                Duration begun = Uptime.now();
                try {
                    take(request);
                } catch (IOException | RuntimeException e) {
                    LOG.debug("cannot send a snapshot of {}, retrying: {}", request.deviceId(), e.getMessage());
                }
                Duration rest = EVERY.minus(Uptime.now().minus(begun));
                Thread.sleep(rest.isNegative() ? Duration.ofMillis(1) : rest);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Removes an expired request, unless it was renewed at this moment. */
    private boolean isOver(SnapshotKey request) {
        return wishes.computeIfPresent(request, (_, until) -> Uptime.now().compareTo(until) < 0 ? until : null) == null;
    }

    private void take(SnapshotKey request) throws IOException, InterruptedException {
        api.send(token, still(request));
    }

    private SnapshotUpload still(SnapshotKey request) throws InterruptedException {
        try {
            Optional<CameraPicture> picture = printers.snapshot(request.deviceId());
            return picture.isPresent()
                    ? new SnapshotUpload(
                            request.deviceId(), request.width(), encoded(picture.get(), request.width()), null)
                    : none(request, "its agent does not serve the printer yet");
        } catch (Refusal e) {
            return none(request, e.getMessage());
        } catch (IOException e) {
            return none(request, ErrorText.of(e));
        }
    }

    private static SnapshotUpload none(SnapshotKey request, @Nullable String fault) {
        return new SnapshotUpload(request.deviceId(), request.width(), null, SecretMask.hide(String.valueOf(fault)));
    }

    private String encoded(CameraPicture picture, int width) throws IOException, InterruptedException {
        int maxBytes = width == 0 ? MAX_BYTES : SnapshotUpload.MAX_TILE_BYTES;
        try {
            byte[] jpeg = scaler.submit(() -> JpegPicture.of(picture, width, maxBytes))
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
