package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.SharedApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that lists are converted to CSV for clients that accept it. */
public interface CsvContract {
    Host host();

    private Client owner() {
        return Client.of(host(), SharedApi.newStore().key());
    }

    private static void addMacro(Client client, String name, String gcode) {
        Answer made = client.post(
                "/v1/macros",
                "{\"name\":\"" + name + "\",\"type\":\"purge\",\"gcode\":\"" + gcode
                        + "\",\"compatibilities\":[{\"vendorName\":\"Voron\",\"modelName\":\"Trident\"}]}");
        assertThat(made.status()).as(made.text()).isEqualTo(201);
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/csv", "Text/CSV; header=present, application/json;q=0.5"})
    default void listIsConvertedWithTheFieldsOfTheQuery(String accept) {
        Client client = owner();
        addMacro(client, "plain", "G28");
        addMacro(client, "two \\\"lines\\\", quoted", "G28\\nG1");
        Answer csv = client.with("accept", accept).get("/v1/macros?fields=name,gcode,compatibilities&sort=name");
        assertThat(csv.status()).isEqualTo(200);
        assertThat(csv.header("content-type")).isEqualToIgnoringCase("text/csv;charset=utf-8");
        assertThat(csv.text()).isEqualTo("""
                        name,gcode,compatibilities\r
                        plain,G28,"[{""vendorName"":""Voron"",""modelName"":""Trident""}]"\r
                        "two ""lines"", quoted","G28
                        G1","[{""vendorName"":""Voron"",""modelName"":""Trident""}]"\r
                        """);
    }

    @Test
    default void formulasAreTexts() {
        Client client = owner();
        addMacro(client, "=HYPERLINK(1)", "-1");
        assertThat(client.with("accept", "text/csv")
                        .get("/v1/macros?fields=name,gcode")
                        .text())
                .isEqualTo("name,gcode\r\n'=HYPERLINK(1),'-1\r\n");
    }

    @Test
    default void nextPageIsInAHeader() {
        Client client = owner();
        addMacro(client, "a", "G28");
        addMacro(client, "b", "G28");
        Client table = client.with("accept", "text/csv");
        String path = "/v1/macros?fields=name&sort=id&limit=1";
        Answer first = table.get(path);
        assertThat(first.text()).isEqualTo("name\r\na\r\n");
        assertThat(first.header("Gantry-Has-More")).isEqualTo("true");
        Answer last = table.get(path + "&cursor=" + first.header("Gantry-Next-Cursor"));
        assertThat(last.text()).isEqualTo("name\r\nb\r\n");
        assertThat(last.header("Gantry-Has-More")).isEqualTo("false");
        assertThat(last.header("Gantry-Next-Cursor")).isNull();
    }

    @Test
    default void headerTellsOfTheNextPageOfAnOrderWithoutCursors() {
        Client client = owner();
        addMacro(client, "a", "G28");
        addMacro(client, "b", "G28");
        Answer first = client.with("accept", "text/csv").get("/v1/macros?fields=name&sort=name&limit=1");
        assertThat(first.text()).isEqualTo("name\r\na\r\n");
        assertThat(first.header("Gantry-Has-More")).isEqualTo("true");
        assertThat(first.header("Gantry-Next-Cursor")).isNull();
    }

    @Test
    default void otherResponsesStayJson() {
        Client table = owner().with("accept", "text/csv");
        assertThat(table.get("/v1/settings/store").at("storeId")).isNotNull();
        Answer rejected = table.get("/v1/macros?limit=0");
        assertThat(rejected.status()).isEqualTo(400);
        assertThat(rejected.at("error")).isNotNull();
        assertThat(owner().with("accept", "*/*").get("/v1/macros").text()).isEqualTo("[]");
    }
}
