package farm.gantry.api.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.notification.EventName;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the setup of a store's webhook, and which of its fields can be read. */
final class NotificationsTest {
    private static final String SETTINGS = "/v1/settings/notifications";
    private static final String API_KEY = "0123456789abcdef0123456789abcdef";

    private final Client client = Client.of(new Socket(), SharedApi.newStore().key());

    private Answer subscribe(String url, String apiKey) {
        return client.post(
                SETTINGS,
                "{\"channel\":\"webhook\",\"data\":{\"webhookUrl\":\"" + url + "\",\"apiKey\":\"" + apiKey + "\"}}");
    }

    @Test
    void signingSecretIsShownOnceAndKeyNever() {
        Answer made = subscribe("https://farm.example/hook", API_KEY);
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        assertThat(made.at("data.signingSecret")).asString().startsWith("whsec_");
        assertThat(made.at("data.apiKey")).isEqualTo("********");
        assertThat(made.at("enabled")).isEqualTo(true);
        assertThat(made.at("onJobFailed")).isEqualTo(false);
        Answer read = client.get(SETTINGS);
        assertThat(read.at("[0].data.signingSecret")).isEqualTo("********");
        assertThat(read.text()).doesNotContain(API_KEY).doesNotContain("sealed:");
        assertThat(read.header("content-type")).isEqualTo("application/json");
    }

    @Test
    void signingSecretIsReplacedAndShownOnce() {
        String path = SETTINGS + "/webhook/signing-secret";
        assertThat(client.post(path, "{}").status()).isEqualTo(404);
        Object first = subscribe("https://farm.example/hook", API_KEY).at("data.signingSecret");
        client.patch(SETTINGS + "/webhook/events", "{\"onJobFailed\":true}");
        Answer replaced = client.post(path, "{}");
        assertThat(replaced.status()).as(replaced.text()).isEqualTo(201);
        assertThat(replaced.at("data.signingSecret"))
                .asString()
                .startsWith("whsec_")
                .isNotEqualTo(first);
        assertThat(replaced.at("data.apiKey")).isEqualTo("********");
        assertThat(replaced.at("onJobFailed")).isEqualTo(true);
        assertThat(client.get(SETTINGS).text()).doesNotContain("whsec_");
    }

    @Test
    void repeatedSetupKeepsSecretAndEvents() {
        subscribe("https://farm.example/one", API_KEY);
        client.patch(SETTINGS + "/webhook/events", "{\"onJobFailed\":true}");
        client.patch(SETTINGS + "/webhook", "{\"enabled\":false}");
        Answer again = subscribe("https://farm.example/two", API_KEY);
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.at("data.webhookUrl")).isEqualTo("https://farm.example/two");
        assertThat(again.at("data.signingSecret")).isEqualTo("********");
        assertThat(again.at("enabled")).isEqualTo(true);
        assertThat(again.at("onJobFailed")).isEqualTo(true);
        assertThat(client.get(SETTINGS).json().size()).isEqualTo(1);
    }

    @Test
    void unknownEventIsRejectedByName() {
        subscribe("https://farm.example", API_KEY);
        Answer refused = client.patch(SETTINGS + "/webhook/events", "{\"onJobSuceeded\":true,\"onJobFailed\":true}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.at("details[0].path")).isEqualTo("onJobSuceeded");
        assertThat(refused.at("details[0].message"))
                .asString()
                .startsWith("onJobSuceeded is not an event; the events are onJobStarted, onJobSucceeded,");
        assertThat(client.get(SETTINGS).at("[0].onJobFailed")).isEqualTo(false);
    }

    @Test
    void channelHasABooleanForEachEvent() {
        subscribe("https://farm.example", API_KEY);
        Answer changed = client.patch(SETTINGS + "/webhook/events", "{\"onPartHeld\":true,\"onJobStarted\":true}");
        assertThat(changed.at("onPartHeld")).isEqualTo(true);
        changed = client.patch(SETTINGS + "/webhook/events", "{\"onJobStarted\":false}");
        assertThat(changed.text()).doesNotContain("\"events\"");
        for (EventName event : EventName.values()) {
            assertThat(changed.at(event.name())).as(event.name()).isEqualTo(event == EventName.onPartHeld);
            assertThat(client.get(SETTINGS).at("[0]." + event.name()))
                    .as(event.name())
                    .isEqualTo(event == EventName.onPartHeld);
        }
    }

    @Test
    void onJobCompletedSubscribesToOnJobSucceeded() {
        subscribe("https://farm.example", API_KEY);
        String events = SETTINGS + "/webhook/events";
        assertThat(client.patch(events, "{\"onJobCompleted\":true}").at("onJobSucceeded"))
                .isEqualTo(true);
        Answer both = client.patch(events, "{\"onJobCompleted\":false,\"onJobSucceeded\":true}");
        assertThat(both.at("details[0].path")).isEqualTo("onJobCompleted");
        assertThat(client.patch(events, "{\"onJobCompleted\":false}").at("onJobSucceeded"))
                .isEqualTo(false);
    }

    @Test
    void invalidWebhookIsRejected() {
        assertThat(subscribe("ftp://farm.example", API_KEY).at("details[0].path"))
                .isEqualTo("data.webhookUrl");
        assertThat(subscribe("https://farm.example", "short").at("details[0].path"))
                .isEqualTo("data.apiKey");
        assertThat(subscribe("https://farm.example", API_KEY + "\\r\\nX: y").at("details[0].path"))
                .isEqualTo("data.apiKey");
        Answer both = subscribe("ftp://farm.example", "short");
        assertThat(List.of(both.at("details[0].path"), both.at("details[1].path")))
                .containsExactlyInAnyOrder("data.apiKey", "data.webhookUrl");
        assertThat(client.post(SETTINGS, "{\"channel\":\"pigeon\"}").status()).isEqualTo(400);
        assertThat(client.patch(SETTINGS + "/webhook/events", "{\"onJobFailed\":true}")
                        .status())
                .isEqualTo(404);
        subscribe("https://farm.example", API_KEY);
        Answer unknown = client.patch(SETTINGS + "/webhook/events", "{\"onNothing\":true,\"onJobFailed\":1}");
        assertThat(unknown.status()).isEqualTo(400);
        assertThat(unknown.json().get("details").size()).isEqualTo(2);
        assertThat(client.patch(SETTINGS + "/webhook", "{\"enabled\":\"no\"}").status())
                .isEqualTo(400);
    }

    @Test
    void testReturnsItsResult() throws IOException {
        try (LocalReceiver receiver = new LocalReceiver()) {
            subscribe(receiver.url(), API_KEY);
            receiver.answerWith(418);
            Answer answer = client.post(SETTINGS + "/webhook/test", "{}");
            assertThat(answer.status()).isEqualTo(201);
            assertThat(answer.at("statusCode")).isEqualTo(418);
            assertThat(receiver.received().getFirst().body()).contains("\"event\":\"test\"");
            assertThat(client.get(SETTINGS).at("[0].failureCount24h")).isEqualTo(0);
        }
    }

    @Test
    void settingsNeedTheirOwnPermissions() {
        Client viewer = client.permitted("settings.view");
        assertThat(viewer.get(SETTINGS).status()).isEqualTo(200);
        assertThat(viewer.get(SETTINGS + "/webhook/deliveries?event=onJobFailed&meta=true")
                        .status())
                .isEqualTo(200);
        assertThat(viewer.post(SETTINGS + "/webhook/test", "{}").status()).isEqualTo(403);
        assertThat(viewer.patch(SETTINGS + "/webhook", "{\"enabled\":true}").status())
                .isEqualTo(403);
    }
}
