package farm.gantry.api.error;

import io.micronaut.json.tree.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Collects the faults of one request, so that all of them are reported at once. */
public final class Faults {
    private static final int MAX_COUNT = 1000;

    private final List<Fault> faults = new ArrayList<>();

    /** Adds a fault; a request with very many is refused with the first of them, and read no further. */
    public void add(String path, String code, String message) {
        faults.add(new Fault(path, code, message));
        if (faults.size() >= MAX_COUNT) {
            check();
        }
    }

    /** The result of the reading; empty if it failed, with its faults added under the path. */
    public <T> Optional<T> read(String path, Supplier<T> reading) {
        try {
            return Optional.of(reading.get());
        } catch (ProblemException refused) {
            if (!(refused.problem() instanceof Problem.Invalid invalid)) {
                throw refused;
            }
            invalid.faults().forEach(fault -> add(joinPaths(path, fault.path()), fault.code(), fault.message()));
            return Optional.empty();
        }
    }

    /** Runs the check, and adds its faults under the path. */
    public void run(String path, Runnable check) {
        read(path, () -> {
            check.run();
            return path;
        });
    }

    private static String joinPaths(String path, String within) {
        return path.isEmpty() || within.isEmpty() || within.startsWith("[") ? path + within : path + "." + within;
    }

    /** Reads each element of an array. */
    public <T> List<T> readEach(String path, JsonNode array, Function<JsonNode, T> reading) {
        if (!array.isArray()) {
            add(path, "type", (path + " must be an array").strip());
            return List.of();
        }
        List<T> read = new ArrayList<>();
        for (int i = 0; i < array.size(); i++) {
            JsonNode element = array.get(i);
            read(path + "[" + i + "]", () -> reading.apply(element)).ifPresent(read::add);
        }
        return read;
    }

    public int size() {
        return faults.size();
    }

    /** Fails with all faults, if there are any. */
    public void check() {
        if (!faults.isEmpty()) {
            throw new ProblemException(new Problem.Invalid(List.copyOf(faults)));
        }
    }
}
