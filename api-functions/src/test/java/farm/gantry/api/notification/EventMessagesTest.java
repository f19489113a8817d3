package farm.gantry.api.notification;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.json.JsonText;
import farm.gantry.notification.EventName;
import farm.gantry.notification.MessageTemplate;
import io.micronaut.context.ApplicationContext;
import io.micronaut.json.tree.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the messages about events. */
final class EventMessagesTest {
    private static final String FAILED = """
            {"printer": {"id": "p1", "name": "Voron 3"}, "printJob": {"partName": "lamp foot", "errorMessage": "out of filament"}}""";

    private static Message message(EventName event, String data) {
        return SharedApi.bean(EventMessages.class).of(event, JsonText.parse(data));
    }

    @Test
    void failedPrintNamesPrinterPartAndReason() {
        Message message = message(EventName.onJobFailed, FAILED);
        assertThat(message.title()).isEqualTo("Print failed");
        assertThat(message.text()).isEqualTo("lamp foot failed on Voron 3. Reason: out of filament.");
        assertThat(message.severity()).isEqualTo(Message.Severity.error);
        assertThat(message.link()).as("without gantry.public-url").isNull();
    }

    @Test
    void reasonOfTheEventWinsOverTheJobs() {
        Message message =
                message(EventName.onPrinterQuarantined, FAILED.replaceFirst("}$", ", \"reason\": \"3 failures!\"}"));
        assertThat(message.text()).isEqualTo("Voron 3 gets no more jobs. Reason: 3 failures!");
    }

    @Test
    void messageAboutAPartThatWasReadSaysWhatBecameOfItsPrint() {
        Message message = message(
                EventName.onPartProcessed,
                "{\"part\": {\"name\": \"vase\"}, \"reason\": \"The print could not be queued: width is too large\"}");
        assertThat(message.text()).isEqualTo("vase can be printed. The print could not be queued: width is too large.");
    }

    @Test
    void jobThatFailsBeforeItsAssignmentNamesNoPrinter() {
        Message message =
                message(EventName.onJobFailed, "{\"printer\": null, \"printJob\": {\"partName\": \"lamp foot\"}}");
        assertThat(message.text()).isEqualTo("lamp foot failed.");
    }

    @Test
    void orderIsNamedByItsNumber() {
        Message message = message(EventName.onOrderLate, "{\"order\": {\"id\": \"o1\", \"orderNumber\": \"1042\"}}");
        assertThat(message.text()).isEqualTo("Order 1042 is likely to miss its deadline.");
        assertThat(message.severity()).isEqualTo(Message.Severity.warning);
    }

    @ParameterizedTest
    @EnumSource
    void everyEventHasAMessageWithoutAnyData(EventName event) {
        Message message = message(event, "{\"printer\": null, \"printJob\": null}");
        assertThat(message.title()).isNotBlank();
        assertThat(message.text()).endsWith(".").doesNotContain("{", "null");
    }

    @Test
    void templateIsFilledOnceAndKeepsItsLines() {
        Message message = SharedApi.bean(EventMessages.class)
                .of(
                        EventName.onPrinterOffline,
                        JsonText.parse("{\"printer\": {\"name\": \"{part} $1 \\\\ 3\"}}"),
                        new MessageTemplate("{printer}", "{printer}\noffline {agent}{link}"));
        assertThat(message.title()).isEqualTo("{part} $1 \\ 3");
        assertThat(message.text()).isEqualTo("{part} $1 \\ 3\noffline");
        assertThat(message.severity()).isEqualTo(Message.Severity.warning);
    }

    @ParameterizedTest
    @EnumSource
    void templateOfWhichNothingRemainsIsReplacedByTheUsualText(EventName event) {
        JsonNode data = JsonText.parse("{\"printer\": null}");
        EventMessages messages = SharedApi.bean(EventMessages.class);
        assertThat(messages.of(event, data, new MessageTemplate("{printer}", " {part} {order}")))
                .isEqualTo(messages.of(event, data));
    }

    @Test
    void filledTemplateFitsIntoAMessage() {
        String name = "😀".repeat(300);
        Message message = SharedApi.bean(EventMessages.class)
                .of(
                        EventName.onPrinterOffline,
                        JsonText.parse("{\"printer\": {\"name\": \"" + name + "\"}}"),
                        new MessageTemplate("{printer}", "{printer}".repeat(9)));
        assertThat(message.title().codePointCount(0, message.title().length())).isEqualTo(200);
        assertThat(message.text().codePointCount(0, message.text().length())).isEqualTo(900);
    }

    @Test
    void digestListsTheMostSevereFirstAndFitsIntoAMessage() {
        List<Message> messages = new ArrayList<>();
        messages.add(message(EventName.onPrinterOnline, "{\"printer\": {\"name\": \"Voron\"}}"));
        for (int i = 0; i < 60; i++) {
            messages.add(message(EventName.onPrinterOffline, "{\"printer\": {\"name\": \"printer " + i + "\"}}"));
        }
        Message digest = SharedApi.bean(EventMessages.class).digest(messages);
        assertThat(digest.title()).isEqualTo("61 notifications during quiet hours");
        assertThat(digest.severity()).isEqualTo(Message.Severity.warning);
        assertThat(digest.text()).startsWith("printer 0 is unreachable.\n").hasSizeLessThan(1000);
        long listed = digest.text().lines().count() - 1;
        assertThat(digest.text()).endsWith(61 - listed + " more are in the log of the channel.");
    }

    @Test
    void longNamesAndLineBreaksAreShortened() {
        String text = message(
                        EventName.onPrinterOffline, "{\"printer\": {\"name\": \"" + "😀".repeat(400) + "\\nsecond\"}}")
                .text();
        assertThat(text).hasSizeLessThan(700).contains("…").doesNotContain("\n");
        assertThat(text.codePoints().filter(point -> point >= 0xD800 && point <= 0xDFFF))
                .as("halves of a character")
                .isEmpty();
    }

    @Test
    void messageLinksToThePageOfTheConsole() {
        try (ApplicationContext api = SharedApi.another(Map.of("gantry.public-url", "https://farm.example/"))) {
            EventMessages messages = api.getBean(EventMessages.class);
            assertThat(messages.of(EventName.onJobFailed, JsonText.parse(FAILED))
                            .link())
                    .isEqualTo("https://farm.example/console/printers/p1");
            assertThat(messages.of(EventName.onOrderLate, JsonText.parse("{\"order\": {\"id\": \"o1\"}}"))
                            .link())
                    .isEqualTo("https://farm.example/console/orders/o1");
            assertThat(messages.of(EventName.onQueuePaused, JsonText.parse("{}"))
                            .link())
                    .isEqualTo("https://farm.example/console");
        }
    }
}
