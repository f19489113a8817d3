package farm.gantry.api.webhook;

import farm.gantry.StoreId;
import farm.gantry.api.camera.CameraSnapshots;
import farm.gantry.api.file.FileStorage;
import farm.gantry.api.file.StoredFile;
import farm.gantry.api.notification.Message.PictureSource;
import farm.gantry.api.notification.MessagePicture;
import farm.gantry.file.FileUri;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the pictures of messages when they are sent, within a short time. */
@Singleton
final class MessagePictures {
    private static final Logger LOG = LoggerFactory.getLogger(MessagePictures.class);
    /** Maximum size in bytes, which every service accepts. */
    private static final long MAX_SIZE = 1_000_000;

    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    /** Time after the event in which the camera still shows it. */
    private static final Duration CAMERA_PERIOD = Duration.ofMinutes(1);

    private final CameraSnapshots cameras;
    private final FileStorage files;
    private final InstantSource clock;

    MessagePictures(CameraSnapshots cameras, FileStorage files, InstantSource clock) {
        this.cameras = cameras;
        this.files = files;
        this.clock = clock;
    }

    /**
     * Returns the camera image, else the thumbnail; empty if there is neither, or reading it fails or takes too long, because the message is
     * sent without a picture then.
     */
    Optional<MessagePicture> find(StoreId store, PictureSource source) {
        return within(TIMEOUT, () -> read(store, source));
    }

    /** Returns the picture that the source finds in time. */
    static Optional<MessagePicture> within(Duration timeout, Callable<Optional<MessagePicture>> source) {
        FutureTask<Optional<MessagePicture>> search = new FutureTask<>(source);
        Thread.ofVirtual().start(search);
        try {
            return search.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn(
                    "a message to a notification channel is sent without its picture, which cannot be read in time", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            search.cancel(true);
        }
        return Optional.empty();
    }

    private Optional<MessagePicture> read(StoreId store, PictureSource source) throws IOException {
        boolean isRecent = source.eventAt().plus(CAMERA_PERIOD).isAfter(clock.instant());
        Optional<MessagePicture> image = Optional.ofNullable(isRecent ? source.cameraOf() : null)
                .flatMap(printerId -> cameras.findForMessage(store, printerId))
                .flatMap(MessagePicture::of);
        return image.isPresent() ? image : readThumbnail(store, source.thumbnailUri());
    }

    private Optional<MessagePicture> readThumbnail(StoreId store, @Nullable String uri) throws IOException {
        Optional<FileUri> file = Optional.ofNullable(uri)
                .flatMap(FileUri::parse)
                .filter(found -> found.storeId().equals(store.value()))
                .flatMap(files::find)
                .filter(found -> found.size() <= MAX_SIZE)
                .map(StoredFile::uri);
        if (file.isEmpty()) {
            return Optional.empty();
        }
        Path copy = Files.createTempFile("gantry-picture", null);
        try {
            return files.fetchIfExists(file.get(), copy)
                    ? MessagePicture.of(Files.readAllBytes(copy))
                    : Optional.empty();
        } finally {
            Files.deleteIfExists(copy);
        }
    }
}
