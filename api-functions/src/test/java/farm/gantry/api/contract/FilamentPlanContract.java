package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.ReadyParts;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.job.PrintJob;
import farm.gantry.part.Part;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests which spools are to be loaded into which slots, and which are to be bought. */
public interface FilamentPlanContract {
    Host host();

    private static String variant(Client client, String material, String name) {
        return client.made("/v1/materials/variants", "{\"name\":\"" + name + "\",\"materialId\":\"" + material + "\"}");
    }

    private static String spool(Client client, String variant, int grams) {
        return client.made(
                "/v1/materials/instances", "{\"variantId\":\"" + variant + "\",\"remainingGrams\":" + grams + "}");
    }

    private static String material(Client client) {
        return client.made("/v1/materials", "{\"name\":\"Basic\",\"brand\":\"b\",\"type\":\"PLA\",\"tags\":[]}");
    }

    private static void load(Client client, String printer, int slot, String spool) {
        client.patch(
                "/v1/printer-slots/assign",
                "{\"printerIds\":[\"" + printer + "\"],\"slots\":[{\"amsIndex\":0,\"slotIndex\":" + slot
                        + "}],\"instanceId\":\"" + spool + "\"}");
    }

    @Test
    default void spoolsAreLoadedAfterLoadedFilamentIsUsedAndMissingOnesAreBought() {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        Client client = fakeAgent.client();
        String printer = fakeAgent.printer("Left", "");
        String material = material(client);
        String red = variant(client, material, "red");
        String blue = variant(client, material, "blue");
        String green = variant(client, material, "green");
        String loaded = spool(client, red, 500);
        String shelved = spool(client, blue, 90);
        load(client, printer, 1, loaded);
        String part = ReadyParts.uploaded(fakeAgent.store(), client);
        ReadyParts.change(fakeAgent.store(), part, "slicingEstimate", ReadyParts.estimate("PLA", 40));
        String wish = ",\"materials\":{\"0\":[{\"variantId\":\"%s\"}]}";
        String first = fakeAgent.jobOf(part, wish.formatted(blue));
        fakeAgent.jobOf(part, wish.formatted(red));
        String third = fakeAgent.jobOf(part, wish.formatted(blue));
        String last = fakeAgent.jobOf(part, wish.formatted(green));
        Answer plan = client.get("/v1/plan/filament");
        assertThat(plan.status()).as(plan.text()).isEqualTo(200);
        assertThat(plan.at("jobs")).isEqualTo(4);
        assertThat(plan.at("loads[0].printerName")).isEqualTo("Left");
        assertThat(plan.at("loads[0].slot")).isEqualTo("A2");
        assertThat(plan.at("loads[0].instanceId")).isEqualTo(shelved);
        assertThat(plan.at("loads[0].name")).isEqualTo("Basic blue");
        assertThat(plan.at("loads[0].replacedInstanceId")).isEqualTo(loaded);
        assertThat(plan.at("loads[0].jobIds[0]")).isEqualTo(first);
        assertThat(plan.at("loads[0].jobIds[1]")).isEqualTo(third);
        assertThat(plan.at("loads[1].instanceId")).as("no such spool").isNull();
        assertThat(plan.at("loads[1].variantId")).isEqualTo(green);
        assertThat(plan.at("loads[1].jobIds[0]")).isEqualTo(last);
        assertThat(plan.json().get("loads").size()).isEqualTo(2);

        Answer buy = client.get("/v1/plan/buy?days=0");
        assertThat(buy.status()).as(buy.text()).isEqualTo(200);
        assertThat(buy.at("lines[0].variantId")).isEqualTo(green);
        assertThat(buy.at("lines[0].lackingGrams")).hasToString("40");
        assertThat(buy.at("lines[1].lackingGrams")).hasToString("0");
        fakeAgent.round();
        String printing = fakeAgent
                .client()
                .get("/v1/print-jobs?assignedPrinterId=" + printer)
                .each("id")
                .getFirst();
        fakeAgent.happened(printer, "jobStarted", printing);
        fakeAgent.happened(printer, "jobCompleted", printing);
        Answer used = client.get("/v1/plan/buy?days=98");
        assertThat(used.at("lines[0].variantId")).as("40 g in a week").isEqualTo(red);
        assertThat(Double.parseDouble(String.valueOf(used.at("lines[0].gramsPerDay"))))
                .isCloseTo(40 / 7.0, within(1e-9));
        assertThat(Double.parseDouble(String.valueOf(used.at("lines[0].lackingGrams"))))
                .isCloseTo(100, within(1e-9));
        assertThat(client.get("/v1/plan/buy?days=-1").at("details[0].path")).isEqualTo("days");
    }

    @Test
    default void unassignedFilamentIsPlannedByTheTypeInTheFile() {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        Client client = fakeAgent.client();
        fakeAgent.printer("Left", "");
        String material =
                client.made("/v1/materials", "{\"name\":\"Basic\",\"brand\":\"b\",\"type\":\"PETG\",\"tags\":[]}");
        String red = variant(client, material, "red");
        String shelved = spool(client, red, 100);
        String part = ReadyParts.uploaded(fakeAgent.store(), client);
        ReadyParts.change(fakeAgent.store(), part, "slicingEstimate", ReadyParts.estimate("PETG", 40));
        ReadyParts.change(
                fakeAgent.store(),
                part,
                "materials",
                List.of(new Part.PartMaterial(0, null, null, null, null, "PETG")));
        for (int i = 0; i < 3; i++) {
            fakeAgent.jobOf(part, "");
        }
        Answer buy = client.get("/v1/plan/buy?days=0");
        assertThat(buy.at("lines[0].variantId")).as(buy.text()).isEqualTo(red);
        assertThat(buy.at("lines[0].queueGrams")).hasToString("120");
        assertThat(buy.at("lines[0].lackingGrams")).hasToString("20");
        Answer plan = client.get("/v1/plan/filament");
        assertThat(plan.at("loads[0].instanceId")).as(plan.text()).isEqualTo(shelved);
        assertThat(plan.at("unplacedJobIds[0]")).hasToString("(absent)");
    }

    @Test
    default void filamentOfUnknownTypeIsPlannedByWeight() {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        Client client = fakeAgent.client();
        String part = ReadyParts.uploaded(fakeAgent.store(), client);
        String job = fakeAgent.jobOf(part, "");
        fakeAgent.change(PrintJob.class, job, Map.of("estimatedGrams", 30.0));
        Answer buy = client.get("/v1/plan/buy?days=0");
        assertThat(buy.at("lines[0].lackingGrams")).as(buy.text()).hasToString("30");
    }

    @Test
    default void anySpoolWithEnoughFilamentIsLoadedForAFilamentOfUnknownType() {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        Client client = fakeAgent.client();
        String printer = fakeAgent.printer("Left", "");
        String material = material(client);
        String red = variant(client, material, "red");
        String loaded = spool(client, red, 25);
        load(client, printer, 0, loaded);
        String part = ReadyParts.uploaded(fakeAgent.store(), client);
        ReadyParts.change(fakeAgent.store(), part, "slicingEstimate", ReadyParts.estimate("PLA", 30));
        ReadyParts.change(
                fakeAgent.store(), part, "materials", List.of(new Part.PartMaterial(0, null, null, null, null, null)));
        String job = fakeAgent.jobOf(part, "");
        Answer bought = client.get("/v1/plan/filament");
        assertThat(bought.at("loads[0].name")).as(bought.text()).isEqualTo("any filament");
        assertThat(bought.at("loads[0].jobIds[0]")).isEqualTo(job);
        String shelved = spool(client, red, 40);
        Answer plan = client.get("/v1/plan/filament");
        assertThat(plan.at("loads[0].instanceId")).as(plan.text()).isEqualTo(shelved);
        assertThat(plan.at("loads[0].replacedInstanceId")).isEqualTo(loaded);
        assertThat(plan.at("unplacedJobIds[0]")).isEqualTo("(absent)");
    }

    @Test
    default void planOfAnotherStoreIsEmpty() {
        FakeAgent fakeAgent = new FakeAgent(SharedApi.newStore(), host());
        fakeAgent.printer("Left", "");
        fakeAgent.job(",\"materials\":{\"0\":[{\"materialType\":\"PLA\"}]}");
        assertThat(fakeAgent.client().get("/v1/plan/filament").at("loads[0].printerName"))
                .isEqualTo("Left");
        Client other = Client.of(host(), SharedApi.newStore().key());
        assertThat(other.get("/v1/plan/filament").at("jobs")).isEqualTo(0);
        assertThat(other.get("/v1/plan/buy").json().get("lines").size()).isZero();
    }
}
