package farm.gantry.api.contract;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.Answer;
import farm.gantry.api.fixture.Client;
import farm.gantry.api.fixture.Host;
import farm.gantry.api.fixture.SharedApi;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that ignored parameters and fields are named, and rejected if the client asks for it. */
public interface IgnoredNamesContract {
    String MACRO = "{\"name\":\"a\",\"type\":\"purge\",\"gcode\":\"G28\"";

    Host host();

    private Client owner() {
        return Client.of(host(), SharedApi.newStore().key());
    }

    private Client strict() {
        return owner().with("prefer", "handling=strict");
    }

    @Test
    default void ignoredFieldsAreNamedAtAnyDepth() {
        Client client = owner();
        Answer made = client.post(
                "/v1/macros",
                MACRO
                        + ",\"nmae\":1,\"id\":\"mine\",\"compatibilities\":[{\"vendorName\":\"v\",\"modelName\":\"m\",\"modle\":\"m\"}]}");
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        assertThat(made.header("Gantry-Ignored")).isEqualTo("nmae, id, compatibilities[0].modle");
        Answer all = client.patch(
                "/v1/macros", "{\"ids\":[\"" + made.at("id") + "\"],\"update\":{\"gocde\":\"\"},\"updat\":{}}");
        assertThat(all.status()).isEqualTo(200);
        assertThat(all.header("Gantry-Ignored")).isEqualTo("updat, update.gocde");
    }

    @Test
    default void ignoredParametersAreNamed() {
        assertThat(owner().get("/v1/macros?limt=1&name=a&name.in=b&meta=true").header("Gantry-Ignored"))
                .isEqualTo("limt");
        assertThat(owner().get("/v1/macros?limit=1&name.startsWith=a").header("Gantry-Ignored"))
                .isNull();
    }

    @Test
    default void namesOfAnyCharactersFitIntoTheHeader() {
        Answer made = owner().post("/v1/macros", MACRO + ",\"a\\r\\nb,\u00e9\":1}");
        assertThat(made.status()).isEqualTo(201);
        assertThat(made.header("Gantry-Ignored")).isEqualTo("a%0D%0Ab%2C%C3%A9");
    }

    @Test
    default void strictRequestsWithUnknownNamesAreRejected() {
        Client client = strict();
        Answer field =
                client.post("/v1/macros", MACRO + ",\"compatibilities\":[{\"modleName\":\"m\"}],\"id\":\"mine\"}");
        assertThat(field.status()).isEqualTo(400);
        assertThat(field.header("Preference-Applied")).isEqualTo("handling=strict");
        assertThat(field.at("details[0].path")).isEqualTo("compatibilities[0].modleName");
        assertThat(field.at("details[0].message"))
                .isEqualTo("compatibilities[0].modleName is not a known field; the most similar one is modelName");
        Answer parameter = client.get("/v1/macros?limt=1");
        assertThat(parameter.status()).isEqualTo(400);
        assertThat(parameter.at("details[0].message"))
                .isEqualTo("limt is not a known parameter; the most similar one is limit");
        assertThat(client.get("/v1/macros").each("id"))
                .as("nothing was created")
                .isEmpty();
    }

    @Test
    default void strictRequestsWithKnownNamesWork() {
        for (String preference : List.of("handling=strict", "respond-async, Handling=\"strict\"; foo")) {
            Answer made = owner().with("prefer", preference).post("/v1/macros", MACRO + ",\"id\":\"mine\"}");
            assertThat(made.status())
                    .as("a field that only the server sets is ignored")
                    .isEqualTo(201);
            assertThat(made.header("Preference-Applied")).isEqualTo("handling=strict");
            assertThat(made.header("Gantry-Ignored")).isEqualTo("id");
        }
        assertThat(owner().with("prefer", "handling=lenient")
                        .get("/v1/macros?limt=1")
                        .status())
                .isEqualTo(200);
    }

    @Test
    default void clientsCannotSetTheServersOwnHeaders() {
        Answer answer = owner().with("Gantry-Body-Ignored", "x")
                .with("Gantry-Body-Shape", "1")
                .get("/v1/macros");
        assertThat(answer.header("Gantry-Ignored")).isNull();
    }
}
