package farm.gantry.edge.provider;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.edge.printer.connection.Provider;
import farm.gantry.edge.printer.connection.Provider.Ability;
import farm.gantry.json.Json;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares the agent's providers with the capabilities that the API describes in {@code capability/<provider>.json}.
 */
final class CapabilityTest {
    private static final Path CAPABILITIES = Path.of("../api-functions/src/main/resources/capability");

    /** The abilities that a capability file can describe. */
    private static final Set<Ability> DESCRIBED = EnumSet.of(
            Ability.PRINT,
            Ability.PAUSE,
            Ability.RESUME,
            Ability.CANCEL,
            Ability.SKIP_OBJECTS,
            Ability.GCODE,
            Ability.SET_FAN,
            Ability.LIGHT,
            Ability.CAMERA,
            Ability.EMERGENCY_STOP);

    static Stream<Provider> providers() {
        return Providers.ALL.stream();
    }

    @ParameterizedTest
    @MethodSource("providers")
    void providerHasTheAbilitiesThatTheApiDescribes(Provider provider) throws IOException {
        Set<Ability> abilities = EnumSet.copyOf(provider.abilities());
        abilities.retainAll(DESCRIBED);
        assertThat(abilities).isEqualTo(described(provider.name().wireName()));
    }

    private static Set<Ability> described(String provider) throws IOException {
        JsonNode file = Json.read(Files.readString(CAPABILITIES.resolve(provider + ".json")), JsonNode.class);
        JsonNode capability = file.get("capability");
        JsonNode printing = capability.get("printing");
        Set<Ability> abilities = EnumSet.noneOf(Ability.class);
        add(abilities, Ability.PRINT, printing.get("start").getBooleanValue());
        add(abilities, Ability.PAUSE, printing.get("pause").getBooleanValue());
        add(abilities, Ability.RESUME, printing.get("resume").getBooleanValue());
        add(abilities, Ability.CANCEL, printing.get("stop").getBooleanValue());
        add(abilities, Ability.SKIP_OBJECTS, printing.get("skipObjects").getBooleanValue());
        add(abilities, Ability.GCODE, capability.get("gcode").getBooleanValue());
        add(abilities, Ability.SET_FAN, hasAny(capability, "fans"));
        add(abilities, Ability.LIGHT, hasAny(capability, "lights"));
        add(abilities, Ability.CAMERA, hasAny(capability, "cameras"));
        JsonNode commands = file.get("machineCommands");
        if (commands != null) {
            commands.values()
                    .forEach(command -> add(
                            abilities,
                            Ability.EMERGENCY_STOP,
                            command.getStringValue().equals("emergency-stop")));
        }
        return abilities;
    }

    private static boolean hasAny(JsonNode capability, String parts) {
        return capability.get(parts).size() > 0;
    }

    private static void add(Set<Ability> abilities, Ability ability, boolean applies) {
        if (applies) {
            abilities.add(ability);
        }
    }
}
