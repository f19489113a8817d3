package farm.gantry.api.store;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.model.naming.NamingStrategies;

/** A message of the one-machine queue; {@code body} is JSON, {@code receives} counts how often it was taken. */
@MappedEntity(namingStrategy = NamingStrategies.Raw.class)
public record QueueMessage(@Id String id, String body, int receives) {}
