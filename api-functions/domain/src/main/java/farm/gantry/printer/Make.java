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
 * What the farm must know of a make of printer to register its printers, to keep their secrets and to choose one of them
 * for a file. How they are spoken to is the agent's.
 *
 * @param metadata how a printer of the make is reached, and which of that is secret
 * @param commands the commands that the bindings of its adapter may name
 * @param hasModules whether the bindings of its adapter may name modules of the firmware
 * @param providerConfig what its printers are told with every print where nothing else is set
 * @param archivesOf the vendor whose models' sliced archives (3MF) no other make prints
 */
public record Make(
        Class<? extends PrinterMetadata> metadata,
        Set<String> commands,
        boolean hasModules,
        Map<String, Object> providerConfig,
        @Nullable String archivesOf) {
    static Make of(Class<? extends PrinterMetadata> metadata) {
        return new Make(metadata, Set.of(), false, Map.of(), null);
    }

    Make withCommands(String... names) {
        return new Make(metadata, Set.of(names), hasModules, providerConfig, archivesOf);
    }

    Make withModules() {
        return new Make(metadata, commands, true, providerConfig, archivesOf);
    }

    Make withProviderConfig(Map<String, Object> defaults) {
        return new Make(metadata, commands, hasModules, defaults, archivesOf);
    }

    Make withArchivesOf(String vendor) {
        return new Make(metadata, commands, hasModules, providerConfig, vendor);
    }

    /** What the make is called in JSON: as {@code provider}, as the key of its adapter, and its capability file. */
    public String token() {
        return Objects.requireNonNull(metadata.getAnnotation(JsonTypeName.class))
                .value();
    }

    /** The JSON names of the members of its metadata that bear the annotation. */
    public Set<String> members(Class<? extends Annotation> annotation) {
        return BeanIntrospection.getIntrospection(metadata).getBeanProperties().stream()
                .filter(property -> property.hasAnnotation(annotation))
                .map(property -> property.stringValue(JsonProperty.class).orElse(property.getName()))
                .collect(Collectors.toUnmodifiableSet());
    }
}
