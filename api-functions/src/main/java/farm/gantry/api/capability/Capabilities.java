package farm.gantry.api.capability;

import farm.gantry.api.json.MergePatch;
import farm.gantry.api.json.RecordReader;
import farm.gantry.printer.Printer;
import io.micronaut.core.io.ResourceLoader;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
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
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** What printers can do and how it is asked of them: what holds for the make, with the printer's own patches applied. */
@Singleton
public final class Capabilities {
    private static final JsonNode NOTHING = JsonNode.createObjectNode(Map.of());

    private final JsonMapper mapper;
    private final RecordReader reader;
    private final Map<Printer.Provider, JsonNode> ofMakes = new EnumMap<>(Printer.Provider.class);

    Capabilities(JsonMapper mapper, ResourceLoader resources, RecordReader reader) {
        this.mapper = mapper;
        this.reader = reader;
        for (Printer.Provider provider : Printer.Provider.values()) {
            String name = "classpath:capability/" + provider.wire() + ".json";
            try (InputStream json = resources.getResourceAsStream(name).orElseThrow()) {
                ofMakes.put(provider, Objects.requireNonNull(mapper.readValue(json, Argument.of(JsonNode.class))));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** {@code capability} lists the components and abilities, {@code bindings} how each adapter reaches them. */
    @Serdeable
    public record Effective(Map<String, Object> capability, Map<String, Object> bindings) {
        public boolean canSetFilamentInfo() {
            return can("filament", "setInfo");
        }

        /** Whether it runs G-code that it is sent beside a print. */
        public boolean runsGcode() {
            return Boolean.TRUE.equals(capability.get("gcode"));
        }

        /** Whether it has the ability of that group of them. */
        public boolean can(String group, String ability) {
            return capability.get(group) instanceof Map<?, ?> abilities && Boolean.TRUE.equals(abilities.get(ability));
        }

        /** Whether it has components of the kind. */
        public boolean has(String components) {
            return capability.get(components) instanceof List<?> list && !list.isEmpty();
        }

        /** Whether it takes orders for components of the kind; one that is bound to nothing is only shown. */
        public boolean steers(String components) {
            return capability.get(components) instanceof List<?> list
                    && list.stream().anyMatch(component -> component instanceof Map<?, ?> fields && !isIdle(fields));
        }

        private boolean isIdle(Map<?, ?> component) {
            return bound("components").anyMatch(refs -> Map.of().equals(refs.get(component.get("ref"))));
        }

        /** Whether it has commands of its own for tools, filament and the like. */
        public boolean hasCommands() {
            return bound("commands").anyMatch(commands -> !commands.isEmpty());
        }

        private Stream<Map<?, ?>> bound(String part) {
            return bindings.values().stream().mapMulti((adapter, parts) -> {
                if (adapter instanceof Map<?, ?> tree && tree.get(part) instanceof Map<?, ?> found) {
                    parts.accept(found);
                }
            });
        }
    }

    /** Whether machines of its make are stopped or restarted by this command, which no patch of a printer changes. */
    public boolean obeys(Printer printer, String command) {
        JsonNode commands = make(printer).get("machineCommands");
        return commands != null
                && StreamSupport.stream(commands.values().spliterator(), false)
                        .anyMatch(name -> command.equals(name.getStringValue()));
    }

    private JsonNode make(Printer printer) {
        return printer.provider() == null ? NOTHING : ofMakes.getOrDefault(printer.provider(), NOTHING);
    }

    public Effective of(Printer printer) {
        JsonNode make = make(printer);
        return new Effective(
                patched(make.get("capability"), printer.printerCapabilityPatch()),
                patched(make.get("bindings"), printer.printerAdapterBindingsPatch()));
    }

    private Map<String, Object> patched(@Nullable JsonNode make, @Nullable Map<String, Object> patch) {
        JsonNode target = make == null ? NOTHING : make;
        JsonNode effective = MergePatch.apply(target, patch == null ? NOTHING : reader.tree(patch));
        try {
            return Objects.requireNonNull(
                    mapper.readValueFromTree(effective, Argument.mapOf(String.class, Object.class)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
