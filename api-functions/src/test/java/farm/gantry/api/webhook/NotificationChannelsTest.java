package farm.gantry.api.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the fields of notification channels: their checks, defaults and secrets. */
final class NotificationChannelsTest {
    private static final String CHANNELS = "/v1/notification-channels";

    private final Client client = Client.of(new Socket(), SharedApi.newStore().key());

    private Answer create(String kind, String settings) {
        return client.post(
                CHANNELS, "{\"name\": \"phone\", \"kind\": \"" + kind + "\", \"settings\": " + settings + "}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ntfy     | {}                                                    | settings.topic   | settings.topic is required for ntfy
            ntfy     | {"topic": "a b"}                                      | settings.topic   | settings.topic must be 1 to 64 letters, digits, - or _
            ntfy     | {"topic": "a", "url": "https://ntfy.sh/a"}            | settings.url     | settings.url must be the address of the server; put the topic into settings.topic
            ntfy     | {"topic": "a", "chatId": "1"}                         | settings.chatId  | settings.chatId is not used by ntfy; leave it out
            discord  | {}                                                    | settings.url     | settings.url is required for discord
            discord  | {"url": "ftp://discord.com/x"}                        | settings.url     | settings.url must begin with https://
            slack    | {"topic": "a", "url": "https://hooks.slack.com/x"}    | settings.topic   | settings.topic is not used by slack; leave it out
            telegram | {"chatId": "1"}                                       | settings.token   | settings.token is required for telegram
            telegram | {"chatId": "1", "token": "1/../2"}                    | settings.token   | settings.token must be the token of a bot, such as 123456:ABC-DEF; copy it from @BotFather
            telegram | {"chatId": "me", "token": "1:A"}                      | settings.chatId  | settings.chatId must be a number, or @ and the name of a channel
            gotify   | {"url": "https://gotify.example", "token": "a\\r\\nb"} | settings.token   | settings.token must consist of visible ASCII characters; copy it again from the service
            email    | {"host": "h.example", "sender": "a@b.c"}              | settings.recipients | settings.recipients is required for email
            email    | {"host": "h.example", "sender": "a", "recipients": ["b@c.d"]} | settings.sender | settings.sender must be an e-mail address such as farm@example.com
            email    | {"host": "h.example", "sender": "a@b.c", "recipients": ["b@c.d", "e\\r\\nRCPT TO:<f@g.h>"]} | settings.recipients[1] | settings.recipients[1] must be an e-mail address such as ada@example.com
            email    | {"host": "-.", "sender": "a@b.c", "recipients": ["b@c.d"]} | settings.host | settings.host must be a host name or an IP address
            email    | {"host": "h.example", "user": "u", "sender": "a@b.c", "recipients": ["b@c.d"]} | settings.password | settings.password is required with settings.user
            email    | {"host": "h.example", "port": 70000, "sender": "a@b.c", "recipients": ["b@c.d"]} | settings.port | settings.port must be less than or equal to 65535
            webpush  | {"url": "https://push.example/1", "token": "BTBZMqHH6r4Tts7J_aSIgg"} | settings.publicKey | settings.publicKey is required for webpush
            pushover | {"token": "a"}                                        | settings.userKey | settings.userKey is required for pushover
            """)
    void badSettingsAreRejectedByName(String kind, String settings, String path, String message) {
        Answer refused = create(kind, settings);
        assertThat(refused.status()).as(refused.text()).isEqualTo(400);
        assertThat(refused.at("details[0].path")).isEqualTo(path);
        assertThat(refused.at("details[0].message")).isEqualTo(message);
    }

    @Test
    void badQuietHoursAreRejected() {
        for (String hours :
                List.of("{\"from\": \"22:00\", \"to\": \"22:00\"}", "{\"from\": \"22:00\", \"to\": \"7\"}")) {
            Answer refused = client.post(CHANNELS, """
                    {"name": "phone", "kind": "ntfy", "settings": {"topic": "a"}, "quietHours": %s}""".formatted(hours));
            assertThat(refused.status()).as(refused.text()).isEqualTo(400);
            assertThat(refused.at("details[0].path")).isEqualTo("quietHours.to");
        }
    }

    @Test
    void unknownPlaceholdersAreRejectedByName() {
        String template = "\"template\": {\"title\": \"{printer}\", \"text\": \"{part} auf {drucker}\"}";
        String message = "template.text contains the unknown placeholder {drucker}; the placeholders are {title}, "
                + "{sentence}, {reason}, {printer}, {part}, {order}, {spool}, {agent}, {link}";
        String id = client.made(CHANNELS, "{\"name\": \"a\", \"kind\": \"ntfy\", \"settings\": {\"topic\": \"a\"}}");
        for (Answer refused : List.of(
                client.post(CHANNELS, """
                        {"name": "phone", "kind": "ntfy", "settings": {"topic": "a"}, %s}""".formatted(template)),
                client.patch(CHANNELS + "/" + id, "{" + template + "}"),
                client.post(CHANNELS + "/preview", "{" + template + "}"))) {
            assertThat(refused.status()).as(refused.text()).isEqualTo(400);
            assertThat(refused.at("details[0].path")).isEqualTo("template.text");
            assertThat(refused.at("details[0].message")).isEqualTo(message);
        }
    }

    @Test
    void titleOfSeveralLinesIsRejected() {
        Answer refused = client.post(CHANNELS + "/preview", "{\"template\": {\"title\": \"a\\nBcc: b@c.d\"}}");
        assertThat(refused.at("details[0].message")).isEqualTo("template.title must be one line");
    }

    @Test
    void previewFillsTheTemplateForEachEvent() {
        Answer preview = client.permitted("settings.view").post(CHANNELS + "/preview", """
                {"events": ["onJobFailed", "onOrderLate"],
                 "template": {"title": "{printer}", "text": "{part}{order}: {sentence} ({reason})"}}""");
        assertThat(preview.status()).as(preview.text()).isEqualTo(201);
        assertThat(preview.each("event")).containsExactly("onJobFailed", "onOrderLate");
        assertThat(preview.each("title")).containsExactly("Voron 3", "Order late");
        assertThat(preview.each("text"))
                .containsExactly(
                        "lamp foot: lamp foot failed on Voron 3. Reason: out of filament. (out of filament)",
                        "1042: Order 1042 is likely to miss its deadline. ()");
        assertThat(client.post(CHANNELS + "/preview", "{\"events\": [\"onJobFailed\"]}")
                        .each("text"))
                .containsExactly("lamp foot failed on Voron 3. Reason: out of filament.");
    }

    @Test
    void picturesAreRejectedForAServiceWithoutThem() {
        Answer refused = client.post(CHANNELS, """
                {"name": "a", "kind": "gotify", "settings": {"url": "https://gotify.example", "token": "a"}, "picture": true}""");
        assertThat(refused.status()).as(refused.text()).isEqualTo(400);
        assertThat(refused.at("details[0].message"))
                .isEqualTo("picture must be false, because gotify accepts no pictures");
    }

    @Test
    void unknownEventsAreRejected() {
        Answer refused = client.post(CHANNELS, """
                {"name": "phone", "kind": "ntfy", "settings": {"topic": "a"}, "events": ["onJobFailed", "onLunch"]}""");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.at("details[0].path")).isEqualTo("events[1]");
    }

    @Test
    void urlAndTokenAreShownOnlyToThoseWhoMayEdit() {
        String id = client.made(CHANNELS, """
                {"name": "phone", "kind": "gotify", "settings": {"url": "https://gotify.example/s", "token": "s3cretToken"}}""");
        assertThat(client.get(CHANNELS + "/" + id).at("settings.token")).isEqualTo("s3cretToken");
        Answer viewed = client.permitted("settings.view").get(CHANNELS + "/" + id);
        assertThat(viewed.at("settings.token")).isEqualTo("********");
        assertThat(viewed.at("settings.url")).isEqualTo("********");
        assertThat(viewed.text()).doesNotContain("s3cret", "sealed:", "gotify.example");
        assertThat(client.permitted("settings.view")
                        .post(CHANNELS + "/" + id + "/test", "{}")
                        .status())
                .isEqualTo(403);
        assertThat(client.permitted("printer.view").get(CHANNELS).status()).isEqualTo(403);
    }

    @Test
    void patchKeepsSecretsThatAreGivenAsStars() {
        String id = client.made(CHANNELS, """
                {"name": "phone", "kind": "ntfy", "settings": {"topic": "a", "token": "s3cretToken"}}""");
        Answer changed =
                client.patch(CHANNELS + "/" + id, "{\"settings\": {\"topic\": \"b\", \"token\": \"********\"}}");
        assertThat(changed.at("settings.topic")).isEqualTo("b");
        assertThat(changed.at("settings.token")).isEqualTo("s3cretToken");
        assertThat(client.patch(CHANNELS + "/" + id, "{\"kind\": \"slack\"}").at("details[0].path"))
                .isEqualTo("settings.url");
    }

    @Test
    void newChannelIsEnabledAndSubscribedToNothing() {
        Answer made = create("ntfy", "{\"topic\": \"farm\"}");
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        assertThat(made.at("enabled")).isEqualTo(true);
        assertThat(List.of(
                        made.json().get("events").size(),
                        made.json().get("printerTags").size()))
                .containsOnly(0);
        assertThat(made.at("failureCount")).isEqualTo(0);
    }

    @Test
    void secretsAreNotInTheAuditLog() {
        String id = client.made(CHANNELS, """
                {"name": "phone", "kind": "gotify", "settings": {"url": "https://gotify.example/s", "token": "s3cretToken"}}""");
        Answer log = client.get("/v1/audit-logs?entityId=" + id);
        assertThat(log.text()).contains("notificationChannel").doesNotContain("s3cret", "sealed:", "gotify.example");
    }
}
