package farm.gantry.api.webhook;

import farm.gantry.Id;
import farm.gantry.api.database.Secrets;
import farm.gantry.notification.NotificationSetting;
import farm.gantry.notification.WebhookDelivery.Attempt;
import jakarta.inject.Singleton;
import java.net.URI;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** Sends deliveries to webhook receivers. */
@Singleton
final class WebhookSender {
    private final Webhooks webhooks;
    private final Secrets secrets;
    private final DeliveryClient client;

    WebhookSender(Webhooks webhooks, Secrets secrets, DeliveryClient client) {
        this.webhooks = webhooks;
        this.secrets = secrets;
        this.client = client;
    }

    /** Sends a test event. */
    Attempt sendTest(NotificationSetting webhook) {
        return send(webhook, Id.next(), webhooks.testBody()).attempt();
    }

    /** Sends one attempt; failures are part of the result. */
    DeliveryClient.SendResult send(NotificationSetting webhook, String id, String body) {
        return client.post(id, at -> request(webhook, id, body, at));
    }

    private DeliveryClient.PostRequest request(NotificationSetting webhook, String id, String body, Instant at) {
        String signingSecret = secrets.decrypt(webhook.data().signingSecret());
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Content-Type", "application/json");
        headers.put("User-Agent", "Gantry-Webhooks");
        headers.put("X-API-Key", secrets.decrypt(webhook.data().apiKey()));
        headers.put("webhook-id", id);
        headers.put("webhook-timestamp", Long.toString(at.getEpochSecond()));
        headers.put("webhook-signature", WebhookSignature.of(signingSecret, id, at.getEpochSecond(), body));
        return new DeliveryClient.PostRequest(URI.create(webhook.data().webhookUrl()), headers, body);
    }
}
