package farm.gantry.api.webhook;

import farm.gantry.Permission;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Secrets;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.Blocking;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.query.Condition;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.query.Operator;
import farm.gantry.api.query.SearchRequest;
import farm.gantry.api.query.SearchResponse;
import farm.gantry.api.resource.JsonResponses;
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

/** The routes that list, redeliver and discard deliveries to a store's webhook. */
@Controller("/v1/settings/notifications/webhook/deliveries")
@Blocking
final class DeliveryRoutes {
    private final Resources<WebhookDelivery> deliveries;
    private final Database database;
    private final RecordReader reader;
    private final Webhooks webhooks;
    private final HeldDeliveries heldDeliveries;

    DeliveryRoutes(
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

    /**
     * A replay of deliveries of events between {@code from} and {@code to}, both inclusive; {@code to} defaults to now.
     */
    @Serdeable
    record ReplayRequest(
            Instant from,
            @Nullable Instant to,
            @Nullable @Size(min = 1) List<WebhookDelivery.Status> statuses) {}

    /** The deliveries of events between two times; an omitted bound is unlimited. */
    @Serdeable
    record DiscardRequest(@Nullable Instant from, @Nullable Instant to) {}

    /** The number of affected deliveries. */
    @Serdeable
    record AffectedCount(int count) {}

    /** Returns the deliveries of the webhook. Filter, sort and page with the query parameters. */
    @Get
    @RequiresPermission(Permission.SETTINGS_VIEW)
    HttpResponse<List<WebhookDelivery>> listDeliveries(Caller caller, HttpRequest<?> request) {
        return deliveries.list(caller, request, toWebhook(deliveries.query(request)));
    }

    /** Searches the deliveries of the webhook. Returns a page of those that match the filter in the body. */
    @Post("/search")
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.SETTINGS_VIEW)
    HttpResponse<SearchResponse<WebhookDelivery>> searchDeliveries(
            Caller caller, HttpRequest<?> request, @Body @BodyType(SearchRequest.class) JsonNode body) {
        return deliveries.search(
                caller, request, toWebhook(ListQuery.of(deliveries.table().columns(), body)));
    }

    /** Returns the query without the messages to notification channels. */
    private ListQuery toWebhook(ListQuery query) {
        return query.where(Condition.Filter.of(
                deliveries.table().columns().get(WebhookDelivery::channelId), Operator.isNull, "true"));
    }

    /** Redelivers an event under its original id. While the channel is disabled it is held. */
    @Post("/{id}/redeliver")
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.SETTINGS_EDIT)
    HttpResponse<WebhookDelivery> redeliver(Caller caller, String id) {
        Resources.parseId(id);
        return JsonResponses.created(database.in(caller, tx -> {
            boolean enabled = isEnabled(tx);
            WebhookDelivery delivery = deliveries
                    .table()
                    .lock(tx, id)
                    .filter(found -> found.channelId() == null)
                    .orElseThrow(() -> ProblemException.notFound("delivery"));
            heldDeliveries.redeliver(tx, delivery, enabled);
            return deliveries.table().get(tx, id, Secrets.Visibility.HIDDEN).orElseThrow();
        }));
    }

    /**
     * Redelivers the events of a period. They keep their ids. Held, discarded and failed ones are redelivered, unless
     * {@code statuses} selects others. While the channel is disabled they are held.
     */
    @Post("/replay")
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.SETTINGS_EDIT)
    AffectedCount replay(Caller caller, @Body @BodyType(ReplayRequest.class) JsonNode body) {
        ReplayRequest wanted = reader.read(ReplayRequest.class, body);
        Set<WebhookDelivery.Status> statuses = EnumSet.copyOf(
                wanted.statuses() == null
                        ? List.of(
                                WebhookDelivery.Status.held,
                                WebhookDelivery.Status.discarded,
                                WebhookDelivery.Status.failed)
                        : wanted.statuses());
        if (statuses.contains(WebhookDelivery.Status.pending)) {
            throw ProblemException.invalid(
                    "statuses", "enum", "pending deliveries cannot be replayed: they are delivered anyway");
        }
        return new AffectedCount(database.in(
                caller, tx -> heldDeliveries.replay(tx, isEnabled(tx), statuses, wanted.from(), wanted.to())));
    }

    /** Discards the held deliveries of a period. They are not sent, but can be redelivered. */
    @Post("/discard")
    @Status(HttpStatus.CREATED)
    @RequiresPermission(Permission.SETTINGS_EDIT)
    AffectedCount discard(Caller caller, @Body @BodyType(DiscardRequest.class) JsonNode body) {
        DiscardRequest wanted = reader.read(DiscardRequest.class, body);
        return new AffectedCount(database.in(caller, tx -> {
            isEnabled(tx);
            return heldDeliveries.discard(tx, wanted.from(), wanted.to());
        }));
    }

    /** Locks the channel; returns whether it is enabled. */
    private boolean isEnabled(Tx tx) {
        return webhooks.lockWebhook(tx)
                .orElseThrow(() -> ProblemException.notFound("notification setting"))
                .enabled();
    }
}
