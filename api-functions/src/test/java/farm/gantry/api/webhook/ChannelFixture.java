package farm.gantry.api.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.camera.CameraSnapshots;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Secrets;
import farm.gantry.api.database.Tables;
import farm.gantry.api.file.FileStorage;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.api.json.JsonCodec;
import farm.gantry.api.json.RecordReader;
import farm.gantry.api.notification.EventMessages;
import farm.gantry.api.queue.WorkLease;
import farm.gantry.notification.EventName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A store whose notification channels are served with a clock that a test advances. */
final class ChannelFixture {
    static final String CHANNELS = "/v1/notification-channels";

    final SharedApi.Store store = SharedApi.newStore();
    final Client client = Client.of(new Socket(), store.key());
    final SettableClock clock = new SettableClock();
    private final ChannelOutbox outbox = new ChannelOutbox(
            SharedApi.bean(Tables.class),
            SharedApi.bean(ChannelRows.class),
            SharedApi.bean(EventMessages.class),
            SharedApi.bean(CameraSnapshots.class),
            SharedApi.bean(JsonCodec.class),
            clock,
            Optional.empty());
    private final Webhooks webhooks = new Webhooks(
            SharedApi.bean(Database.class),
            SharedApi.bean(Tables.class),
            SharedApi.bean(WebhookRows.class),
            outbox,
            SharedApi.bean(RecordReader.class),
            clock,
            Optional.empty());
    final ChannelDeliveries deliveries = deliveries(new DeliveryClient(SharedApi.bean(PinnedHttpClient.class), clock));

    /** Returns the delivery of messages by a client of its own. */
    ChannelDeliveries deliveries(DeliveryClient http) {
        return new ChannelDeliveries(
                SharedApi.bean(Database.class),
                SharedApi.bean(Tables.class),
                SharedApi.bean(ChannelRows.class),
                SharedApi.bean(ChannelStatus.class),
                outbox,
                new ChannelSender(
                        SharedApi.bean(Secrets.class),
                        http,
                        Optional.of(SharedApi.bean(MailClient.class)),
                        SharedApi.bean(EventMessages.class),
                        new MessagePictures(
                                SharedApi.bean(CameraSnapshots.class), SharedApi.bean(FileStorage.class), clock),
                        SharedApi.bean(JsonCodec.class)),
                SharedApi.bean(WorkLease.class),
                clock);
    }

    /** Creates a channel of all kinds of printers' events; {@code more} continues the object. */
    String channel(ServiceRequest service, String base, String more) {
        return channel(service.kind().name(), service.settings(base), more);
    }

    String channel(String kind, String settings, String more) {
        return client.made(CHANNELS, """
                {"name": "phone", "kind": "%s", "settings": %s%s%s}""".formatted(
                        kind,
                        settings,
                        more.contains("\"events\"") ? "" : ", \"events\": [\"onPrinterOffline\", \"onPrinterOnline\"]",
                        more));
    }

    String printer(String name, String tags) {
        Answer made = client.with("content-type", "application/json")
                .send("PUT", "/v1/printers", Client.utf8("""
                [{"name": "%s", "nozzleDiameter": "0.4", "tags": %s,
                  "metadata": {"provider": "vendorP", "nozzle_diameter": 0.4, "password": "s"}}]""".formatted(name, tags)));
        assertThat(made.status()).as(made.text()).isEqualTo(200);
        return made.each("id").getFirst();
    }

    void emit(EventName event, @Nullable String printerId) {
        emit(event, printerId, null);
    }

    void emit(EventName event, @Nullable String printerId, @Nullable String jobId) {
        emit(event, printerId, jobId, Map.of());
    }

    void emit(EventName event, @Nullable String printerId, @Nullable String jobId, Map<String, ?> more) {
        SharedApi.bean(Database.class).in(store.id(), tx -> {
            webhooks.emit(tx, event, printerId, jobId, more);
            return tx;
        });
    }

    /** Ends a printer's fault. */
    void resolve(EventName fault, String printerId) {
        SharedApi.bean(Database.class).in(store.id(), tx -> {
            webhooks.resolve(tx, fault, List.of(printerId));
            return tx;
        });
    }

    /** Emits the event of each printer in one transaction, by one call each. */
    void emitTogether(EventName event, List<String> printerIds) {
        SharedApi.bean(Database.class).in(store.id(), tx -> {
            printerIds.forEach(id -> webhooks.emit(tx, event, id, null));
            return tx;
        });
    }

    int deliver() {
        try {
            return deliveries.deliver(store.id());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    List<ChannelDeliveries.Claim> claim() {
        return deliveries.recordAndClaim(store.id(), List.of(), true);
    }

    Answer read(String channelId) {
        return client.get(CHANNELS + "/" + channelId);
    }

    Answer log(String channelId) {
        return client.get(CHANNELS + "/" + channelId + "/deliveries");
    }
}
