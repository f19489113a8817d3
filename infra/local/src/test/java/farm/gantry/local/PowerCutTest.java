package farm.gantry.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Tests power cuts and broken connections in a farm of its own. The simulated printers keep running, as real ones
 * would.
 */
@Isolated("two farms at once are more than a small machine can carry")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("full")
@Tag("long")
class PowerCutTest {
    private static final int SHORT = 60;

    private final Farm farm = Farm.start(Map.of(
            "gantry.agents.long-poll-timeout",
            "2s",
            "gantry.agents.offline-timeout",
            "30s",
            "gantry.agents.offline-check-interval",
            "1s"));

    @AfterAll
    void close() throws IOException {
        farm.close();
    }

    @Test
    void partsAreIngestedOnceAndPrintsCompleteWhenTheApiCrashes() throws Exception {
        try (FarmPrinter machine = farm.addPrinter("survivor")) {
            farm.restartApi("requested");
            makeAndDie(
                    "gcode3mf",
                    PrintFiles.twoPlates(farm.createFolder(), "first", PrintFiles.ENDLESS_SECONDS / 60),
                    "requested");
            for (String point : List.of("relayed", "fetch", "read-metadata", "thumbnails", "split-plates")) {
                farm.startDyingApi(point);
            }
            farm.restartApi("");
            String first = readOnce("first.gcode.3mf");

            farm.restartApi("estimate");
            machine.confirmBed();
            String job =
                    farm.build(first, 1, Map.of("printer.id", machine.id())).getFirst();
            farm.awaitJob(job, "Printing");
            makeAndDie("gcode", PrintFiles.gcode(farm.createFolder(), "second", SHORT), "estimate");
            machine.finishAndAwaitJournal();
            Instant over = Instant.now();
            farm.restartApi("");
            JsonNode done = farm.awaitJob(job, "Completed");
            assertThat(Instant.parse(FarmRequests.text(done, "completedAt"))).isBefore(over);
            assertThat(machine.startedFiles()).hasSize(1);
            JsonNode printer = machine.awaitPrinter("the printer is free", "isAvailable", true);
            assertThat(printer.get("lifetimeJobCount").getIntValue()).isEqualTo(1);
            readOnce("second.gcode");
        }
    }

    private String readOnce(String name) throws IOException {
        JsonNode parts = farm.api().get("/v1/parts?name=" + name);
        assertThat(parts.size()).isEqualTo(1);
        JsonNode part = farm.awaitReady(FarmRequests.text(parts.get(0), "id"));
        assertThat(part.get("processing").get("attempt").getIntValue()).isEqualTo(1);
        assertThat(FarmRequests.fieldValues(part.get("processing").get("stages"), "status"))
                .doesNotContain("running", "failed");
        return FarmRequests.text(part, "id");
    }

    private void makeAndDie(String type, Path file, String at) throws IOException {
        String path = farm.api().upload(file);
        Map<String, Object> part =
                Map.of("name", file.getFileName().toString(), "type", type, "fileUris", List.of(path));
        try {
            farm.api().post("/v1/parts", part);
        } catch (IOException e) {
            // the API died before it responded
        }
        farm.awaitDeathOfApi(at);
    }

    @Test
    void printIsStartedOnceAndCompletedWhenTheAgentCrashesAtEachStep() throws Exception {
        try (FarmPrinter machine = farm.addPrinter("stubborn")) {
            String part = farm.readyGcode("stubborn", PrintFiles.ENDLESS_SECONDS);
            farm.restartAgent("taken");
            machine.confirmBed();
            String job = farm.buildFor(machine, part);
            farm.awaitDeathOfAgent("taken");
            for (String step : List.of("downloaded", "uploaded", "start_answered", "started")) {
                farm.restartAgent(step);
                farm.awaitDeathOfAgent(step);
            }
            farm.restartAgent("ended");
            machine.finish();
            farm.awaitDeathOfAgent("ended");
            farm.restartAgent("");
            JsonNode done = farm.awaitJob(job, "Completed");
            assertThat(done.get("attempt").getIntValue()).isEqualTo(1);
            assertThat(machine.startedFiles()).hasSize(1);
            assertThat(FarmRequests.text(done, "startedAt"))
                    .isLessThanOrEqualTo(FarmRequests.text(done, "completedAt"));
            JsonNode printer = machine.awaitPrinter("the printer is free", "isAvailable", true);
            assertThat(printer.get("lifetimeJobCount").getIntValue()).isEqualTo(1);
        }
    }

    /** The printer's record shows that nothing began, so its bed stays clear. */
    @Test
    void unstartedPrintReturnsToTheQueueAndIsStartedOnce() throws Exception {
        try (FarmPrinter machine = farm.addPrinter("doubtful")) {
            String part = farm.readyGcode("doubtful", SHORT);
            farm.restartAgent("start_sent");
            machine.confirmBed();
            String job = farm.buildFor(machine, part);
            farm.awaitDeathOfAgent("start_sent");
            assertThat(machine.startedFiles()).isEmpty();
            farm.restartAgent("");
            assertThat(farm.awaitJob(job, "Completed").get("attempt").getIntValue())
                    .isEqualTo(2);
            assertThat(machine.startedFiles()).hasSize(1);
        }
    }

    @Test
    void printThatEndsWhileTheAgentIsDownIsCompletedAfterItsRestart() throws Exception {
        try (FarmPrinter machine = farm.addPrinter("orphan")) {
            String part = farm.readyGcode("orphan", PrintFiles.ENDLESS_SECONDS);
            farm.restartAgent("started");
            machine.confirmBed();
            String job = farm.buildFor(machine, part);
            farm.awaitDeathOfAgent("started");
            machine.finish();
            farm.restartAgent("");
            farm.awaitJob(job, "Completed");
            assertThat(machine.startedFiles()).hasSize(1);
        }
    }

    @Test
    void brokenConnectionLosesNoEventsAndKeepsBedReadiness() throws Exception {
        try (FarmPrinter machine = farm.addPrinter("far away")) {
            String part = farm.readyGcode("far away", PrintFiles.ENDLESS_SECONDS);
            machine.confirmBed();
            String printing = farm.buildFor(machine, part);
            farm.awaitJob(printing, "Printing");
            farm.network().cut();
            machine.finishAndAwaitJournal();
            machine.awaitPrinter("the agent is lost", "isOnline", false);
            assertThat(FarmRequests.text(farm.job(printing), "status")).isEqualTo("Printing");
            Instant mended = Instant.now();
            farm.network().restore();
            JsonNode done = farm.awaitJob(printing, "Completed");
            assertThat(Instant.parse(FarmRequests.text(done, "completedAt"))).isBefore(mended);
            machine.awaitPrinter("the agent is back", "isOnline", true);

            String cancelled = farm.buildFor(machine, part);
            farm.network().cut();
            machine.confirmBed();
            farm.awaitJob(cancelled, "Sending-to-printer");
            farm.controlJob("cancel", cancelled);
            farm.network().restore();
            JsonNode printer = machine.awaitPrinter("the printer is free", "isAvailable", true);
            assertThat(printer.get("lifetimeJobCount").getIntValue()).isEqualTo(1);
            assertThat(FarmRequests.text(farm.job(cancelled), "status")).isEqualTo("Cancelled");
            assertThat(machine.startedFiles()).hasSize(1);

            machine.confirmBed();
            farm.network().cut();
            machine.awaitPrinter("the agent is lost", "isOnline", false);
            String waiting = farm.buildFor(machine, part);
            assertThat(FarmRequests.text(farm.job(waiting), "status")).isEqualTo("Pending");
            assertThat(machine.printer().get("confirmedReady").getBooleanValue())
                    .isTrue();
            farm.network().restore();
            farm.awaitJob(waiting, "Printing");
            machine.finish();
            farm.awaitJob(waiting, "Completed");
            assertThat(machine.startedFiles()).hasSize(2);
        }
    }
}
