package farm.gantry.api.json;

import farm.gantry.api.error.ProblemException;
import io.micronaut.json.tree.JsonNode;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Finds the ignored fields of bodies by the key of their shape. */
@Singleton
public final class BodyNames {
    private final Map<String, BodyShape> shapes = new ConcurrentHashMap<>();
    private final AtomicInteger count = new AtomicInteger();

    /** Adds a shape and returns its key. */
    public String add(BodyShape shape) {
        String key = String.valueOf(count.incrementAndGet());
        shapes.put(key, shape);
        return key;
    }

    /**
     * Returns the paths of the fields that are ignored in a body of the shape with this key.
     *
     * @throws ProblemException if {@code isStrict} and some are unknown
     */
    public List<String> ignored(String key, JsonNode body, boolean isStrict) {
        BodyShape shape = shapes.get(key);
        if (shape == null) {
            return List.of();
        }
        IgnoredFields ignored = new IgnoredFields(isStrict);
        ignored.find(shape, body);
        return ignored.paths();
    }
}
