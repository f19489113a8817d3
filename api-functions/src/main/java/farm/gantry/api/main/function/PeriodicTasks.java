package farm.gantry.api.main.function;

import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Periodic work of a function by name. A failure does not prevent the rest. */
record PeriodicTasks(Map<String, Runnable> chores) {
    private static final Logger LOG = LoggerFactory.getLogger(PeriodicTasks.class);

    PeriodicTasks() {
        this(new LinkedHashMap<>());
    }

    PeriodicTasks with(String name, Runnable chore) {
        chores.put(name, chore);
        return this;
    }

    /** Runs everything, then throws the first failure, so that the function counts as failed. */
    void runAll() {
        RuntimeException first = null;
        for (Map.Entry<String, Runnable> chore : chores.entrySet()) {
            try {
                chore.getValue().run();
            } catch (RuntimeException e) {
                LOG.error("periodic work failed: {}", chore.getKey(), e);
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
