package farm.gantry.api.camera;

import farm.gantry.api.camera.StillRows.Kept;
import farm.gantry.api.capability.Capabilities;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What printers' cameras show. To ask is to look: agents send pictures of these printers for the next minute. */
@Singleton
public final class Stills {
    /** Pixels, across a tile; 0 is as the camera gives it. */
    private static final int TILE = 320;

    private static final int MAX_IDS = 100;
    private static final Duration RETRY_DELAY = Duration.ofSeconds(2);
    private static final Kept NOTHING_YET = new Kept(null, null, null);

    private final Table<Printer> printers;
    private final Capabilities capabilities;
    private final StillRows rows;
    private final Database database;
    private final AgentSignals agents;

    Stills(Tables tables, Capabilities capabilities, StillRows rows, Database database, AgentSignals agents) {
        this.printers = tables.of(Printer.class);
        this.capabilities = capabilities;
        this.rows = rows;
        this.database = database;
        this.agents = agents;
    }

    /**
     * {@code image} is a JPEG in base 64, and {@code age} how many seconds ago it came; {@code reason} says why there is
     * none. All are null while the first is being fetched.
     */
    @Serdeable
    public record Snapshot(
            String printerId,
            @Nullable String image,
            @Nullable Integer age,
            @Nullable String reason) {}

    /** The stills of these printers, whose ids are separated by commas; all of them must be there. */
    public List<Snapshot> tiles(Caller caller, String ids) {
        List<String> asked = Resources.checkedAll(ids, MAX_IDS);
        Map<String, Kept> kept = look(caller, asked, TILE);
        return asked.stream()
                .map(id -> shown(id, kept.getOrDefault(id, NOTHING_YET)))
                .toList();
    }

    private static Snapshot shown(String id, Kept kept) {
        String image = kept.image() == null ? null : Base64.getEncoder().encodeToString(kept.image());
        return new Snapshot(id, image, image == null ? null : kept.age(), kept.fault());
    }

    /** The still of one printer, at most 320 pixels wide unless it is to be {@code full}. */
    public HttpResponse<byte[]> one(Caller caller, String id, boolean full) {
        Kept kept =
                look(caller, List.of(Resources.checked(id)), full ? 0 : TILE).getOrDefault(id, NOTHING_YET);
        if (kept.fault() != null) {
            throw ProblemException.notFound("picture: " + kept.fault());
        }
        return kept.image() == null
                ? HttpResponse.<byte[]>accepted()
                        .header(HttpHeaders.RETRY_AFTER, String.valueOf(RETRY_DELAY.toSeconds()))
                : HttpResponse.ok(kept.image())
                        .contentType(MediaType.IMAGE_JPEG_TYPE)
                        .header("X-Picture-Age", String.valueOf(kept.age()))
                        .header(HttpHeaders.CACHE_CONTROL, "no-store");
    }

    private Map<String, Kept> look(Caller caller, List<String> ids, int width) {
        return database.in(caller, tx -> {
            Map<String, Printer> found = printers.findAll(tx, ids);
            if (found.size() < ids.size()) {
                throw ProblemException.notFound("printer");
            }
            Map<String, Kept> kept = new HashMap<>();
            found.values()
                    .forEach(printer ->
                            reason(printer).ifPresent(reason -> kept.put(printer.id(), new Kept(null, null, reason))));
            List<String> seen =
                    ids.stream().filter(id -> !kept.containsKey(id)).sorted().toList();
            if (!seen.isEmpty() && rows.want(tx, seen, width)) {
                tx.onceAfterCommit(Stills.class, () -> agents.signal(tx.store()));
            }
            kept.putAll(rows.find(tx, seen, width));
            return kept;
        });
    }

    /** Why no picture of the printer can come. */
    private Optional<String> reason(Printer printer) {
        if (printer.proxyClientId() == null
                || printer.commMethod() != Printer.CommMethod.fuse
                || !capabilities.of(printer).has("cameras")) {
            return Optional.of("the printer has no camera");
        }
        return printer.isOnline() ? Optional.empty() : Optional.of("the printer is out of reach");
    }
}
