package farm.gantry.builds;

import farm.gantry.sequence.Draws;
import farm.gantry.sku.Sku;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * All that is printed for one wish: the copies of one part, or the parts of so many of a SKU. {@code front} jobs go before
 * all others of the queue.
 */
public record Lot(
        @Nullable Sku sku,
        @Nullable SkuWish wish,
        List<Plan> plans,
        int priority,
        boolean front,
        @Nullable String orderId,
        @Nullable String orderItemId) {

    /** One job, of one of the lot's plans, with what was drawn for it. */
    public record Printed(int plan, Plan.Copy copy, Map<String, Object> serials) {}

    public long jobCount() {
        return plans.stream().mapToLong(Plan::jobCount).sum();
    }

    /**
     * Every job, in the queue's order: a SKU's first instance with all its parts is printed before the second. Serial
     * numbers are drawn in that order: one for each copy, or one that all parts of the lot bound to the sequence share.
     */
    public List<Printed> jobs(Draws draws) {
        record Drawn(int plan, int quantityIndex) {}
        Map<String, Draws.Serial> shared = new HashMap<>();
        Map<Drawn, Map<String, Object>> ofCopies = new HashMap<>();
        List<Printed> jobs = new ArrayList<>();
        IntStream.range(0, plans.size())
                .boxed()
                .flatMap(plan -> plans.get(plan).copies().map(copy -> new Printed(plan, copy, Map.of())))
                .sorted(Comparator.comparingInt(job -> Objects.requireNonNullElse(job.copy.skuInstance(), 0)))
                .forEachOrdered(job -> {
                    List<Serial> serials = plans.get(job.plan).serials();
                    Map<String, Object> drawn = serials.isEmpty()
                            ? Map.of()
                            : ofCopies.computeIfAbsent(
                                    new Drawn(job.plan, job.copy.quantityIndex()), _ -> drawn(serials, shared, draws));
                    jobs.add(new Printed(job.plan, job.copy, drawn));
                });
        return jobs;
    }

    private static Map<String, Object> drawn(List<Serial> serials, Map<String, Draws.Serial> shared, Draws draws) {
        Map<String, Object> drawn = new LinkedHashMap<>();
        for (Serial serial : serials) {
            Draws.Serial number = serial.perCopy()
                    ? draws.draw(serial.sequenceId())
                    : shared.computeIfAbsent(serial.sequenceId(), draws::draw);
            drawn.put(serial.parameter(), serial.asNumber() ? (Object) number.number() : number.text());
        }
        return drawn;
    }
}
