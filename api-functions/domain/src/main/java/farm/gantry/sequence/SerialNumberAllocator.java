package farm.gantry.sequence;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Draws serial numbers from sequences in memory. Nothing is drawn permanently until the caller stores {@link #nextNumbers()}. */
public final class SerialNumberAllocator {
    private final Map<String, Sequence> sequences = new HashMap<>();
    private final Map<String, Long> nextNumbers = new HashMap<>();

    public SerialNumberAllocator(Collection<Sequence> sequences) {
        sequences.forEach(sequence -> this.sequences.put(sequence.id(), sequence));
    }

    /** A drawn number, and its text. */
    public record SerialNumber(long number, String text) {}

    public SerialNumber draw(String sequenceId) {
        Sequence sequence = Objects.requireNonNull(sequences.get(sequenceId));
        long number = nextNumbers.getOrDefault(sequenceId, sequence.next());
        nextNumbers.put(sequenceId, number + sequence.step());
        return new SerialNumber(number, sequence.format(number));
    }

    /** Returns the next number of each sequence that was drawn from, by id. */
    public Map<String, Long> nextNumbers() {
        return Map.copyOf(nextNumbers);
    }
}
