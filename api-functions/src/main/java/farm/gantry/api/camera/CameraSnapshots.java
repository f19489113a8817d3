package farm.gantry.api.camera;

import farm.gantry.StoreId;
import farm.gantry.api.camera.SnapshotRows.StoredSnapshot;
import farm.gantry.api.capability.Capabilities;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.printer.command.AgentSignals;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.printer.Printer;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Camera snapshots of printers. A request makes the agents send snapshots of these printers for about a minute. */
@Singleton
public final class CameraSnapshots {
    private static final Logger LOG = LoggerFactory.getLogger(CameraSnapshots.class);
    /** Width of a tile in pixels; 0 requests the camera's own width. */
    private static final int TILE_WIDTH = 320;

    /** Width of the images in messages, in pixels. */
    private static final int MESSAGE_WIDTH = 640;
    /** Maximum age of an image in a message, in seconds. */
    private static final int MAX_MESSAGE_AGE = 30;

    private static final Object MESSAGE_IMAGES = new Object();
    private static final int MAX_IDS = 100;
    private static final Duration RETRY_DELAY = Duration.ofSeconds(2);
    private static final StoredSnapshot NOTHING_YET = new StoredSnapshot(null, null, null);

    private final Table<Printer> printers;
    private final Capabilities capabilities;
    private final SnapshotRows rows;
    private final Database database;
    private final AgentSignals agents;

    CameraSnapshots(
            Tables tables, Capabilities capabilities, SnapshotRows rows, Database database, AgentSignals agents) {
        this.printers = tables.of(Printer.class);
        this.capabilities = capabilities;
        this.rows = rows;
        this.database = database;
        this.agents = agents;
    }

    /**
     * {@code image} is a JPEG in base 64 and {@code age} its age in seconds; {@code reason} says why there is no image.
     * All are null until the first one arrives.
     */
    @Serdeable
    public record Snapshot(
            String printerId,
            @Nullable String image,
            @Nullable Integer age,
            @Nullable String reason) {}

    /** Returns the snapshots of the printers, whose ids are separated by commas; throws 404 if one does not exist. */
    public List<Snapshot> findSnapshots(Caller caller, String ids) {
        List<String> requestedIds = Resources.parseIds(ids, MAX_IDS);
        Map<String, StoredSnapshot> stored = requestAndFind(caller, requestedIds, TILE_WIDTH);
        return requestedIds.stream()
                .map(id -> snapshot(id, stored.getOrDefault(id, NOTHING_YET)))
                .toList();
    }

    private static Snapshot snapshot(String id, StoredSnapshot stored) {
        String image = stored.image() == null ? null : Base64.getEncoder().encodeToString(stored.image());
        return new Snapshot(id, image, image == null ? null : stored.age(), stored.fault());
    }

    /** Returns the JPEG images of those printers that have one by now, and requests newer ones. Unknown printers are left out. */
    public Map<String, byte[]> findImages(Caller caller, List<String> ids) {
        return database.in(caller, tx -> {
            Map<String, byte[]> images = new LinkedHashMap<>();
            requestAndFind(tx, printers.findAll(tx, ids), TILE_WIDTH).forEach((id, stored) -> {
                if (stored.image() != null) {
                    images.put(id, stored.image());
                }
            });
            return images;
        });
    }

    /** Requests images for messages about the printers after the commit. Returns the ids of those that can have one. */
    public Set<String> requestForMessages(Tx tx, Collection<String> ids) {
        Set<String> withCamera = printers.findAll(tx, ids).values().stream()
                .filter(printer -> reasonForNone(printer).isEmpty())
                .map(Printer::id)
                .collect(Collectors.toSet());
        withCamera.forEach(id -> tx.onAllAfterCommit(MESSAGE_IMAGES, id, all -> requestForMessages(tx.store(), all)));
        return withCamera;
    }

    private void requestForMessages(StoreId store, Set<String> ids) {
        try {
            if (database.in(store, tx -> rows.request(tx, List.copyOf(ids), MESSAGE_WIDTH))) {
                agents.signal(store);
            }
        } catch (RuntimeException e) { // the event is committed, and its message needs no image
            LOG.warn("cannot request camera images for messages of the store {}; they are sent without", store, e);
        }
    }

    /** Returns the JPEG image for a message about the printer; empty without one of the last half minute. */
    public Optional<byte[]> findForMessage(StoreId store, String printerId) {
        return database.in(
                store,
                tx -> Optional.ofNullable(
                                rows.find(tx, List.of(printerId), MESSAGE_WIDTH).get(printerId))
                        .filter(stored -> stored.age() != null && stored.age() <= MAX_MESSAGE_AGE)
                        .map(StoredSnapshot::image));
    }

    /** Returns whether the printer's agent can send images of it. */
    public boolean hasCamera(Printer printer) {
        return printer.proxyClientId() != null
                && printer.commMethod() == Printer.CommMethod.fuse
                && capabilities.find(printer).hasComponent("cameras");
    }

    /** Returns the snapshot of one printer, at most 320 pixels wide unless {@code full}. */
    public HttpResponse<byte[]> snapshotResponse(Caller caller, String id, boolean full) {
        StoredSnapshot stored = requestAndFind(caller, List.of(Resources.parseId(id)), full ? 0 : TILE_WIDTH)
                .getOrDefault(id, NOTHING_YET);
        if (stored.fault() != null) {
            throw ProblemException.notFound("picture: " + stored.fault());
        }
        return stored.image() == null
                ? HttpResponse.<byte[]>accepted()
                        .header(HttpHeaders.RETRY_AFTER, String.valueOf(RETRY_DELAY.toSeconds()))
                : HttpResponse.ok(stored.image())
                        .contentType(MediaType.IMAGE_JPEG_TYPE)
                        .header("X-Picture-Age", String.valueOf(stored.age()))
                        .header(HttpHeaders.CACHE_CONTROL, "no-store");
    }

    private Map<String, StoredSnapshot> requestAndFind(Caller caller, List<String> ids, int width) {
        return database.in(caller, tx -> {
            Map<String, Printer> printersById = printers.findAll(tx, ids);
            if (printersById.size() < ids.size()) {
                throw ProblemException.notFound("printer");
            }
            return requestAndFind(tx, printersById, width);
        });
    }

    private Map<String, StoredSnapshot> requestAndFind(Tx tx, Map<String, Printer> printersById, int width) {
        Map<String, StoredSnapshot> stored = new HashMap<>();
        printersById
                .values()
                .forEach(printer -> reasonForNone(printer)
                        .ifPresent(reason -> stored.put(printer.id(), new StoredSnapshot(null, null, reason))));
        List<String> withCamera = printersById.keySet().stream()
                .filter(id -> !stored.containsKey(id))
                .sorted()
                .toList();
        if (!withCamera.isEmpty() && rows.request(tx, withCamera, width)) {
            tx.onceAfterCommit(CameraSnapshots.class, () -> agents.signal(tx.store()));
        }
        stored.putAll(rows.find(tx, withCamera, width));
        return stored;
    }

    /** Why no snapshot of the printer can be taken. */
    private Optional<String> reasonForNone(Printer printer) {
        if (!hasCamera(printer)) {
            return Optional.of("the printer has no camera");
        }
        return printer.isOnline() ? Optional.empty() : Optional.of("the printer is offline");
    }
}
