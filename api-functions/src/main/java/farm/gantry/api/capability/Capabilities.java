package farm.gantry.api.capability;

import farm.gantry.Sha256;
import farm.gantry.json.MergePatch;
import farm.gantry.json.Tree;
import farm.gantry.printer.Printer;
import io.micronaut.core.io.ResourceLoader;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What printers can do and how it is asked of them: what holds for the make, with the printer's own patches applied.
 */
@Singleton
public final class Capabilities {
    private static final Argument<Map<String, Object>> TREE = Argument.mapOf(String.class, Object.class);

    private final Map<Printer.Provider, Map<String, Object>> ofMakes = new EnumMap<>(Printer.Provider.class);
    private final String version;

    Capabilities(JsonMapper mapper, ResourceLoader resources) {
        for (Printer.Provider provider : Printer.Provider.values()) {
            String name = "classpath:capability/" + provider.wireName() + ".json";
            try (InputStream json = resources.getResourceAsStream(name).orElseThrow()) {
                ofMakes.put(provider, Objects.requireNonNull(mapper.readValue(json, TREE)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        version = Sha256.of(ofMakes.toString());
    }

    /** Another where another version of Gantry knows another thing of a make. */
    public String version() {
        return version;
    }

    /**
     * {@code capability} lists the components and abilities, {@code bindings} how each adapter reaches them;
     * {@code machineCommands} are those by which machines of its make are stopped or restarted.
     */
    @Serdeable
    public record PrinterCapabilities(
            Map<String, Object> capability, Map<String, Object> bindings, List<String> machineCommands) {
        public boolean canSetFilamentInfo() {
            return hasAbility("filament", "setInfo");
        }

        /** Whether it runs G-code that it is sent beside a print. */
        public boolean runsGcode() {
            return Boolean.TRUE.equals(capability.get("gcode"));
        }

        /**
         * Whether no print begins before the G-code that was sent earlier has run through: it is one queue, or the printer tells
         * when the G-code is done.
         */
        public boolean runsGcodeInOrder() {
            return Boolean.TRUE.equals(capability.get("gcodeInOrder"));
        }

        /** Whether it has the ability of that group of them. */
        public boolean hasAbility(String group, String ability) {
            return capability.get(group) instanceof Map<?, ?> abilities && Boolean.TRUE.equals(abilities.get(ability));
        }

        /** Whether it has components of the kind. */
        public boolean hasComponent(String components) {
            return countComponents(components) > 0;
        }

        /** How many components of the kind it has. */
        public int countComponents(String components) {
            return Tree.list(capability, components).size();
        }

        /** Whether a component among those of the kind has the name as its {@code ref} or its own {@code kind}. */
        public boolean hasComponent(String components, @Nullable String name) {
            return name != null
                    && Tree.list(capability, components).stream()
                            .map(Tree::object)
                            .anyMatch(component ->
                                    name.equals(component.get("ref")) || name.equals(component.get("kind")));
        }

        /** Whether it takes orders for components of the kind; one that is bound to nothing is only shown. */
        public boolean controls(String components) {
            return capability.get(components) instanceof List<?> list
                    && list.stream().anyMatch(component -> component instanceof Map<?, ?> fields && !isUnbound(fields));
        }

        private boolean isUnbound(Map<?, ?> component) {
            return findBound("components").anyMatch(refs -> Map.of().equals(refs.get(component.get("ref"))));
        }

        /** Whether it has commands of its own for tools, filament and the like. */
        public boolean hasCustomCommands() {
            return findBound("commands").anyMatch(commands -> !commands.isEmpty());
        }

        private Stream<Map<?, ?>> findBound(String part) {
            return bindings.values().stream().mapMulti((adapter, parts) -> {
                if (adapter instanceof Map<?, ?> tree && tree.get(part) instanceof Map<?, ?> found) {
                    parts.accept(found);
                }
            });
        }
    }

    /** Whether machines of its make are stopped or restarted by this command, which no patch of a printer changes. */
    public boolean supportsMachineCommand(Printer printer, String command) {
        return machineCommands(printer).contains(command);
    }

    private List<String> machineCommands(Printer printer) {
        return Tree.list(defaultsOfMake(printer), "machineCommands").stream()
                .map(String::valueOf)
                .toList();
    }

    private Map<String, Object> defaultsOfMake(Printer printer) {
        return printer.provider() == null ? Map.of() : ofMakes.getOrDefault(printer.provider(), Map.of());
    }

    public PrinterCapabilities find(Printer printer) {
        Map<String, Object> make = defaultsOfMake(printer);
        return new PrinterCapabilities(
                applyPatch(Tree.object(make, "capability"), printer.printerCapabilityPatch()),
                applyPatch(Tree.object(make, "bindings"), printer.printerAdapterBindingsPatch()),
                machineCommands(printer));
    }

    private static Map<String, Object> applyPatch(Map<String, Object> make, @Nullable Map<String, Object> patch) {
        return MergePatch.apply(make, patch == null ? Map.of() : patch);
    }
}
