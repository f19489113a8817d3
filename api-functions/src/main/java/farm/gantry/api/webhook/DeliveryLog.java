package farm.gantry.api.webhook;

import farm.gantry.Permission;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Secrets;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.query.Search;
import farm.gantry.api.query.SearchResponse;
import farm.gantry.api.resource.Answers;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.notification.WebhookDelivery;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Size;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The deliveries to a store's webhook: what became of each, and how they are sent once more. */
@Controller("/v1/settings/notifications/webhook/deliveries")
@Blocking
final class DeliveryLog {
    private final Resources<WebhookDelivery> deliveries;
    private final Database database;
    private final RecordReader reader;
    private final Webhooks webhooks;
    private final HeldDeliveries heldDeliveries;

    DeliveryLog(
            ResourceFactory factory,
            Database database,
            RecordReader reader,
            Webhooks webhooks,
            HeldDeliveries heldDeliveries) {
        this.deliveries = factory.of(WebhookDelivery.class, "delivery");
        this.database = database;
        this.reader = reader;
        this.webhooks = webhooks;
        this.heldDeliveries = heldDeliveries;
    }

    /** Deliveries of events from {@code from} to {@code to}, both included; without {@code to} up to now. */
    @Serdeable
    record Replay(
            Instant from,
            @Nullable Instant to,
            @Nullable @Size(min = 1) List<WebhookDelivery.Status> statuses) {}

    /** Deliveries of events of a time; without an end, all on that side. */
    @Serdeable
    record Discard(@Nullable Instant from, @Nullable Instant to) {}

    /** The number of deliveries concerned. */
    @Serdeable
    record Affected(int count) {}

    @Get
    @RequiresPermission(Permission.SETTINGS_VIEW)
    HttpResponse<List<WebhookDelivery>> listDeliveries(Caller caller, HttpRequest<?> request) {
        return deliveries.list(caller, request);
    }

    @Post("/search")
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.SETTINGS_VIEW)
    HttpResponse<SearchResponse<WebhookDelivery>> searchDeliveries(
            Caller caller, HttpRequest<?> request, @Body @BodyType(Search.class) JsonNode body) {
        return deliveries.search(caller, request, body);
    }

    @Post("/{id}/redeliver")
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.SETTINGS_EDIT)
    HttpResponse<WebhookDelivery> redeliver(Caller caller, String id) {
        Resources.checked(id);
        return Answers.created(database.in(caller, tx -> {
            boolean enabled = isEnabled(tx);
            WebhookDelivery delivery =
                    deliveries.table().lock(tx, id).orElseThrow(() -> ProblemException.notFound("delivery"));
            heldDeliveries.redeliver(tx, delivery, enabled);
            return deliveries.table().get(tx, id, Secrets.Visibility.HIDDEN).orElseThrow();
        }));
    }

    /**
     * Delivers the events of a time once more, under the ids that they had: those held, discarded or failed, unless
     * {@code statuses} names others. While the channel is disabled they are held.
     */
    @Post("/replay")
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.SETTINGS_EDIT)
    Affected replay(Caller caller, @Body @BodyType(Replay.class) JsonNode body) {
        Replay wanted = reader.read(Replay.class, body);
        Set<WebhookDelivery.Status> statuses = EnumSet.copyOf(
                wanted.statuses() == null
                        ? List.of(
                                WebhookDelivery.Status.held,
                                WebhookDelivery.Status.discarded,
                                WebhookDelivery.Status.failed)
                        : wanted.statuses());
        if (statuses.contains(WebhookDelivery.Status.pending)) {
            throw ProblemException.invalid("statuses", "enum", "what is pending is delivered anyway");
        }
        return new Affected(database.in(
                caller, tx -> heldDeliveries.replay(tx, isEnabled(tx), statuses, wanted.from(), wanted.to())));
    }

    /** Discards held deliveries of events of a time. */
    @Post("/discard")
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.SETTINGS_EDIT)
    Affected discard(Caller caller, @Body @BodyType(Discard.class) JsonNode body) {
        Discard wanted = reader.read(Discard.class, body);
        return new Affected(database.in(caller, tx -> {
            isEnabled(tx);
            return heldDeliveries.discard(tx, wanted.from(), wanted.to());
        }));
    }

    /** Whether the channel is enabled; it is locked until the transaction ends. */
    private boolean isEnabled(Tx tx) {
        return webhooks.lockedWebhook(tx)
                .orElseThrow(() -> ProblemException.notFound("notification setting"))
                .enabled();
    }
}
