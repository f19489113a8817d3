package farm.gantry.api.link;

import io.micronaut.core.annotation.Introspected;

/**
 * The number of agents in all stores.
 *
 * @param online those that are online
 * @param expected those that are online or were within the last day
 */
@Introspected
public record AgentPresence(long online, long expected) {}
