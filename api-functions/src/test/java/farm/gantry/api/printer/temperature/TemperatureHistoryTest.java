package farm.gantry.api.printer.temperature;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.FakeAgent;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.fixture.Socket;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the temperatures that the farm remembers of its printers. */
final class TemperatureHistoryTest {
    private final FakeAgent agent = new FakeAgent(SharedApi.newStore(), new Socket());
    private final String printer = agent.printer("heated", "");
    private final Instant halfAnHourAgo =
            Instant.now().minus(Duration.ofMinutes(30)).truncatedTo(ChronoUnit.MINUTES);

    private void report(Instant at, double nozzle) {
        Map<String, Object> state = Map.of(
                "connection", "online",
                "status", "printing",
                "temperatures",
                        Map.of(
                                "nozzle", Map.of("actual", nozzle, "target", 220),
                                "bed", Map.of("actual", 59.8, "target", 60)),
                "filamentSlots", List.of(),
                "errors", List.of(),
                "at", at.toString());
        agent.exchange(
                List.of(),
                List.of(),
                List.of(Map.of("deviceId", agent.deviceOf(printer), "at", at.toString(), "state", state)));
    }

    private Answer history(String query) {
        return agent.client().get("/v1/printers/" + printer + "/temperatures" + query);
    }

    @Test
    void lastHourHasASampleEveryTenSecondsAndTheOneThatHeldBefore() {
        Instant before = halfAnHourAgo.minus(Duration.ofHours(1));
        report(before, 20.5);
        report(halfAnHourAgo, 100);
        report(halfAnHourAgo.plusSeconds(5), 110);
        report(halfAnHourAgo.plusSeconds(10), 120);
        Answer hour = history("");
        assertThat(hour.at("times"))
                .asInstanceOf(InstanceOfAssertFactories.list(String.class))
                .extracting(Instant::parse)
                .containsExactly(before, halfAnHourAgo, halfAnHourAgo.plusSeconds(10));
        assertThat(hour.at("heaters[0].name")).isEqualTo("bed");
        assertThat(hour.at("heaters[0].actual")).isEqualTo(List.of(59.8, 59.8, 59.8));
        assertThat(hour.at("heaters[1].name")).isEqualTo("nozzle");
        assertThat(hour.at("heaters[1].actual")).isEqualTo(List.of(20.5, 100, 120));
        assertThat(hour.at("heaters[1].target")).isEqualTo(List.of(220, 220, 220));
    }

    @Test
    void longerHistoryHasOneSampleAMinute() {
        report(halfAnHourAgo, 100);
        report(halfAnHourAgo.plusSeconds(20), 120);
        report(halfAnHourAgo.plusSeconds(60), 140);
        assertThat(history("?hours=24").at("heaters[1].actual")).isEqualTo(List.of(100, 140));
    }

    @Test
    void minuteOfTheDayBeforeIsReplaced() {
        report(halfAnHourAgo.minus(Duration.ofDays(1)), 50);
        report(halfAnHourAgo, 100);
        assertThat(history("?hours=24").at("heaters[1].actual")).isEqualTo(List.of(100));
    }

    @Test
    void historyOfASilentPrinterIsEmpty() {
        assertThat(history("").at("times")).isEqualTo(List.of());
        assertThat(history("").at("heaters")).isEqualTo(List.of());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 25})
    void hoursOutOfRangeAreRejected(int hours) {
        Answer rejected = history("?hours=" + hours);
        assertThat(rejected.status()).isEqualTo(400);
        assertThat(rejected.at("details[0].path")).isEqualTo("hours");
    }

    @Test
    void otherStoresDoNotSeeTheTemperatures() {
        report(halfAnHourAgo, 100);
        Client other = Client.of(new Socket(), SharedApi.newStore().key());
        assertThat(other.get("/v1/printers/" + printer + "/temperatures").status())
                .isEqualTo(404);
    }
}
