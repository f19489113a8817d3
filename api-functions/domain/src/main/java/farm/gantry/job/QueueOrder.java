package farm.gantry.job;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The places of waiting jobs. */
public final class QueueOrder {
    private QueueOrder() {}

    /**
     * Returns the jobs that must move when these positions are taken, with their new positions: each moves to the next free
     * position behind, so that they keep their order and no more jobs move than necessary. {@code places} are in the order of
     * the queue.
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
