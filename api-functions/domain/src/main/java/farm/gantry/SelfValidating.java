package farm.gantry;

import java.util.List;

/** A record whose components must agree, wherever it stands in a body. */
public interface SelfValidating {
    /** A fault of a component that contradicts another. */
    record Fault(String component, String code, String message) {}

    List<Fault> faults();
}
