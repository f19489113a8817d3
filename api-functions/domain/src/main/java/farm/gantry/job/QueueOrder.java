package farm.gantry.job;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Calculates the queue positions of waiting jobs. */
public final class QueueOrder {
    private QueueOrder() {}

    /**
     * Returns the jobs that must move to free the taken positions, with their new positions. Each moves to the next free position behind,
     * which keeps their order and moves as few jobs as possible. {@code places} are in queue order.
     */
    public static Map<String, Long> makeRoom(Map<String, Long> places, Set<Long> taken) {
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
