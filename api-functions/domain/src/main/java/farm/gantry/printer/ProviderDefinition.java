package farm.gantry.printer;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeName;
import io.micronaut.core.beans.BeanIntrospection;
import java.lang.annotation.Annotation;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Describes what the farm must know of a provider to register its printers, store their secrets and choose among them.
 * The agent handles the communication.
 *
 * @param metadata connection and build of a printer, with its secrets marked
 * @param commands commands that adapter bindings may name
 * @param hasModules whether adapter bindings may name firmware modules
 * @param providerConfig default settings sent with every print
 * @param archivesOf the vendor whose models' sliced archives (3MF) only this provider prints
 */
public record ProviderDefinition(
        Class<? extends PrinterMetadata> metadata,
        Set<String> commands,
        boolean hasModules,
        Map<String, Object> providerConfig,
        @Nullable String archivesOf) {
    static ProviderDefinition of(Class<? extends PrinterMetadata> metadata) {
        return new ProviderDefinition(metadata, Set.of(), false, Map.of(), null);
    }

    ProviderDefinition withCommands(String... names) {
        return new ProviderDefinition(metadata, Set.of(names), hasModules, providerConfig, archivesOf);
    }

    ProviderDefinition withModules() {
        return new ProviderDefinition(metadata, commands, true, providerConfig, archivesOf);
    }

    ProviderDefinition withProviderConfig(Map<String, Object> defaults) {
        return new ProviderDefinition(metadata, commands, hasModules, defaults, archivesOf);
    }

    ProviderDefinition withArchivesOf(String vendor) {
        return new ProviderDefinition(metadata, commands, hasModules, providerConfig, vendor);
    }

    /**
     * Returns the JSON name of the provider: the value of {@code provider}, the key of its adapter, and its capability
     * file.
     */
    public String token() {
        return Objects.requireNonNull(metadata.getAnnotation(JsonTypeName.class))
                .value();
    }

    /** The JSON names of the members of its metadata that bear the annotation. */
    public Set<String> membersAnnotatedWith(Class<? extends Annotation> annotation) {
        return BeanIntrospection.getIntrospection(metadata).getBeanProperties().stream()
                .filter(property -> property.hasAnnotation(annotation))
                .map(property -> property.stringValue(JsonProperty.class).orElse(property.getName()))
                .collect(Collectors.toUnmodifiableSet());
    }
}
