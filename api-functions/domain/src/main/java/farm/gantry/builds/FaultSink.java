package farm.gantry.builds;

/** Takes faults: the path, a stable code, and a sentence. */
@FunctionalInterface
public interface FaultSink {
    void add(String path, String code, String message);
}
