package farm.gantry.api.printer.readiness;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import farm.gantry.api.database.Database;
import farm.gantry.api.database.schema.RestoredDatabase;
import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import farm.gantry.printer.BedSize;
import farm.gantry.printer.Printer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that nothing is printed on a used bed, or on a printer for which the file was not made. */
final class PrinterReadinessTest {
    private final SharedApi.Store store = SharedApi.newStore();
    private final FakeAgent fakeAgent = new FakeAgent(store, new Socket());

    private void shows(String printer, String status, @Nullable String file, int prints) {
        fakeAgent.exchange(List.of(), List.of(), List.of(fakeAgent.report(printer, status, file, null, prints)));
    }

    private @Nullable Object ready(String printer) {
        return fakeAgent.stateOf(printer).at("confirmedReady");
    }

    private void happened(String printer, String kind) {
        fakeAgent.exchange(List.of(fakeAgent.event(printer, kind, Map.of("message", "by hand"))), List.of(), List.of());
    }

    @ParameterizedTest
    @CsvSource({"printing, printing", "preparing, printing", "paused, paused", "unknown, state_unknown", "error, error"
    })
    void bedOfANonIdlePrinterCannotBeConfirmed(String status, String code) {
        String busy = fakeAgent.printer("busy", "");
        String still = fakeAgent.printer("still", "");
        happened(busy, "printerChanged");
        happened(still, "printerChanged");
        shows(busy, status, "benchy.gcode", 1);
        Answer refused = fakeAgent
                .client()
                .patch("/v1/printers/confirm-ready", "{\"ids\":[\"" + still + "\",\"" + busy + "\"],\"ready\":true}");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.at("error")).isEqualTo("conflict");
        assertThat(refused.at("details[0].path")).isEqualTo("ids[1]");
        assertThat(refused.at("details[0].code")).isEqualTo(code);
        assertThat(String.valueOf(refused.at("details[0].message"))).contains(busy, "busy");
        assertThat(refused.at("details[1]")).isEqualTo("(absent)");
        assertThat(ready(still)).isEqualTo(false);
        assertThat(fakeAgent.confirm(still).status()).isEqualTo(200);
        assertThat(ready(still)).isEqualTo(true);
    }

    @ParameterizedTest
    @ValueSource(strings = {"idle", "finished", "failed", "cancelled"})
    void idlePrinterCanBeConfirmed(String status) {
        String printer = fakeAgent.printer("one", "");
        happened(printer, "printerChanged");
        shows(printer, status, "benchy.gcode", 1);
        assertThat(fakeAgent.confirm(printer).at("[0].confirmedReady")).isEqualTo(true);
    }

    @Test
    void printersWithJobsAreNotDeletedAndAreNamed() {
        String one = fakeAgent.printer("one", "");
        String two = fakeAgent.printer("two", "");
        String idle = fakeAgent.printer("idle", "");
        fakeAgent.job(",\"quantity\":2");
        fakeAgent.round();
        List<String> taken = Stream.of(one, two, idle)
                .filter(id -> fakeAgent.stateOf(id).at("printingJobId") != null)
                .toList();
        assertThat(taken).hasSize(2);
        Answer refused =
                fakeAgent.client().delete("/v1/printers", "[\"" + String.join("\",\"", one, two, idle) + "\"]");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(String.valueOf(refused.at("message"))).contains(taken);
        assertThat(fakeAgent.client().get("/v1/printers").each("id")).contains(one, two, idle);
    }

    @Test
    void printerWithAPossiblyRunningJobCannotBeConfirmed() {
        String printer = fakeAgent.printer("one", "");
        String job = fakeAgent.job("");
        fakeAgent.round();
        fakeAgent.client().patch("/v1/print-jobs/cancel", "{\"printJobIds\":[\"" + job + "\"]}");
        Answer refused = fakeAgent.confirm(printer);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(String.valueOf(refused.at("details[0].message"))).contains(job);
    }

    @Test
    void foreignPrintEndsReadinessAndBlocksConfirmation() {
        String printer = fakeAgent.printer("one", "");
        shows(printer, "printing", "benchy.gcode", 1);
        assertThat(ready(printer)).isEqualTo(false);
        assertThat(fakeAgent.confirm(printer).status()).isEqualTo(409);
        String job = fakeAgent.job("");
        shows(printer, "finished", "benchy.gcode", 1);
        happened(printer, "printerChanged");
        fakeAgent.round();
        assertThat(fakeAgent.status(job)).isEqualTo("Pending");
        fakeAgent.confirm(printer);
        fakeAgent.round();
        assertThat(fakeAgent.status(job)).isEqualTo("Sending-to-printer");
    }

    @Test
    void printSeenOnlyInThePrintCounterEndsReadiness() {
        String printer = fakeAgent.printer("one", "");
        shows(printer, "idle", null, 4);
        fakeAgent.confirm(printer);
        shows(printer, "idle", null, 4);
        assertThat(ready(printer)).isEqualTo(true);
        shows(printer, "idle", null, 5);
        assertThat(ready(printer)).isEqualTo(false);
    }

    @ParameterizedTest
    @CsvSource({"7, Sending-to-printer", "8, Pending"})
    void confirmationOfAnUnreachablePrinterHoldsWithoutAPrint(int prints, String status) {
        String printer = fakeAgent.printer("one", "");
        shows(printer, "finished", "a.gcode", 7);
        happened(printer, "printerChanged");
        happened(printer, "printerOffline");
        assertThat(fakeAgent.confirm(printer).status()).isEqualTo(200);
        String job = fakeAgent.job("");
        happened(printer, "printerOnline");
        fakeAgent.round();
        assertThat(fakeAgent.status(job)).as("before it was seen").isEqualTo("Pending");
        shows(printer, "finished", "a.gcode", prints);
        fakeAgent.round();
        assertThat(fakeAgent.status(job)).isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({"1, Sending-to-printer", "3, Pending"})
    void confirmationOfAnUnseenPrinterExpiresAfterThePossiblePrintTime(int minutes, String status) {
        String printer = fakeAgent.unseenPrinter("one", """
                "provider": "firmwareK", "extruder_count": 1, "nozzle_diameter": 0.4, "server_port": 7125,
                "host": "10.0.0.7\"""", "");
        assertThat(fakeAgent.confirm(printer).at("[0].confirmedReady")).isEqualTo(true);
        SharedApi.bean(Database.class)
                .in(
                        store.id(),
                        tx -> tx.update(
                                "update farm.printer set \"bedClearedAt\" = \"bedClearedAt\" - interval '" + minutes
                                        + " minutes' where id = ?",
                                printer));
        String job = fakeAgent.job("");
        happened(printer, "printerOnline");
        shows(printer, "idle", null, 3);
        fakeAgent.round();
        assertThat(fakeAgent.status(job)).isEqualTo(status);
    }

    @Test
    void startCarriesTheAcknowledgedSequence() {
        String printer = fakeAgent.printer("one", "");
        happened(printer, "printerOffline");
        happened(printer, "printerOnline");
        fakeAgent.job("");
        fakeAgent.round();
        assertThat(fakeAgent.exchange().at("commands[0].action.heardSequence")).isEqualTo(3);
    }

    @Test
    void rejectedJobReturnsToTheQueueAndItsPrinterBacksOff() {
        String printer = fakeAgent.printer("one", "");
        String job = fakeAgent.job("");
        fakeAgent.round();
        for (int minutes : List.of(5, 10, 20, 40, 60, 60)) {
            assertThat(fakeAgent.status(job)).isEqualTo("Sending-to-printer");
            Instant before = Instant.now();
            fakeAgent.happened(printer, "jobRefused", job);
            assertThat(ready(printer)).as("its bed is as it was").isEqualTo(true);
            fakeAgent.roundAt(before.plus(Duration.ofMinutes(minutes)).minusSeconds(1));
            assertThat(fakeAgent.status(job)).as("within %s minutes", minutes).isEqualTo("Pending");
            fakeAgent.roundAt(Instant.now().plus(Duration.ofMinutes(minutes)));
        }
        assertThat(fakeAgent.status(job)).isEqualTo("Sending-to-printer");
    }

    @Test
    void backoffEndsWhenThePrinterChangesOrIsConfirmed() {
        String printer = fakeAgent.printer("one", "");
        String job = fakeAgent.job("");
        fakeAgent.round();
        fakeAgent.happened(printer, "jobRefused", job);
        Answer checks = fakeAgent.client().get("/v1/print-jobs/" + job + "/matching-details");
        assertThat(checks.at("details." + printer + ".reasonCode")).isEqualTo("state-known");
        fakeAgent.exchange(List.of(), List.of(), List.of(fakeAgent.report(printer, "finished")));
        fakeAgent.round();
        assertThat(fakeAgent.status(job)).isEqualTo("Sending-to-printer");
        fakeAgent.happened(printer, "jobRefused", job);
        fakeAgent.round();
        assertThat(fakeAgent.status(job)).isEqualTo("Pending");
        fakeAgent.confirm(printer);
        fakeAgent.round();
        assertThat(fakeAgent.status(job)).isEqualTo("Sending-to-printer");
        assertThat(fakeAgent.stored(job).at("attempt")).isEqualTo(3);
    }

    @Test
    void queuedJobKeepsTheRejectionReasonUntilReassigned() {
        String printer = fakeAgent.printer("one", "");
        String job = fakeAgent.job("");
        fakeAgent.round();
        fakeAgent.exchange(
                List.of(fakeAgent.event(
                        printer, "jobRefused", Map.of("jobId", job, "attempt", 1, "message", "the disk is full"))),
                List.of(),
                List.of());
        assertThat(fakeAgent.status(job)).isEqualTo("Pending");
        assertThat(fakeAgent.stored(job).at("errorMessage")).isEqualTo("the disk is full");
        fakeAgent.confirm(printer);
        fakeAgent.round();
        assertThat(fakeAgent.stored(job).at("errorMessage")).isNull();
        fakeAgent.happened(printer, "jobNotBegun", job);
        assertThat(fakeAgent.stored(job).at("errorMessage")).isEqualTo("the print did not begin");
    }

    @Test
    void startedPrintKeepsItsPrinterDespiteARejection() {
        String printer = fakeAgent.printer("one", "");
        String job = fakeAgent.job("");
        fakeAgent.round();
        fakeAgent.happened(printer, "jobStarted", job);
        fakeAgent.happened(printer, "jobRefused", job);
        assertThat(fakeAgent.status(job)).isEqualTo("Printing");
        assertThat(fakeAgent.stateOf(printer).at("printingJobId")).isEqualTo(job);
    }

    @Test
    void lostStartIsRetriedOnce() {
        String printer = fakeAgent.printer("one", "");
        String job = fakeAgent.job("");
        fakeAgent.round();
        fakeAgent.happened(printer, "jobNotBegun", job);
        assertThat(fakeAgent.status(job)).isEqualTo("Pending");
        fakeAgent.round();
        assertThat(fakeAgent.status(job)).isEqualTo("Sending-to-printer");
        fakeAgent.happened(printer, "jobNotBegun", job);
        assertThat(fakeAgent.status(job)).isEqualTo("Failed");
        assertThat(ready(printer)).isEqualTo(false);
    }

    @ParameterizedTest
    @ValueSource(strings = {"unknown", "error"})
    void printerWithAnErrorIsNotAvailable(String status) {
        String printer = fakeAgent.printer("one", "");
        shows(printer, status, null, 0);
        assertThat(fakeAgent.stateOf(printer).at("isAvailable")).isEqualTo(false);
        String job = fakeAgent.job("");
        fakeAgent.round();
        assertThat(fakeAgent.status(job)).isEqualTo("Pending");
        shows(printer, "idle", null, 0);
        assertThat(fakeAgent.stateOf(printer).at("isAvailable")).isEqualTo(true);
        fakeAgent.round();
        assertThat(fakeAgent.status(job)).isEqualTo("Sending-to-printer");
    }

    @Test
    void continuousPrintingResumesOnlyFromAClearBed() {
        String clear = fakeAgent.printer("clear", ", \"modelName\": \"Trident\"");
        String inDoubt = fakeAgent.printer("in doubt", ", \"modelName\": \"Trident\"");
        fakeAgent.client().made("/v1/macros", """
                        {"name": "push", "type": "bed_clearing", "gcode": "G1 Y220",
                         "compatibilities": [{"vendorName": "Voron", "modelName": "Trident"}]}""");
        happened(clear, "printerError");
        happened(inDoubt, "printerChanged");
        fakeAgent
                .client()
                .patch(
                        "/v1/printers/continous-print",
                        "{\"ids\":[\"" + clear + "\",\"" + inDoubt + "\"],\"enabled\":true,\"jobLimit\":1}");
        assertThat(ready(clear)).isEqualTo(false);
        String job = fakeAgent.job("");
        String other = fakeAgent.job("");
        fakeAgent.round();
        assertThat(fakeAgent.stored(job).at("assignedPrinterId")).isEqualTo(clear);
        assertThat(fakeAgent.status(other)).isEqualTo("Pending");
    }

    @Test
    void replacedMachineHasAnUnconfirmedBed() {
        String printer = fakeAgent.printer("one", "");
        fakeAgent.client().patch("/v1/printers/" + printer, "{\"name\":\"other name\"}");
        assertThat(ready(printer)).isEqualTo(true);
        fakeAgent.client().patch("/v1/printers/" + printer, "{\"deviceId\":\"" + Id.next() + "\"}");
        assertThat(ready(printer)).isEqualTo(false);
    }

    private String madeFor(String type, String model, String sliced) {
        String part = ReadyParts.uploaded(store, fakeAgent.client());
        ReadyParts.change(store, part, "type", type);
        ReadyParts.change(
                store,
                part,
                "metadata",
                Map.of(
                        "filamentColors", List.of(),
                        "filamentType", List.of(),
                        "nozzleDiameter", "0.4",
                        "printerModel", model,
                        "profileCompat", Map.of("compatible", List.of(sliced), "safe", List.of(), "sliced", "")));
        return part;
    }

    private String reason(String part, String more, String printer) {
        String job = fakeAgent.jobOf(part, more);
        Answer details = fakeAgent.client().get("/v1/print-jobs/" + job + "/matching-details");
        return String.valueOf(details.at("details." + printer + ".reasonCode"));
    }

    @Test
    void fileGoesOnlyToItsPrinterModel() {
        String voron = fakeAgent.printer("voron", ", \"modelName\": \"Voron Trident 300\"");
        String mk4 = fakeAgent.printer("mk4", ", \"modelName\": \"Original Prusa MK4\"");
        String unnamed = fakeAgent.printer("unnamed", "");
        String part = madeFor("gcode", "MK4IS", "");
        assertThat(reason(part, "", mk4)).isEqualTo("matched");
        assertThat(reason(part, "", voron)).isEqualTo("model-match");
        assertThat(reason(part, "", unnamed)).isEqualTo("matched");
        assertThat(reason(part, ",\"tags\":{\"printer.modelName\":\"Voron Trident 300\"}", voron))
                .isEqualTo("matched");
        assertThat(reason(part, ",\"tags\":{\"printer.id\":\"|=" + voron + "|" + mk4 + "\"}", voron))
                .isEqualTo("model-match");
        assertThat(reason(madeFor("gcode", "My own machine", ""), "", voron)).isEqualTo("matched");
        assertThat(reason(madeFor("gcode", "MK4IS", "Voron Trident 300 0.4 nozzle"), "", voron))
                .isEqualTo("matched");
        fakeAgent.client().patch("/v1/settings/store", "{\"allowOtherModels\":true}");
        assertThat(reason(part, "", voron)).isEqualTo("matched");
    }

    @Test
    void restoredStoreHasUnconfirmedBedsAndAPausedQueue() {
        String printer = fakeAgent.printer("restored", "");
        FakeAgent other = new FakeAgent(SharedApi.newStore(), new Socket());
        String untouched = other.printer("another store's", "");
        int printers = SharedApi.bean(Database.class).in(store.id(), RestoredDatabase::markRestored);
        assertThat(printers).isEqualTo(1);
        assertThat(fakeAgent.client().get("/v1/queue").at("paused")).isEqualTo(true);
        assertThat(other.client().get("/v1/queue").at("paused")).isEqualTo(false);
        assertThat(fakeAgent.stateOf(printer).at("confirmedReady")).isEqualTo(false);
        assertThat(other.stateOf(untouched).at("confirmedReady")).isEqualTo(true);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"nozzleDiameter\": \"0.6\"", "\"modelName\": \"MK4\""})
    void jobWaitingToStartReturnsWhenItsPrinterIsReplaced(String change) {
        String printer = fakeAgent.printer("voron", ", \"modelName\": \"Voron Trident 300\"");
        fakeAgent.client().patch("/v1/settings/store", "{\"requireApproval\":true}");
        String job = fakeAgent.jobOf(madeFor("gcode", "Voron Trident 300", "Voron Trident 300"), "");
        fakeAgent.round();
        assertThat(fakeAgent.status(job)).isEqualTo("Waiting-for-approval");
        Answer changed = fakeAgent.client().patch("/v1/printers/" + printer, "{" + change + "}");
        assertThat(changed.status()).as(changed.text()).isEqualTo(200);
        fakeAgent.client().patch("/v1/print-jobs/approve", "{\"printJobIds\":[\"" + job + "\"]}");
        fakeAgent.round();
        assertThat(fakeAgent.status(job)).isEqualTo("Pending");
        assertThat(fakeAgent.stateOf(printer).at("printingJobId")).isNull();
    }

    @Test
    void vendorAArchiveAndOversizedPrintAreRejectedDespiteOverrides() {
        String voron = fakeAgent.printer("voron", ", \"modelName\": \"Voron Trident 300\"");
        String bambu = fakeAgent.printer("bambu", """
                "provider": "vendorA", "dev_access_code": "1", "dev_id": "2", "dev_model_name": "C12",
                "dev_product_name": "P1S", "name": "b", "nozzle_diameter": 0.4, "online": true, "print_status": "IDLE\"""", ", \"modelName\": \"P1S\"");
        fakeAgent.change(Printer.class, bambu, Map.of("bedSize", new BedSize(256, 256, 256)));
        fakeAgent.client().patch("/v1/settings/store", "{\"allowOtherModels\":true}");
        String part = madeFor("gcode3mf", "Bambu Lab P1S", "");
        assertThat(reason(part, "", bambu)).isEqualTo("matched");
        assertThat(reason(part, "", voron)).isEqualTo("model-match");
        assertThat(reason(part, ",\"tags\":{\"printer.id\":\"" + voron + "\"}", voron))
                .isEqualTo("model-match");
        ReadyParts.change(store, part, "size", new BedSize(300, 10, 10));
        assertThat(reason(part, ",\"tags\":{\"printer.id\":\"" + bambu + "\"}", bambu))
                .isEqualTo("fits-volume");
    }
}
