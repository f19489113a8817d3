package farm.gantry.api.integration;

import farm.gantry.api.database.Database;
import farm.gantry.api.database.ExpiredRows;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.Problem;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.json.RawJson;
import farm.gantry.api.queue.Signal;
import farm.gantry.api.queue.StoreActivity;
import farm.gantry.api.queue.WorkLease;
import farm.gantry.api.queue.WorkLoop;
import farm.gantry.integration.Integration;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** Processes each delivery of an external service once; a repeated delivery gets the stored response. */
@Singleton
public final class InboundDeliveries {
    /** Longer than any service repeats a delivery. */
    private static final Duration KEPT = Duration.ofDays(30);

    private static final Duration FORGET_EVERY = Duration.ofHours(1);

    private final IntegrationRows rows;
    private final Table<Integration> integrations;
    private final Database database;
    private final ExpiredRows expired;
    private final WorkLease lease;
    private final Optional<StoreActivity> activity;

    InboundDeliveries(
            IntegrationRows rows,
            Tables tables,
            Database database,
            ExpiredRows expired,
            WorkLease lease,
            Optional<StoreActivity> activity) {
        this.rows = rows;
        this.integrations = tables.of(Integration.class);
        this.database = database;
        this.expired = expired;
        this.lease = lease;
        this.activity = activity;
    }

    /** Starts deleting deliveries that are no longer repeated, on hosts that run between requests. */
    public WorkLoop start() {
        return WorkLoop.start("signed-deliveries", new Signal(), FORGET_EVERY, lease, this::deleteOld);
    }

    /** Deletes deliveries that are no longer repeated. */
    public void deleteOld() {
        expired.delete("signedDelivery", Instant.now().minus(KEPT));
    }

    /** Processes a delivery in the transaction that stores its response. */
    @FunctionalInterface
    interface DeliveryAction<T> {
        RawJson<T> run(Tx tx, Integration integration, JsonNode body);
    }

    /** Returns the response of a delivery that was already processed. */
    <T> Optional<RawJson<T>> findResponse(SignatureVerifier.Delivery delivery, Set<Integration.Type> types) {
        return database.in(delivery.store(), tx -> {
            findIntegration(tx, delivery, types);
            return rows.answer(delivery.store().value(), delivery.integrationId(), delivery.id())
                    .map(RawJson::of);
        });
    }

    /** Processes a delivery of an integration of one of the types, unless it was already processed. */
    <T> RawJson<T> processOnce(
            SignatureVerifier.Delivery delivery, Set<Integration.Type> types, DeliveryAction<T> work) {
        activity.ifPresent(records -> records.touch(delivery.store()));
        return database.in(delivery.store(), tx -> {
            Integration integration = findIntegration(tx, delivery, types);
            String store = delivery.store().value();
            if (rows.begin(store, integration.id(), delivery.id()) == 0) {
                return RawJson.of(
                        rows.answer(store, integration.id(), delivery.id()).orElseThrow());
            }
            RawJson<T> answer = work.run(tx, integration, delivery.body());
            rows.setAnswer(store, integration.id(), delivery.id(), answer.text());
            return answer;
        });
    }

    private Integration findIntegration(Tx tx, SignatureVerifier.Delivery delivery, Set<Integration.Type> types) {
        Integration integration = integrations
                .find(tx, delivery.integrationId())
                .orElseThrow(() -> new ProblemException(new Problem.Unauthorized(Problem.Scheme.WebhookSignature)));
        if (!types.contains(integration.type())) {
            throw ProblemException.conflict("this type of integration does not accept such deliveries");
        }
        return integration;
    }
}
