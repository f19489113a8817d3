package farm.gantry.api.link;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.model.naming.NamingStrategies;
import org.jspecify.annotations.Nullable;

/** The columns of an agent that the token check reads. */
@MappedEntity(namingStrategy = NamingStrategies.Raw.class)
public record AgentRow(
        @Id String storeId,
        @Nullable String tokenSalt,
        @Nullable String tokenHash) {}
