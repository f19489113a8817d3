package farm.gantry.api;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.printer.BedSize;
import farm.gantry.printer.Printer;
import io.micronaut.json.tree.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** Why a job is where it is, told by the rules that put it there. */
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
    default void everyPrinterIsExplainedInTheOrderOfTheChecks() {
        Floor floor = new Floor(Farm.newStore(), host());
        String fit = floor.printer("fit", "");
        String coarse = floor.printer("coarse", ", \"tags\": [\"draft\"]");
        String unready = floor.printer("unready", "");
        floor.client().patch("/v1/printers/confirm-ready", "{\"ids\":[\"" + unready + "\"],\"ready\":false}");
        String job = floor.job(", \"tags\": {\"user.tags\": \"|=fine|draft\"}");
        Answer checks = floor.client().get("/v1/print-jobs/" + job + "/matching-troubleshoot");
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
                        "slots-loaded",
                        "tags-match",
                        "material-match",
                        "filament-profiles",
                        "in-maintenance",
                        "throttled");
        assertThat(failed(checks, fit)).containsExactly("tags-match");
        assertThat(failed(checks, coarse)).isEmpty();
        assertThat(failed(checks, unready)).containsExactly("ready", "tags-match");
        Answer details = floor.client().get("/v1/print-jobs/" + job + "/matching-details");
        assertThat(details.at("details." + fit + ".matched")).isEqualTo(false);
        assertThat(details.at("details." + fit + ".reasonCode")).isEqualTo("tags-match");
        assertThat(String.valueOf(details.at("details." + fit + ".reason")))
                .contains("user.tags", "|=fine|draft", "none");
        assertThat(details.at("details." + coarse + ".matched")).isEqualTo(true);
        assertThat(details.at("details." + coarse + ".priority")).isEqualTo(1);
        assertThat(details.at("details." + unready + ".reasonCode")).isEqualTo("ready");
        floor.round();
        assertThat(floor.stored(job).at("assignedPrinterId")).isEqualTo(coarse);
        assertThat(floor.client()
                        .get("/v1/print-jobs/" + job + "/matching-details")
                        .at("details." + coarse + ".reasonCode"))
                .isEqualTo("assigned");
    }

    @Test
    default void aPrintTooLargeForTheBedIsSaid() {
        Floor floor = new Floor(Farm.newStore(), host());
        String printer = floor.printer("mini", "");
        floor.change(Printer.class, printer, Map.of("bedSize", new BedSize(180, 180, 180)));
        String part = ReadyParts.uploaded(floor.store(), floor.client());
        ReadyParts.change(floor.store(), part, "size", new BedSize(250, 210, 220));
        String job = floor.jobOf(part, "");
        floor.round();
        Answer details = floor.client().get("/v1/print-jobs/" + job + "/matching-details");
        assertThat(details.at("details." + printer + ".reasonCode")).isEqualTo("fits-volume");
        assertThat(String.valueOf(details.at("details." + printer + ".reason")))
                .contains("250 x 210 x 220 mm", "180 x 180 x 180 mm");
        floor.change(Printer.class, printer, Map.of("bedSize", new BedSize(300, 300, 300)));
        floor.round();
        assertThat(floor.stored(job).at("assignedPrinterId")).isEqualTo(printer);
    }

    @Test
    default void aJobOfAnotherStoreIsNotThere() {
        Floor floor = new Floor(Farm.newStore(), host());
        Client other = Client.of(host(), Farm.newStore().key());
        String job = floor.job("");
        assertThat(other.get("/v1/print-jobs/" + job + "/matching-details").status())
                .isEqualTo(404);
        assertThat(other.get("/v1/print-jobs/" + job + "/matching-troubleshoot").status())
                .isEqualTo(404);
    }
}
