package farm.gantry.api.main.function;

import com.amazonaws.services.lambda.runtime.Context;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Periodic tasks of a function by name. A failed task does not prevent the others. */
record PeriodicTasks(Map<String, Consumer<Context>> chores) {
    private static final Logger LOG = LoggerFactory.getLogger(PeriodicTasks.class);

    PeriodicTasks() {
        this(new LinkedHashMap<>());
    }

    PeriodicTasks with(String name, Runnable chore) {
        return withContext(name, _ -> chore.run());
    }

    /** Adds a task that uses the context of the invocation. */
    PeriodicTasks withContext(String name, Consumer<Context> chore) {
        chores.put(name, chore);
        return this;
    }

    /** Runs all tasks, then throws the first failure, so that Lambda reports the invocation as failed. */
    void runAll(Context context) {
        RuntimeException first = null;
        for (Map.Entry<String, Consumer<Context>> chore : chores.entrySet()) {
            try {
                chore.getValue().accept(context);
            } catch (RuntimeException e) {
                LOG.error("periodic task failed: {}; the next run retries", chore.getKey(), e);
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
