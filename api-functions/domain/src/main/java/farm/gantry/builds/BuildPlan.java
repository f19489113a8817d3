package farm.gantry.builds;

import farm.gantry.sequence.SerialNumberAllocator;
import farm.gantry.sku.Sku;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What is printed for one item of a request: the copies of one part, or the parts of the instances of a SKU. {@code front}
 * jobs go before all others of the queue.
 */
public record BuildPlan(
        @Nullable Sku sku,
        @Nullable SkuBuildOptions options,
        List<PartPlan> parts,
        int priority,
        boolean front,
        @Nullable String orderId,
        @Nullable String orderItemId) {

    public long jobCount() {
        return parts.stream().mapToLong(PartPlan::jobCount).sum();
    }

    /**
     * Every job, in the queue's order: a SKU's first instance with all its parts is printed before the second. Serial
     * numbers are drawn in that order: one for each copy, or one that all parts bound to the sequence share.
     */
    public List<PlannedJob> jobs(SerialNumberAllocator draws) {
        record CopyKey(int part, int quantityIndex) {}
        Map<String, SerialNumberAllocator.SerialNumber> shared = new HashMap<>();
        Map<CopyKey, Map<String, Object>> ofCopies = new HashMap<>();
        return IntStream.range(0, parts.size())
                .boxed()
                .flatMap(part -> parts.get(part).jobs(part))
                .sorted(Comparator.comparingInt(job -> Objects.requireNonNullElse(job.skuInstance(), 0)))
                .map(job -> {
                    List<SerialBinding> bindings = parts.get(job.part()).serials();
                    return bindings.isEmpty()
                            ? job
                            : job.withSerials(ofCopies.computeIfAbsent(
                                    new CopyKey(job.part(), job.quantityIndex()), _ -> drawSerials(bindings, shared, draws)));
                })
                .toList();
    }

    private static Map<String, Object> drawSerials(
            List<SerialBinding> bindings, Map<String, SerialNumberAllocator.SerialNumber> shared, SerialNumberAllocator draws) {
        Map<String, Object> drawn = new LinkedHashMap<>();
        for (SerialBinding binding : bindings) {
            SerialNumberAllocator.SerialNumber serial = binding.perCopy()
                    ? draws.draw(binding.sequenceId())
                    : shared.computeIfAbsent(binding.sequenceId(), draws::draw);
            drawn.put(binding.parameter(), binding.asNumber() ? (Object) serial.number() : serial.text());
        }
        return drawn;
    }
}
