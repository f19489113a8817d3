package farm.gantry.builds;

/**
 * A parameter whose value is drawn from a sequence: one for each copy of its part, or one that all copies of a build
 * share. As a number it is the bare number, without the sequence's prefix and padding.
 */
public record Serial(String parameter, String sequenceId, boolean perCopy, boolean asNumber) {}
