package farm.gantry.job;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The places of waiting jobs. */
public final class QueueOrder {
    private QueueOrder() {}

    /**
     * Which of the jobs must make room when these places are taken, and where they go: each to the next free place behind,
     * so that they keep their order and none moves that need not. {@code places} are in the queue's order.
     */
    public static Map<String, Long> madeRoom(Map<String, Long> places, Set<Long> taken) {
        Map<String, Long> moved = new LinkedHashMap<>();
        long last = Long.MIN_VALUE;
        for (Map.Entry<String, Long> job : places.entrySet()) {
            long place = last == Long.MIN_VALUE ? job.getValue() : Math.max(job.getValue(), last + 1);
            while (taken.contains(place)) {
                place++;
            }
            if (place != job.getValue()) {
                moved.put(job.getKey(), place);
            }
            last = place;
        }
        return moved;
    }
}
