package farm.gantry.builds;

/** Collects validation faults: the path of the field, a stable error code and a message. */
@FunctionalInterface
public interface FaultSink {
    void add(String path, String code, String message);
}
