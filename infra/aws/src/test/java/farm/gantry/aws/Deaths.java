package farm.gantry.aws;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Ends calls of functions as the death of their process would, before or after one of their steps: a commit, a request
 * to AWS, or the response. After its death, a call takes no further step, whatever its code does with the error. Each
 * step of a function dies at most once, and a call after a death is not killed, because a message is redelivered a
 * limited number of times.
 */
final class Deaths {
    private static final InheritableThreadLocal<@Nullable Call> CURRENT = new InheritableThreadLocal<>();
    /** A step is chosen with a probability of 1 in this number, so that later steps are reached too. */
    private static final int ONE_IN = 3;

    private final Map<String, Set<String>> died = new TreeMap<>();
    private final Map<String, Boolean> spared = new HashMap<>();
    private @Nullable Random random;

    /** The end of a process, which no exception handler must stop. */
    static final class DeadError extends Error {
        private static final long serialVersionUID = 1;

        DeadError(String step) {
            super(step, null, false, false);
        }
    }

    private final class Call {
        private final String function;
        private final boolean mayDie;
        private int steps;
        private volatile @Nullable String deadAt;
        private volatile boolean isOver;

        Call(String function) {
            this.function = function;
            this.mayDie = mayDie(function);
        }

        void reach(String step) {
            if (isOver) { // a thread of a pool that was created in the call
                return;
            }
            String before = deadAt;
            if (before == null && mayDie && diesAt(function, ++steps + " " + step)) {
                before = step;
                deadAt = step;
            }
            if (before != null) {
                throw new DeadError(before);
            }
        }
    }

    /** Lets functions die from now on; the same seed makes the same choices for the same steps. */
    synchronized void begin(long seed) {
        random = new Random(seed);
    }

    synchronized void end() {
        random = null;
    }

    private synchronized boolean mayDie(String function) {
        return random != null && !Boolean.TRUE.equals(spared.remove(function));
    }

    private synchronized boolean diesAt(String function, String step) {
        if (random == null || died.getOrDefault(function, Set.of()).contains(step) || random.nextInt(ONE_IN) != 0) {
            return false;
        }
        died.computeIfAbsent(function, _ -> new HashSet<>()).add(step);
        spared.put(function, true);
        return true;
    }

    /** Returns at how many steps each function died. */
    synchronized Map<String, Integer> counted() {
        Map<String, Integer> counts = new TreeMap<>();
        died.forEach((function, steps) -> counts.put(function, steps.size()));
        return counts;
    }

    /** Calls a function and returns its response; throws {@link DeadError} when it dies. */
    <T> T in(String function, Callable<T> work) throws Exception {
        Call call = new Call(function);
        CURRENT.set(call);
        try {
            T answer = work.call();
            call.reach("the answer");
            return answer;
        } catch (Exception e) {
            call.reach("the answer");
            throw e;
        } finally {
            CURRENT.remove();
            call.isOver = true;
        }
    }

    /** Returns the name of the function whose call this thread runs. */
    static Optional<String> current() {
        return Optional.ofNullable(CURRENT.get()).map(call -> call.function);
    }

    /** Reports each step. */
    static void reach(String step) {
        Call call = CURRENT.get();
        if (call != null) {
            call.reach(step);
        }
    }
}
