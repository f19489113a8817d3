package farm.gantry.api.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.file.FileStorage;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.file.FileUri;
import farm.gantry.notification.EventName;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that a channel of e-mail submits messages to a mail server, and how it handles the server's replies. */
final class MailChannelTest {
    private static final String SECRET = "s3cretOfTheMailbox";

    private final ChannelFixture farm = new ChannelFixture();
    private final MailServer server = newServer();

    private static MailServer newServer() {
        try {
            return MailServer.plain();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    private String channel(String more) {
        return farm.channel("email", """
                {"host": "127.0.0.1", "port": %d, "security": "none", "user": "farm", "password": "%s",
                 "sender": "farm@example.com", "recipients": ["ada@example.com", "bob@example.net"]}""".formatted(server.port(), SECRET), more);
    }

    private String channelWithMessage() {
        String channel = channel("");
        farm.emit(EventName.onPrinterOffline, farm.printer("Völker 3", "[]"));
        return channel;
    }

    private String lastError(String channel) {
        return String.valueOf(farm.read(channel).at("lastError"));
    }

    @Test
    void messageIsAnEmailToAllRecipients() {
        String channel = channelWithMessage();
        assertThat(farm.deliver()).isEqualTo(1);
        MailServer.Mail mail = server.received().getFirst();
        assertThat(mail.login()).isEqualTo("farm " + SECRET);
        assertThat(mail.sender()).isEqualTo("farm@example.com");
        assertThat(mail.recipients()).containsExactly("ada@example.com", "bob@example.net");
        assertThat(mail.header("Subject")).isEqualTo("Printer offline");
        assertThat(mail.header("From")).isEqualTo("Gantry <farm@example.com>");
        assertThat(mail.header("Auto-Submitted")).isEqualTo("auto-generated");
        assertThat(mail.header("Content-Type")).isEqualTo("text/plain; charset=UTF-8");
        assertThat(mail.header("Message-ID")).isEqualTo("<" + farm.log(channel).at("[0].id") + "@example.com>");
        assertThat(body(mail)).startsWith("Völker 3 is unreachable.");
        assertThat(Instant.parse(String.valueOf(farm.read(channel).at("lastSentAt"))))
                .isEqualTo(farm.clock.instant());
        assertThat(farm.log(channel).at("[0].status")).isEqualTo("delivered");
        assertThat(farm.deliver()).as("nothing more").isZero();
    }

    @Test
    void thumbnailOfThePartIsAttached() throws IOException {
        byte[] png = {(byte) 0x89, 'P', 'N', 'G', 13, 10, 26, 10, 1, 2, 3};
        String part = ReadyParts.uploaded(farm.store, farm.client);
        FileUri thumbnail = FileUri.file(farm.store.id().value(), part, "made/thumbnail.png");
        SharedApi.bean(FileStorage.class).write(thumbnail, new ByteArrayInputStream(png), png.length);
        ReadyParts.change(farm.store, part, "thumbnailUri", thumbnail.toString());
        String job = new FakeAgent(farm.store, new Socket()).jobOf(part, "");
        channel(", \"events\": [\"onJobCancelled\"], \"picture\": true");
        farm.emit(EventName.onJobCancelled, null, job);
        assertThat(farm.deliver()).isEqualTo(1);
        MailServer.Mail mail = server.received().getFirst();
        assertThat(mail.header("Content-Type")).startsWith("multipart/mixed");
        assertThat(mail.text())
                .contains(
                        "was cancelled.",
                        "Content-Type: image/png; name=picture.png",
                        Base64.getEncoder().encodeToString(png));
        SharedApi.bean(FileStorage.class).deleteAll(farm.store.id().value(), part);
        farm.emit(EventName.onJobCancelled, null, job);
        assertThat(farm.deliver()).isEqualTo(1);
        assertThat(server.received().getLast().header("Content-Type"))
                .as("without the file")
                .startsWith("text/plain");
    }

    /** Returns the body, which is encoded because it has a letter that is not ASCII. */
    private static String body(MailServer.Mail mail) {
        String body = mail.text().substring(mail.text().indexOf("\n\n")).strip();
        if (mail.header("Content-Transfer-Encoding").equals("base64")) {
            return new String(Base64.getMimeDecoder().decode(body), StandardCharsets.UTF_8);
        }
        return body.replace("=C3=B6", "ö");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            CONNECT         | 554 no service for you                  | 554 | no service for you.
            AUTH            | 535 5.7.8 wrong s3cretOfTheMailbox      | 535 | 5.7.8 wrong ********. Check settings.user and settings.password.
            MAIL            | 550 5.7.1 sender not allowed            | 550 | 5.7.1 sender not allowed.
            bob@example.net | 550 5.1.1 no such mailbox               | 550 | bob@example.net: 5.1.1 no such mailbox.
            DATA            | 451 4.3.0 try again later               | 451 | 4.3.0 try again later.
            .               | 552 5.3.4 message too big               | 552 | 5.3.4 message too big.
            """)
    void refusedMessageIsRetriedAndTheErrorSaysWhy(String command, String reply, int status, String error) {
        String channel = channelWithMessage();
        server.reply(command, reply);
        assertThat(farm.deliver()).isEqualTo(1);
        assertThat(lastError(channel)).isEqualTo("email responded with status " + status + ": " + error);
        assertThat(farm.log(channel).at("[0].attempts[0].statusCode")).isEqualTo(status);
        assertThat(farm.log(channel).text()).doesNotContain(SECRET);
        assertThat(server.received()).as("all recipients or none").isEmpty();
        server.recover();
        farm.clock.pass(Duration.ofSeconds(73));
        assertThat(farm.deliver()).isEqualTo(1);
        assertThat(farm.read(channel).at("lastError")).isNull();
        assertThat(server.received()).hasSize(1);
    }

    @Test
    void serverThatTakesNoConnectionsNowPausesTheChannel() {
        String channel = channelWithMessage();
        server.reply("CONNECT", "421 too many connections");
        assertThat(farm.deliver()).isEqualTo(1);
        assertThat(Instant.parse(String.valueOf(farm.read(channel).at("pausedUntil"))))
                .isEqualTo(farm.clock.instant().plusSeconds(60));
        assertThat(lastError(channel)).isEqualTo("email responded with status 421: too many connections.");
    }

    @ParameterizedTest
    @CsvSource({"CONNECT,HTTP/1.1 400 Bad Request,protocol", "CONNECT,'',protocol", "MAIL,'',protocol"})
    void brokenConversationIsAFailure(String command, String reply, String errorClass) {
        String channel = channelWithMessage();
        server.reply(command, reply);
        assertThat(farm.deliver()).isEqualTo(1);
        assertThat(farm.log(channel).at("[0].attempts[0].errorClass"))
                .as(lastError(channel))
                .isEqualTo(errorClass);
        assertThat(lastError(channel)).startsWith("Sending to email failed: ").doesNotContain(SECRET);
    }

    @Test
    void messageWhoseReplyWasLostIsRepeatedWithItsId() {
        channelWithMessage();
        server.reply(".", "");
        assertThat(farm.deliver()).isEqualTo(1);
        server.recover();
        farm.clock.pass(Duration.ofSeconds(73));
        assertThat(farm.deliver()).isEqualTo(1);
        assertThat(server.received()).hasSize(2);
        assertThat(server.received().get(1).header("Message-ID"))
                .isEqualTo(server.received().get(0).header("Message-ID"));
    }

    @Test
    void testReturnsItsResultEvenIfDisabled() {
        String channel = channel(", \"enabled\": false");
        server.reply("AUTH", "535 unknown " + SECRET);
        Answer refused = farm.client.post(ChannelFixture.CHANNELS + "/" + channel + "/test", "{}");
        assertThat(refused.at("statusCode")).isEqualTo(535);
        assertThat(refused.at("responseBody")).isEqualTo("unknown ********");
        assertThat(refused.at("message"))
                .asString()
                .startsWith("email responded with status 535: unknown ********. Check settings.");
        server.recover();
        Answer sent = farm.client.post(ChannelFixture.CHANNELS + "/" + channel + "/test", "{}");
        assertThat(sent.at("statusCode")).isEqualTo(250);
        assertThat(sent.at("message")).isNull();
        assertThat(server.received().getFirst().header("Subject")).isEqualTo("Test from Gantry");
    }

    @Test
    void passwordIsShownOnlyToThoseWhoMayEdit() {
        String channel = channel("");
        assertThat(farm.read(channel).at("settings.password")).isEqualTo(SECRET);
        Answer viewed = farm.client.permitted("settings.view").get(ChannelFixture.CHANNELS + "/" + channel);
        assertThat(viewed.at("settings.password")).isEqualTo("********");
        assertThat(List.of(viewed.at("settings.host"), viewed.at("settings.port")))
                .containsExactly("127.0.0.1", server.port());
    }
}
