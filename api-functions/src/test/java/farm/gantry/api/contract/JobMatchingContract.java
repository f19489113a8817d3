package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Uploads;
import farm.gantry.part.Toolpath;
import farm.gantry.printer.BedSize;
import farm.gantry.printer.Printer;
import io.micronaut.json.tree.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** Tests the explanation why a job waits or is on its printer. */
public interface JobMatchingContract {
    Host host();

    private static List<String> failed(Answer troubleshooting, String printer) {
        JsonNode checks = troubleshooting.json().get("printers").get(printer);
        return StreamSupport.stream(checks.values().spliterator(), false)
                .filter(check -> Boolean.FALSE.equals(Answer.at(check, "passed")))
                .map(check -> String.valueOf(Answer.at(check, "code")))
                .toList();
    }

    @Test
    default void explanationListsPrintersInTheOrderOfChecks() {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        String fit = fakeAgent.printer("fit", "");
        String coarse = fakeAgent.printer("coarse", ", \"tags\": [\"draft\"]");
        String unready = fakeAgent.printer("unready", "");
        fakeAgent.client().patch("/v1/printers/confirm-ready", "{\"ids\":[\"" + unready + "\"],\"ready\":false}");
        String job = fakeAgent.job(", \"tags\": {\"user.tags\": \"|=fine|draft\"}");
        Answer checks = fakeAgent.client().get("/v1/print-jobs/" + job + "/matching-troubleshoot");
        assertThat(checks.status()).as(checks.text()).isEqualTo(200);
        assertThat(checks.json().get("printers").get(fit).values())
                .extracting(check -> Answer.at(check, "code"))
                .containsExactly(
                        "enabled",
                        "online",
                        "state-known",
                        "available",
                        "ready",
                        "profiles-configured",
                        "model-match",
                        "nozzle-match",
                        "fits-volume",
                        "fits-area",
                        "temperature-limit",
                        "extrudes",
                        "slots-loaded",
                        "tags-match",
                        "material-match",
                        "material-insufficient",
                        "filament-profiles",
                        "in-maintenance",
                        "quarantined",
                        "failed-there",
                        "part-held",
                        "queue-paused",
                        "throttled");
        assertThat(failed(checks, fit)).containsExactly("tags-match");
        assertThat(failed(checks, coarse)).isEmpty();
        assertThat(failed(checks, unready)).containsExactly("ready", "tags-match");
        Answer details = fakeAgent.client().get("/v1/print-jobs/" + job + "/matching-details");
        assertThat(details.at("details." + fit + ".matched")).isEqualTo(false);
        assertThat(details.at("details." + fit + ".reasonCode")).isEqualTo("tags-match");
        assertThat(String.valueOf(details.at("details." + fit + ".reason")))
                .contains("user.tags", "|=fine|draft", "none");
        assertThat(details.at("details." + coarse + ".matched")).isEqualTo(true);
        assertThat(details.at("details." + coarse + ".priority")).isEqualTo(1);
        assertThat(details.at("details." + unready + ".reasonCode")).isEqualTo("ready");
        fakeAgent.round();
        assertThat(fakeAgent.stored(job).at("assignedPrinterId")).isEqualTo(coarse);
        assertThat(fakeAgent
                        .client()
                        .get("/v1/print-jobs/" + job + "/matching-details")
                        .at("details." + coarse + ".reasonCode"))
                .isEqualTo("assigned");
    }

    @Test
    default void buildSaysWhatItsFirstJobWaitsFor() {
        SharedApi.Store store = SharedApi.newStore();
        FakeAgent fakeAgent = new FakeAgent(store, host());
        String build = "{\"parts\":[{\"partId\":\"" + ReadyParts.uploaded(store, fakeAgent.client()) + "\"}]}";
        Answer none = fakeAgent.client().post("/v2/builds", build);
        assertThat(none.at("waitsFor.reasonCode")).as(none.text()).isEqualTo("no-printer");
        String printer = fakeAgent.printer("unready", "");
        fakeAgent.printer("draft", ", \"enabled\": false");
        fakeAgent.client().patch("/v1/printers/confirm-ready", "{\"ids\":[\"" + printer + "\"],\"ready\":false}");
        Answer unready = fakeAgent.client().post("/v2/builds", build);
        assertThat(unready.at("waitsFor.reasonCode")).as(unready.text()).isEqualTo("ready");
        assertThat(unready.at("waitsFor.printerId")).isEqualTo(printer);
        assertThat(unready.at("waitsFor.printerName")).isEqualTo("unready");
        assertThat(unready.at("waitsFor.printJobId"))
                .isEqualTo(fakeAgent
                        .client()
                        .get("/v1/print-jobs?partBuildId=" + unready.at("partBuilds[0].id"))
                        .each("id")
                        .getFirst());
        assertThat(fakeAgent
                        .client()
                        .permitted("job.create")
                        .post("/v2/builds", build)
                        .at("waitsFor"))
                .isNull();
        fakeAgent.client().patch("/v1/printers/confirm-ready", "{\"ids\":[\"" + printer + "\"],\"ready\":true}");
        assertThat(fakeAgent.client().post("/v2/builds", build).at("waitsFor")).isNull();
    }

    @Test
    default void printTooLargeForTheBedIsReported() {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        String printer = fakeAgent.printer("mini", "");
        fakeAgent.change(Printer.class, printer, Map.of("bedSize", new BedSize(180, 180, 180)));
        String part = ReadyParts.uploaded(fakeAgent.store(), fakeAgent.client());
        ReadyParts.change(fakeAgent.store(), part, "size", new BedSize(250, 210, 220));
        String job = fakeAgent.jobOf(part, "");
        fakeAgent.round();
        Answer details = fakeAgent.client().get("/v1/print-jobs/" + job + "/matching-details");
        assertThat(details.at("details." + printer + ".reasonCode")).isEqualTo("fits-volume");
        assertThat(String.valueOf(details.at("details." + printer + ".reason")))
                .contains("250 x 210 x 220 mm", "180 x 180 x 180 mm");
        fakeAgent.change(Printer.class, printer, Map.of("bedSize", new BedSize(300, 300, 300)));
        fakeAgent.round();
        assertThat(fakeAgent.stored(job).at("assignedPrinterId")).isEqualTo(printer);
    }

    @Test
    default void gcodeBeyondTheBedIsRejectedWithItsPosition() {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        String printer = fakeAgent.printer("ender", "");
        fakeAgent.change(Printer.class, printer, Map.of("bedSize", new BedSize(225, 225, 250)));
        String part = ReadyParts.uploaded(fakeAgent.store(), fakeAgent.client());
        ReadyParts.change(
                fakeAgent.store(), part, "toolpath", new Toolpath(300.0, 300.0, 309.0, 309.0, 210.0, 60.0, true));
        String job = fakeAgent.jobOf(part, "");
        fakeAgent.round();
        Answer details = fakeAgent.client().get("/v1/print-jobs/" + job + "/matching-details");
        assertThat(details.at("details." + printer + ".reasonCode")).isEqualTo("fits-area");
        assertThat(String.valueOf(details.at("details." + printer + ".reason"))).contains("X 300 to 309", "X 0 to 225");
        fakeAgent.client().patch("/v1/settings/store", "{\"allowCheckOverride\":true}");
        String named = fakeAgent.jobOf(part, ",\"tags\":{\"printer.id\":\"" + printer + "\"}");
        fakeAgent.round();
        assertThat(fakeAgent.stored(job).at("assignedPrinterId")).isNull();
        assertThat(fakeAgent.stored(named).at("assignedPrinterId")).isEqualTo(printer);
    }

    @Test
    default void jobOfAnotherStoreIsNotFound() {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        Client other = Client.of(host(), SharedApi.newStore().key());
        String job = fakeAgent.job("");
        assertThat(other.get("/v1/print-jobs/" + job + "/matching-details").status())
                .isEqualTo(404);
        assertThat(other.get("/v1/print-jobs/" + job + "/matching-troubleshoot").status())
                .isEqualTo(404);
    }

    /** Matching a build before it is queued gives the same result as matching its queued jobs. */
    @Test
    default void buildMatchesAsItsQueuedJobsDo() {
        SharedApi.Store store = SharedApi.newStore();
        FakeAgent fakeAgent = new FakeAgent(store, host());
        Client client = fakeAgent.client();
        List<String> printers = List.of(
                fakeAgent.printer("fit", ", \"tags\": [\"fine\"]"),
                fakeAgent.printer("coarse", ", \"nozzleDiameter\": \"0.8\""),
                fakeAgent.printer("unready", ", \"tags\": [\"fine\"]"));
        client.patch("/v1/printers/confirm-ready", "{\"ids\":[\"" + printers.get(2) + "\"],\"ready\":false}");
        String free = "{\"ids\":[\"" + printers.get(0) + "\"],\"enabled\":";
        client.patch("/v1/printers/enabled", free + "false}"); // or it takes a job, and matches no more
        String project = ReadyParts.project(store, client, "3mf", "");
        String mesh = client.made("/v1/parts", new Uploads(client).part("a.stl", "stl", ""));
        ReadyParts.change(store, mesh, "processingStatus", null);
        ReadyParts.change(store, mesh, "size", new BedSize(500, 10, 10));
        for (String wish : List.of(
                "{\"partId\":\"" + project + "\"}",
                "{\"partId\":\"" + project + "\",\"materials\":{\"0\":[{\"materialType\":\"PETG\"}]},"
                        + "\"tags\":{\"user.tags\":\"fine\"},\"plateQuantities\":{\"3\":1}}",
                "{\"partId\":\"" + mesh + "\",\"quantity\":3}")) {
            String body = "{\"parts\":[" + wish + "]}";
            Answer before = client.post("/v2/builds/matching", body);
            assertThat(before.status()).as(before.text()).isEqualTo(201);
            assertThat(client.get("/v1/print-jobs?status=Pending").text()).isEqualTo("[]");
            String build = String.valueOf(client.post("/v2/builds", body).at("partBuilds[0].id"));
            List<String> jobs = client.get("/v1/print-jobs?sort=queueOrder&partBuildId=" + build)
                    .each("id");
            for (int i = 0; i < before.json().get("plates").size(); i++) {
                Answer after = client.get("/v1/print-jobs/" + jobs.get(i) + "/matching-troubleshoot");
                JsonNode found = before.json().get("plates").get(i).get("printers");
                for (String printer : printers) {
                    assertThat(StreamSupport.stream(found.get(printer).values().spliterator(), false)
                                    .map(check -> String.valueOf(Answer.at(check, "code"))))
                            .as("%s at %s", wish, printer)
                            .isEqualTo(failed(after, printer));
                }
            }
            client.patch("/v1/print-jobs/cancel", "{\"printJobIds\":[\"" + String.join("\",\"", jobs) + "\"]}");
        }
        client.patch("/v1/printers/enabled", free + "true}");
        Answer able = client.post(
                "/v2/builds/matching", "{\"parts\":[{\"partId\":\"" + ReadyParts.uploaded(store, client) + "\"}]}");
        assertThat(able.json()
                        .get("plates")
                        .get(0)
                        .get("printers")
                        .get(printers.get(0))
                        .size())
                .isZero();
        Answer unknown =
                client.post("/v2/builds/matching", "{\"parts\":[{\"partId\":\"" + SharedApi.unknownId() + "\"}]}");
        assertThat(BuildContract.paths(unknown)).containsExactly("parts[0].partId");
    }
}
