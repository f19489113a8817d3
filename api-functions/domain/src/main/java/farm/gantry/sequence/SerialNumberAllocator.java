package farm.gantry.sequence;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Numbers on their way out of some sequences; nothing is drawn until {@link #nextNumbers()} is kept. */
public final class SerialNumberAllocator {
    private final Map<String, Sequence> sequences = new HashMap<>();
    private final Map<String, Long> nextNumbers = new HashMap<>();

    public SerialNumberAllocator(Collection<Sequence> sequences) {
        sequences.forEach(sequence -> this.sequences.put(sequence.id(), sequence));
    }

    /** One number, and the text it makes. */
    public record SerialNumber(long number, String text) {}

    public SerialNumber draw(String sequenceId) {
        Sequence sequence = Objects.requireNonNull(sequences.get(sequenceId));
        long number = nextNumbers.getOrDefault(sequenceId, sequence.next());
        nextNumbers.put(sequenceId, number + sequence.step());
        return new SerialNumber(number, sequence.format(number));
    }

    /** Where the sequences that were drawn from stand now, by their ids. */
    public Map<String, Long> nextNumbers() {
        return Map.copyOf(nextNumbers);
    }
}
