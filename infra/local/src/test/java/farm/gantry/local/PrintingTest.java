package farm.gantry.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests prints from the user's request to the printer's last status; each test has its own printers. */
@ExtendWith(SharedFarm.class)
@Execution(ExecutionMode.CONCURRENT)
class PrintingTest {
    private static final int SHORT = 60;

    private final Farm farm;

    PrintingTest(Farm farm) {
        this.farm = farm;
    }

    @Test
    void nextPrintWaitsUntilTheBedIsClear() throws Exception {
        try (FarmPrinter machine = farm.addPrinter("whole")) {
            String part = farm.readyGcode("whole", SHORT);
            machine.confirmBed();
            String job = farm.buildFor(machine, part);
            JsonNode done = farm.awaitJob(job, "Completed");
            assertThat(done.get("attempt").getIntValue()).isEqualTo(1);
            assertThat(done.get("actualSeconds").getIntValue()).isBetween(SHORT - 2, SHORT + 20);
            assertThat(done.get("heatingSeconds").getIntValue()).isBetween(0, 60);
            assertThat(done.get("pausedSeconds").getIntValue()).isZero();
            assertThat(FarmRequests.text(done, "startedAt"))
                    .isLessThanOrEqualTo(FarmRequests.text(done, "completedAt"));
            assertThat(machine.startedFiles()).singleElement().asString().contains(job);
            isWhollyOver(machine, done);
            assertThat(farm.contentType(FarmRequests.text(done, "thumbnailUri")))
                    .isEqualTo("image/png");

            String next = farm.buildFor(machine, part);
            assertThat(FarmRequests.text(farm.job(next), "status")).isEqualTo("Pending");
            machine.confirmBed();
            farm.awaitJob(next, "Completed");
            assertThat(machine.startedFiles()).hasSize(2);
        }
    }

    private void isWhollyOver(FarmPrinter machine, JsonNode job) throws IOException {
        JsonNode printer = machine.awaitPrinter("the printer is free", "isAvailable", true);
        assertThat(printer.get("printingJobId").isNull()).isTrue();
        assertThat(printer.get("lifetimeJobCount").getIntValue()).isEqualTo(1);
        assertThat(printer.get("confirmedReady").getBooleanValue()).isFalse();
        JsonNode build = farm.api().get("/v1/part-builds/" + FarmRequests.text(job, "partBuildId"));
        assertThat(FarmRequests.text(build, "status")).isEqualTo("success");
        String id = FarmRequests.text(job, "id");
        assertThat(FarmRequests.fieldValues(farm.api().get("/v1/print-history?id=" + id), "status"))
                .containsExactly("Completed");
        JsonNode page = farm.api().get("/v2/printers/" + machine.id() + "/print-history");
        assertThat(FarmRequests.fieldValues(page.get("data"), "id")).containsExactly(id);
        assertThat(page.get("meta").get("total").getIntValue()).isEqualTo(1);
    }

    @Test
    void cameraSnapshotIsShown() throws Exception {
        try (FarmPrinter machine = farm.addPrinter("seen")) {
            machine.awaitSnapshot();
        }
    }

    @Test
    void eachPlateOfASlicedProjectIsPrintedSeparately() throws Exception {
        try (FarmPrinter one = farm.addPrinter("plates 1", "plates");
                FarmPrinter other = farm.addPrinter("plates 2", "plates")) {
            String part = farm.readyPart("gcode3mf", PrintFiles.twoPlates(farm.createFolder(), "box"));
            one.confirmBed();
            other.confirmBed();
            List<String> jobs = farm.build(part, 1, Map.of("user.tags", "plates"));
            assertThat(jobs).hasSize(2);
            for (String job : jobs) {
                farm.awaitJob(job, "Completed");
            }
            assertThat(List.of(one.startedFiles().size(), other.startedFiles().size()))
                    .containsExactly(1, 1);
            assertThat(farm.job(jobs.getFirst()).get("filesToPrint"))
                    .isNotEqualTo(farm.job(jobs.getLast()).get("filesToPrint"));
        }
    }

    @Test
    void pauseResumeAndCancelReachThePrinterAndChangeTheJobStatus() throws Exception {
        try (FarmPrinter machine = farm.addPrinter("steered")) {
            String job = farm.buildFor(machine, farm.readyGcode("steered", PrintFiles.ENDLESS_SECONDS));
            machine.confirmBed();
            farm.awaitJob(job, "Printing");
            farm.controlJob("pause", job);
            farm.awaitJob(job, "Paused");
            machine.awaitState("the printer is paused", "status", "paused");
            farm.controlJob("resume", job);
            farm.awaitJob(job, "Printing");
            farm.controlJob("cancel", job);
            assertThat(FarmRequests.text(farm.job(job), "status")).isEqualTo("Cancelled");
            JsonNode printer = machine.awaitPrinter("the printer is free", "isAvailable", true);
            assertThat(printer.get("confirmedReady").getBooleanValue()).isFalse();
            machine.awaitState("the printer has stopped", "status", "cancelled");

            farm.controlJob("retry", job);
            machine.confirmBed();
            farm.awaitJob(job, "Printing");
            machine.press("cancel");
            JsonNode cancelled = farm.awaitJob(job, "Cancelled");
            assertThat(cancelled.get("attempt").getIntValue()).isEqualTo(2);
        }
    }

    @Test
    void failedPrintIsRetriedAsASecondAttempt() throws Exception {
        try (FarmPrinter machine = farm.addPrinter("failing")) {
            String job = farm.buildFor(machine, farm.readyGcode("failing", PrintFiles.ENDLESS_SECONDS));
            machine.confirmBed();
            farm.awaitJob(job, "Printing");
            machine.fail("print-error");
            JsonNode failed = farm.awaitJob(job, "Failed");
            assertThat(FarmRequests.text(failed, "errorMessage")).contains("not heating");
            assertThat(FarmRequests.text(
                            farm.api().get("/v1/part-builds/" + FarmRequests.text(failed, "partBuildId")), "status"))
                    .isEqualTo("error");
            farm.controlJob("retry", job);
            assertThat(FarmRequests.text(farm.job(job), "status")).isEqualTo("Pending");
            machine.confirmBed();
            farm.awaitJob(job, "Printing");
            machine.finish();
            JsonNode done = farm.awaitJob(job, "Completed");
            assertThat(done.get("attempt").getIntValue()).isEqualTo(2);
            assertThat(done.get("errorMessage").isNull()).isTrue();
            assertThat(machine.startedFiles()).hasSize(2);
        }
    }

    @Test
    void printerChangesAreVisibleWithinASecond() throws Exception {
        try (FarmPrinter machine = farm.addPrinter("watched")) {
            machine.confirmBed();
            String job = farm.buildFor(machine, farm.readyGcode("watched", PrintFiles.ENDLESS_SECONDS));
            farm.awaitJob(job, "Printing");
            List<Duration> delays = new ArrayList<>();
            Eventually.until(
                    "a change is seen so soon; the machine of the tests may be busy, but not each time",
                    () -> {
                        delays.add(delay(machine, "pause", "paused"));
                        delays.add(delay(machine, "resume", "printing"));
                        return Collections.min(delays).compareTo(Duration.ofSeconds(1)) < 0;
                    },
                    () -> delays);
            machine.press("pause");
            farm.awaitJob(job, "Paused");
            machine.press("cancel");
            farm.awaitJob(job, "Cancelled");
        }
    }

    private static Duration delay(FarmPrinter machine, String button, String status) {
        long begun = System.nanoTime();
        try {
            machine.press(button);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        machine.awaitState("the state is " + status, "status", status);
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    @Test
    void jobWithoutASuitablePrinterDoesNotBlockTheNext() throws Exception {
        try (FarmPrinter machine = farm.addPrinter("plain")) {
            String part = farm.readyGcode("unmet", SHORT);
            String unmet = farm.build(part, 1, Map.of("printer.id", machine.id(), "user.tags", "no printer has it"))
                    .getFirst();
            String next = farm.buildFor(machine, part);
            machine.confirmBed();
            farm.awaitJob(next, "Completed");
            JsonNode still = farm.job(unmet);
            assertThat(FarmRequests.text(still, "status")).isEqualTo("Pending");
            assertThat(still.get("attempt").getIntValue()).isEqualTo(1);
            farm.controlJob("cancel", unmet);
        }
    }

    @Test
    void twoPrintersShareABuildWithOneJobEachAtATime() throws Exception {
        try (FarmPrinter one = farm.addPrinter("pair 1", "pair");
                FarmPrinter other = farm.addPrinter("pair 2", "pair")) {
            List<String> jobs = farm.build(farm.readyGcode("pair", SHORT), 4, Map.of("user.tags", "pair"));
            List<String> doubled = new ArrayList<>();
            Eventually.until("all copies are printed", () -> allDone(jobs, List.of(one, other), doubled), () -> jobs);
            assertThat(doubled).as("printers with two jobs at once").isEmpty();
            assertThat(one.startedFiles().size() + other.startedFiles().size()).isEqualTo(4);
            assertThat(one.startedFiles()).isNotEmpty();
            assertThat(other.startedFiles()).isNotEmpty();
        }
    }

    /** Clears every bed that needs it, and records printers with more than one job. */
    private boolean allDone(List<String> jobs, List<FarmPrinter> machines, List<String> doubled) {
        try {
            for (FarmPrinter machine : machines) {
                JsonNode active = farm.api()
                        .get("/v1/print-jobs?assignedPrinterId=" + machine.id()
                                + "&status.in=Assigned,Ready-for-printer,Sending-to-printer,Printing,Paused");
                if (active.size() > 1) {
                    doubled.add(machine.id());
                }
                JsonNode printer = machine.printer();
                if (FarmRequests.is(printer, "isAvailable", true)
                        && FarmRequests.is(printer, "confirmedReady", false)) {
                    machine.confirmBed();
                }
            }
            JsonNode done = farm.api().get("/v1/print-history?id.in=" + String.join(",", jobs));
            return FarmRequests.fieldValues(done, "status")
                    .equals(List.of("Completed", "Completed", "Completed", "Completed"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void unreachablePrinterKeepsBedReadinessAndPrintsWhenOnlineAgain() throws Exception {
        try (FarmPrinter machine = farm.addPrinter("away")) {
            machine.confirmBed();
            machine.fail("offline");
            machine.awaitPrinter("the printer is out of reach", "isOnline", false);
            JsonNode state = machine.state();
            assertThat(FarmRequests.text(state, "connection")).isEqualTo("offline");
            assertThat(FarmRequests.text(state, "connectionReason")).isNotBlank();
            String job = farm.buildFor(machine, farm.readyGcode("away", SHORT));
            assertThat(FarmRequests.text(farm.job(job), "status")).isEqualTo("Pending");
            machine.recover();
            JsonNode printer = machine.awaitPrinter("the printer is back", "isOnline", true);
            assertThat(printer.get("continuousPrint").getBooleanValue()).isFalse();
            farm.awaitJob(job, "Completed");
            assertThat(machine.startedFiles()).hasSize(1);
        }
    }

    @Test
    void printContinuesWhileThePrinterIsUnreachable() throws Exception {
        try (FarmPrinter machine = farm.addPrinter("unseen")) {
            String part = farm.readyGcode("unseen", PrintFiles.ENDLESS_SECONDS);
            machine.confirmBed();
            String job = farm.buildFor(machine, part);
            farm.awaitJob(job, "Printing");
            machine.fail("offline");
            machine.awaitPrinter("the printer is lost", "isOnline", false);
            machine.recover();
            machine.awaitPrinter("the printer is found again", "isOnline", true);
            assertThat(FarmRequests.text(farm.job(job), "status")).isEqualTo("Printing");
            machine.fail("offline");
            machine.awaitPrinter("the printer is out of reach", "isOnline", false);
            machine.finish();
            machine.recover();
            JsonNode done = farm.awaitJob(job, "Completed");
            assertThat(done.get("attempt").getIntValue()).isEqualTo(1);
            assertThat(machine.startedFiles()).hasSize(1);
            assertThat(machine.awaitPrinter("the printer is free", "isAvailable", true)
                            .get("lifetimeJobCount")
                            .getIntValue())
                    .isEqualTo(1);
        }
    }

    @Test
    void printerRenamedDuringAPrintCompletesIt() throws Exception {
        try (FarmPrinter machine = farm.addPrinter("before")) {
            machine.confirmBed();
            String job = farm.buildFor(machine, farm.readyGcode("renamed", PrintFiles.ENDLESS_SECONDS));
            farm.awaitJob(job, "Printing");
            farm.api().patch("/v1/printers/" + machine.id(), Map.of("name", "after"));
            machine.finish();
            farm.awaitJob(job, "Completed");
            assertThat(machine.startedFiles()).hasSize(1);
            assertThat(machine.awaitPrinter("the printer is free", "isAvailable", true)
                            .get("lifetimeJobCount")
                            .getIntValue())
                    .isEqualTo(1);
        }
    }

    @Test
    void printersRegisteredConcurrentlyAllReportTheirStatus() throws Exception {
        List<String> ids = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<String>> many = Collections.nCopies(16, () -> farm.register("one of many", List.of(), 1));
            for (Future<String> registered : threads.invokeAll(many)) {
                ids.add(registered.get());
            }
        }
        Eventually.see(
                "the agent has told of all of them",
                () -> farm.api().get("/v1/printer-states?ids=" + String.join(",", ids)),
                PrintingTest::allTold);
        for (String id : ids) {
            farm.api().delete("/v1/printers/" + id);
        }
    }

    private static boolean allTold(JsonNode states) {
        return StreamSupport.stream(states.values().spliterator(), false)
                .map(each -> FarmRequests.text(each.get("state"), "connectionReason"))
                .noneMatch(reason -> reason.contains("not reported"));
    }

    @Test
    void twoStoresDoNotSeeEachOthersPrinters() throws Exception {
        try (FarmPrinter machine = farm.addPrinter("walled")) {
            FarmApiClient other = OperatorAccess.newStore(farm);
            assertThat(other.get("/v1/printers").size()).isZero();
            assertThatThrownBy(() -> other.get("/v1/printers/" + machine.id())).hasMessageContaining("404");
            assertThatThrownBy(() -> other.get("/v1/printers/" + machine.id() + "/state"))
                    .hasMessageContaining("404");
            assertThatThrownBy(() -> other.patch(
                            "/v1/printers/confirm-ready", Map.of("ids", List.of(machine.id()), "ready", true)))
                    .hasMessageContaining("404");
            assertThat(machine.printer().get("confirmedReady").getBooleanValue())
                    .isFalse();
        }
    }
}
