package farm.gantry.api.integration;

import farm.gantry.StoreId;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.model.naming.NamingStrategies;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The columns of an integration that the signature check reads; its secrets are encrypted. */
@MappedEntity(namingStrategy = NamingStrategies.Raw.class)
public record IntegrationRow(
        @Id String storeId, String secret, @Nullable String previousSecret) {
    public StoreId store() {
        return new StoreId(storeId);
    }

    /** Returns the secrets that are valid at this time. */
    public List<String> secrets() {
        return Stream.of(secret, previousSecret).filter(Objects::nonNull).toList();
    }
}
