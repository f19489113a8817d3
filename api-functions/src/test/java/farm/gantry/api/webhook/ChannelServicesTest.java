package farm.gantry.api.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.contract.SnapshotContract;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.notification.MessagePicture;
import farm.gantry.notification.EventName;
import farm.gantry.notification.NotificationChannel.Kind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Tests that a channel of each kind sends what its service documents, and how it handles the service's responses. */
final class ChannelServicesTest {
    static final List<ServiceRequest> SERVICES = ServiceRequest.ALL;

    private final ChannelFixture farm = new ChannelFixture();
    private final LocalReceiver receiver = newReceiver();

    private static LocalReceiver newReceiver() {
        try {
            return new LocalReceiver();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void close() {
        receiver.close();
    }

    private String base() {
        return "http://127.0.0.1:" + receiver.port();
    }

    /** Creates a channel and a message that a printer is offline; returns the id of the channel. */
    private String channelWithMessage(ServiceRequest service) {
        String channel = farm.channel(service, base(), "");
        farm.emit(EventName.onPrinterOffline, farm.printer("Völker 3", "[]"));
        return channel;
    }

    @ParameterizedTest
    @FieldSource("SERVICES")
    void requestIsAsTheServiceDocuments(ServiceRequest service) {
        String channel = channelWithMessage(service);
        receiver.answerWith(200, Map.of(), "{\"ok\":true}");
        assertThat(farm.deliver()).isEqualTo(1);
        LocalReceiver.Received got = receiver.received().getFirst();
        assertThat(got.path()).isEqualTo(service.path());
        assertThat(got.headers()).containsAllEntriesOf(service.headers());
        assertThat(got.header("content-type")).isEqualTo("application/json");
        assertThat(got.body()).contains(service.body());
        Answer.tree(got.body().getBytes(StandardCharsets.UTF_8));
        Answer read = farm.read(channel);
        assertThat(Instant.parse(String.valueOf(read.at("lastSentAt")))).isEqualTo(farm.clock.instant());
        assertThat(read.at("lastError")).isNull();
        assertThat(farm.log(channel).at("[0].status")).isEqualTo("delivered");
        assertThat(farm.deliver()).as("nothing more").isZero();
    }

    /** The request that a service gets with a picture: its path and parts of its body. */
    record PictureRequest(ServiceRequest service, String path, List<String> body) {
        static PictureRequest of(Kind kind, String path, String... body) {
            ServiceRequest service = ServiceRequest.of(kind);
            return new PictureRequest(service, path.isEmpty() ? service.path() : path, List.of(body));
        }
    }

    static final List<PictureRequest> PICTURES = List.of(
            PictureRequest.of(
                    Kind.ntfy,
                    "/farm?title=Printer+offline&message=V%C3%B6lker+3+is+unreachable.&priority=4&tags=warning&filename=picture.jpg",
                    "\ufffd"),
            PictureRequest.of(
                    Kind.telegram,
                    "/bot123:" + ServiceRequest.SECRET + "/sendPhoto",
                    "name=\"chat_id\"\r\n\r\n-100200\r\n",
                    "name=\"caption\"\r\n\r\nPrinter offline\nVölker 3 is unreachable.\r\n",
                    "name=\"photo\"; filename=\"picture.jpg\"\r\nContent-Type: image/jpeg\r\n\r\n"),
            PictureRequest.of(
                    Kind.discord,
                    "",
                    "name=\"payload_json\"\r\n\r\n{\"",
                    "\"image\":{\"url\":\"attachment://picture.jpg\"}",
                    "name=\"files[0]\"; filename=\"picture.jpg\"\r\nContent-Type: image/jpeg\r\n\r\n"),
            PictureRequest.of(
                    Kind.pushover,
                    "",
                    "\"attachment_base64\":\"" + Base64.getEncoder().encodeToString(SnapshotContract.PICTURE) + "\"",
                    "\"attachment_type\":\"image/jpeg\""));

    /** Creates a channel with pictures and a message about a printer, whose agent then sends a camera image. */
    private String channelWithPicture(ServiceRequest service) {
        FakeAgent agent = new FakeAgent(farm.store, new farm.gantry.api.fixture.Socket());
        String printer = agent.printer("Völker 3", "");
        String channel = farm.channel(service, base(), ", \"picture\": true");
        farm.emit(EventName.onPrinterOffline, printer);
        assertThat(agent.exchange().at("stills[0].width")).isEqualTo(640);
        assertThat(farm.deliver()).as("the camera image is awaited").isZero();
        agent.still(printer, 640, SnapshotContract.PICTURE);
        farm.clock.pass(ChannelOutbox.CAMERA_WAIT);
        return channel;
    }

    @ParameterizedTest
    @FieldSource("PICTURES")
    void cameraImageIsSentAsTheServiceDocuments(PictureRequest expected) {
        String channel = channelWithPicture(expected.service());
        assertThat(farm.deliver()).isEqualTo(1);
        assertThat(receiver.received()).hasSize(1);
        LocalReceiver.Received got = receiver.received().getFirst();
        assertThat(got.path()).isEqualTo(expected.path());
        assertThat(got.headers()).containsAllEntriesOf(expected.service().headers());
        assertThat(got.body())
                .contains(expected.body())
                .contains("\ufffd".repeat(expected.service().kind() == Kind.pushover ? 0 : 1_990));
        assertThat(farm.log(channel).at("[0].status")).isEqualTo("delivered");
    }

    @ParameterizedTest
    @FieldSource("PICTURES")
    void messageIsSentWithoutAPictureThatTheServiceRefuses(PictureRequest expected) {
        channelWithPicture(expected.service());
        receiver.answerWith(413);
        assertThat(farm.deliver()).isEqualTo(1);
        assertThat(receiver.received()).hasSize(2);
        farm.clock.pass(Duration.ofSeconds(73));
        receiver.answerWith(200);
        assertThat(farm.deliver()).isEqualTo(1);
        assertThat(receiver.received()).hasSize(3);
        for (LocalReceiver.Received plain : receiver.received().subList(1, 3)) {
            assertThat(plain.path()).isEqualTo(expected.service().path());
            assertThat(plain.body())
                    .contains(expected.service().body())
                    .doesNotContain("picture.jpg", "attachment_base64");
        }
    }

    @Test
    void rateLimitIsNotAnsweredByASecondRequest() {
        channelWithPicture(PICTURES.getLast().service());
        receiver.answerWith(429);
        assertThat(farm.deliver()).isEqualTo(1);
        assertThat(receiver.received()).hasSize(1);
    }

    @Test
    void messageAboutAPrinterWithoutCameraDoesNotWait() {
        ServiceRequest service = PICTURES.getFirst().service();
        farm.channel(service, base(), ", \"picture\": true");
        farm.emit(EventName.onPrinterOffline, farm.printer("Völker 3", "[]"));
        assertThat(farm.deliver()).isEqualTo(1);
        assertThat(receiver.received().getFirst().path()).isEqualTo(service.path());
    }

    @Test
    void imageThatTheAgentDoesNotSendInTimeIsLeftOut() {
        FakeAgent agent = new FakeAgent(farm.store, new farm.gantry.api.fixture.Socket());
        String printer = agent.printer("Völker 3", "");
        ServiceRequest service = PICTURES.getFirst().service();
        farm.channel(service, base(), ", \"picture\": true");
        farm.emit(EventName.onPrinterOffline, printer);
        farm.clock.pass(ChannelOutbox.CAMERA_WAIT);
        assertThat(farm.deliver()).isEqualTo(1);
        assertThat(receiver.received().getFirst().path()).isEqualTo(service.path());
    }

    @Test
    void messageThatIsLongDelayedHasNoCameraImage() {
        channelWithPicture(PICTURES.getFirst().service());
        farm.clock.pass(Duration.ofHours(1));
        assertThat(farm.deliver()).isEqualTo(1);
        assertThat(receiver.received().getFirst().path())
                .isEqualTo(PICTURES.getFirst().service().path());
    }

    @Test
    void pictureThatIsReadTooSlowlyIsLeftOut() {
        CountDownLatch never = new CountDownLatch(1);
        assertThat(MessagePictures.within(Duration.ofMillis(1), () -> {
                    never.await();
                    return MessagePicture.of(SnapshotContract.PICTURE);
                }))
                .isEmpty();
        assertThat(MessagePictures.within(Duration.ofMinutes(1), () -> MessagePicture.of(SnapshotContract.PICTURE)))
                .isPresent();
    }

    @ParameterizedTest
    @FieldSource("SERVICES")
    void wrongSecretNamesTheSettingWithoutTheSecret(ServiceRequest service) {
        String channel = channelWithMessage(service);
        String path = service.path();
        receiver.answerWith(401, Map.of(), "no access to " + path + " with " + ServiceRequest.SECRET);
        assertThat(farm.deliver()).isEqualTo(1);
        Answer read = farm.read(channel);
        assertThat(read.at("lastError"))
                .asString()
                .startsWith(service.kind() + " responded with status 401: no access to ")
                .endsWith("Check " + service.credentials() + ".")
                .doesNotContain(ServiceRequest.SECRET);
        assertThat(read.at("failureCount")).isEqualTo(1);
        assertThat(read.at("lastSentAt")).isNull();
        assertThat(farm.log(channel).at("[0].attempts[0].statusCode")).isEqualTo(401);
        assertThat(farm.log(channel).text()).doesNotContain(ServiceRequest.SECRET);
    }

    @ParameterizedTest
    @FieldSource("SERVICES")
    void tooManyRequestsPausesTheChannel(ServiceRequest service) {
        String channel = channelWithMessage(service);
        receiver.answerWith(429, Map.of("Retry-After", "120"), "");
        assertThat(farm.deliver()).isEqualTo(1);
        Instant retryAt = farm.clock.instant().plusSeconds(120);
        assertThat(Instant.parse(String.valueOf(farm.read(channel).at("pausedUntil"))))
                .isEqualTo(retryAt);
        farm.emit(EventName.onPrinterOnline, null);
        farm.clock.pass(Duration.ofSeconds(119));
        assertThat(farm.deliver()).as("during the pause").isZero();
        farm.clock.pass(Duration.ofSeconds(1));
        receiver.answerWith(200);
        assertThat(farm.deliver()).isEqualTo(2);
        assertThat(farm.read(channel).at("pausedUntil")).isNull();
        assertThat(farm.log(channel).each("status")).containsOnly("delivered").hasSize(2);
    }

    @ParameterizedTest
    @FieldSource("SERVICES")
    void failedMessageIsRetried(ServiceRequest service) {
        String channel = channelWithMessage(service);
        receiver.answerWith(500);
        assertThat(farm.deliver()).isEqualTo(1);
        assertThat(farm.read(channel).at("lastError")).isEqualTo(service.kind() + " responded with status 500.");
        assertThat(farm.deliver()).as("before the retry").isZero();
        farm.clock.pass(Duration.ofSeconds(73));
        receiver.answerWith(200);
        assertThat(farm.deliver()).isEqualTo(1);
        assertThat(farm.read(channel).at("lastError")).isNull();
        assertThat(receiver.received()).hasSize(2);
        assertThat(receiver.received().get(1).body())
                .isEqualTo(receiver.received().get(0).body());
    }

    @ParameterizedTest
    @FieldSource("SERVICES")
    void garbageIsAFailure(ServiceRequest service) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread answering = Thread.ofVirtual().start(() -> answerGarbage(server));
            String channel = farm.channel(service, "http://127.0.0.1:" + server.getLocalPort(), "");
            farm.emit(EventName.onPrinterOffline, null);
            assertThat(farm.deliver()).isEqualTo(1);
            answering.join();
            assertThat(farm.read(channel).at("lastError"))
                    .asString()
                    .startsWith("Sending to " + service.kind() + " failed: ")
                    .doesNotContain(ServiceRequest.SECRET);
            assertThat(farm.log(channel).at("[0].attempts[0].errorClass")).isEqualTo("protocol");
        }
    }

    private static void answerGarbage(ServerSocket server) {
        try (Socket socket = server.accept()) {
            socket.getOutputStream().write("SSH-2.0-OpenSSH_9.9\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            socket.shutdownOutput();
            socket.getInputStream().readAllBytes();
        } catch (IOException e) {
            // the client closed the connection
        }
    }

    @ParameterizedTest
    @FieldSource("SERVICES")
    void testReturnsItsResultEvenIfDisabled(ServiceRequest service) {
        String channel = farm.channel(service, base(), ", \"enabled\": false");
        receiver.answerWith(401, Map.of(), "unknown " + ServiceRequest.SECRET);
        Answer answer = farm.client.post(ChannelFixture.CHANNELS + "/" + channel + "/test", "{}");
        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.at("statusCode")).isEqualTo(401);
        assertThat(answer.at("responseBody")).isEqualTo("unknown ********");
        assertThat(answer.at("message"))
                .isEqualTo(service.kind() + " responded with status 401: unknown ********. Check "
                        + service.credentials() + ".");
        assertThat(receiver.received().getFirst().body()).contains("Test from Gantry");
        assertThat(farm.read(channel).at("failureCount")).isEqualTo(0);
    }
}
