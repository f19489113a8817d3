package farm.gantry.builds;

/**
 * A parameter whose value is drawn from a sequence: one for each copy of its part, or one that all copies of a build
 * share; {@code asNumber} leaves out the prefix and padding of the sequence.
 */
public record SerialBinding(String parameter, String sequenceId, boolean perCopy, boolean asNumber) {}
