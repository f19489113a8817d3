package farm.gantry.api.homeassistant;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.apikey.WorkCallers;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.Tables;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.printer.Printer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests commands from Home Assistant, which may come late, twice, from a broker's memory, or from somebody else. */
final class HomeAssistantCommandsTest {
    private final SharedApi.Store store = SharedApi.newStore();
    private final FakeAgent agent = new FakeAgent(store, new Socket());
    private final HomeAssistantTopics topics = new HomeAssistantTopics(store.id(), "homeassistant");

    private HomeAssistantCommands.Outcome send(
            String key, String printer, HomeAssistantTopics.Command command, String payload, boolean retained) {
        return SharedApi.bean(HomeAssistantCommands.class)
                .execute(
                        () -> SharedApi.bean(WorkCallers.class).authenticate(key, "home-assistant"),
                        topics,
                        new HomeAssistantCommands.Message(
                                topics.command(printer, command), payload.getBytes(StandardCharsets.UTF_8), retained));
    }

    private HomeAssistantCommands.Outcome send(String printer, HomeAssistantTopics.Command command, String payload) {
        return send(store.key(), printer, command, payload, false);
    }

    private static String now() {
        return at(0);
    }

    private static String at(int secondsFromNow) {
        return ",\"at\":" + (Instant.now().toEpochMilli() / 1000.0 + secondsFromNow) + "}";
    }

    private PrinterDevice.Message shown(String printer) {
        return SharedApi.bean(Database.class)
                .in(
                        store.id(),
                        tx -> SharedApi.bean(PrinterDevices.class)
                                .find(
                                        tx,
                                        SharedApi.bean(Tables.class)
                                                .of(Printer.class)
                                                .find(tx, printer)
                                                .orElseThrow())
                                .message());
    }

    private String print(String printer) {
        return "{\"print\":\"" + shown(printer).print() + "\"";
    }

    private String bed(String printer) {
        return "{\"bedToken\":\"" + shown(printer).bedToken() + "\"";
    }

    /** Returns a job that the printer prints. */
    private String printing(String printer) {
        String job = agent.job("");
        agent.round();
        agent.happened(printer, "jobStarted", job);
        agent.exchange(List.of(), List.of(), List.of(agent.report(printer, "printing", "part.gcode", job, 1)));
        assertThat(agent.status(job)).isEqualTo("Printing");
        return job;
    }

    @Test
    void stopCancelsTheJobThatWasShownOnce() {
        String printer = agent.printer("Stop", "");
        String job = printing(printer);
        String press = print(printer) + now();
        assertThat(send(printer, HomeAssistantTopics.Command.STOP, press))
                .isEqualTo(HomeAssistantCommands.Outcome.DONE);
        assertThat(agent.status(job)).isEqualTo("Cancelled");
        assertThat(send(printer, HomeAssistantTopics.Command.STOP, press))
                .as("the same message again")
                .isEqualTo(HomeAssistantCommands.Outcome.IGNORED);
        assertThat(agent.exchange().text()).containsOnlyOnce("\"cancel\"");
    }

    @Test
    void pauseAndResumeReachTheAgent() {
        String printer = agent.printer("Pause", "");
        String job = printing(printer);
        assertThat(send(printer, HomeAssistantTopics.Command.RESUME, print(printer) + now()))
                .as("it is not paused")
                .isEqualTo(HomeAssistantCommands.Outcome.IGNORED);
        assertThat(send(printer, HomeAssistantTopics.Command.PAUSE, print(printer) + now()))
                .isEqualTo(HomeAssistantCommands.Outcome.DONE);
        assertThat(agent.exchange().text()).contains("\"pause\"", job);
        agent.happened(printer, "jobPaused", job);
        assertThat(send(printer, HomeAssistantTopics.Command.RESUME, print(printer) + now()))
                .isEqualTo(HomeAssistantCommands.Outcome.DONE);
        assertThat(agent.exchange().text()).contains("\"resume\"");
    }

    @Test
    void commandOfAnotherPrintOrPrinterIsIgnored() {
        String first = agent.printer("First", "");
        String second = agent.printer("Second", "");
        String job = printing(first);
        String meant = print(first);
        assertThat(send(second, HomeAssistantTopics.Command.STOP, meant + now()))
                .as("at the topic of another printer")
                .isEqualTo(HomeAssistantCommands.Outcome.IGNORED);
        agent.happened(first, "jobFailed", job);
        agent.client().patch("/v1/print-jobs/retry", "{\"printJobIds\":[\"" + job + "\"]}");
        assertThat(send(first, HomeAssistantTopics.Command.STOP, meant + now()))
                .as("the attempt is over")
                .isEqualTo(HomeAssistantCommands.Outcome.IGNORED);
        assertThat(agent.status(job)).isNotEqualTo("Cancelled");
    }

    @Test
    void lateRetainedAndMalformedCommandsAreIgnored() {
        String printer = agent.printer("Late", "");
        String job = printing(printer);
        String meant = print(printer);
        assertThat(send(printer, HomeAssistantTopics.Command.STOP, meant + at(-120)))
                .isEqualTo(HomeAssistantCommands.Outcome.IGNORED);
        assertThat(send(store.key(), printer, HomeAssistantTopics.Command.STOP, meant + now(), true))
                .isEqualTo(HomeAssistantCommands.Outcome.IGNORED);
        for (String malformed : List.of(
                "",
                "PRESS",
                "[]",
                "null",
                "{\"at\":\"now\"}",
                meant + "}",
                meant + ",\"at\":1e999}",
                "[".repeat(1000),
                meant + ",\"more\":\"" + "x".repeat(2000) + "\"" + now())) {
            assertThat(send(printer, HomeAssistantTopics.Command.STOP, malformed))
                    .as(malformed)
                    .isIn(HomeAssistantCommands.Outcome.INVALID, HomeAssistantCommands.Outcome.IGNORED);
        }
        assertThat(agent.status(job)).isEqualTo("Printing");
    }

    @Test
    void bedIsMarkedAsClearOnlyAsItWasShown() {
        String printer = agent.printer("Bed", "");
        String before = bed(printer);
        String job = printing(printer);
        String during = bed(printer);
        assertThat(send(printer, HomeAssistantTopics.Command.BED_CLEARED, during + now()))
                .as("it prints")
                .isEqualTo(HomeAssistantCommands.Outcome.REJECTED);
        agent.happened(printer, "jobCompleted", job);
        agent.exchange(List.of(), List.of(), List.of(agent.report(printer, "finished", "part.gcode", job, 1)));
        for (String old : List.of(before, during)) {
            assertThat(send(printer, HomeAssistantTopics.Command.BED_CLEARED, old + now()))
                    .as("another print was shown")
                    .isEqualTo(HomeAssistantCommands.Outcome.IGNORED);
        }
        assertThat(agent.stateOf(printer).at("confirmedReady")).isEqualTo(false);
        assertThat(send(printer, HomeAssistantTopics.Command.BED_CLEARED, bed(printer) + now()))
                .isEqualTo(HomeAssistantCommands.Outcome.DONE);
        assertThat(agent.stateOf(printer).at("confirmedReady")).isEqualTo(true);
    }

    @Test
    void lightIsSwitchedOnceByOneMessage() {
        String printer = agent.printer("Light", "");
        String on = "{\"light\":\"on\"" + now();
        assertThat(send(printer, HomeAssistantTopics.Command.LIGHT, on)).isEqualTo(HomeAssistantCommands.Outcome.DONE);
        assertThat(send(printer, HomeAssistantTopics.Command.LIGHT, on))
                .isEqualTo(HomeAssistantCommands.Outcome.IGNORED);
        assertThat(send(printer, HomeAssistantTopics.Command.LIGHT, "{\"light\":\"off\"" + at(-30)))
                .as("a message that was sent before")
                .isEqualTo(HomeAssistantCommands.Outcome.IGNORED);
        assertThat(send(printer, HomeAssistantTopics.Command.LIGHT, on))
                .as("the same message after an older one")
                .isEqualTo(HomeAssistantCommands.Outcome.IGNORED);
        assertThat(agent.exchange().text()).containsOnlyOnce("led-control");
        assertThat(send(printer, HomeAssistantTopics.Command.LIGHT, "{\"light\":\"bright\"" + now()))
                .isEqualTo(HomeAssistantCommands.Outcome.INVALID);
    }

    @Test
    void commandNeedsThePermissionOfItsOperation() {
        String printer = agent.printer("Key", "");
        String job = printing(printer);
        String viewer = String.valueOf(agent.client()
                .post("/v1/api-keys", "{\"name\":\"viewer\",\"permissions\":[\"printer.view\",\"queue.view\"]}")
                .at("key"));
        for (HomeAssistantTopics.Command command : HomeAssistantTopics.Command.values()) {
            assertThat(send(viewer, printer, command, print(printer) + ",\"light\":\"on\"" + now(), false))
                    .as(command.name())
                    .isEqualTo(HomeAssistantCommands.Outcome.REJECTED);
        }
        SharedApi.Store other = SharedApi.newStore();
        assertThat(send(other.key(), printer, HomeAssistantTopics.Command.STOP, print(printer) + now(), false))
                .as("a key of another store")
                .isEqualTo(HomeAssistantCommands.Outcome.IGNORED);
        assertThat(agent.status(job)).isEqualTo("Printing");
    }
}
