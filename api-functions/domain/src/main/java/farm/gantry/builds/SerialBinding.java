package farm.gantry.builds;

/**
 * A parameter whose value is drawn from a sequence: one number per copy of its part if {@code perCopy} is true, else one for the whole
 * build. {@code asNumber} omits the prefix and padding of the sequence.
 */
public record SerialBinding(String parameter, String sequenceId, boolean perCopy, boolean asNumber) {}
