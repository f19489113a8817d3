package farm.gantry;

import java.util.List;

/** A record whose components must agree, wherever it stands in a body. */
public interface Consistent {
    /** What is wrong with a component, where another says so. */
    record Fault(String component, String code, String message) {}

    List<Fault> faults();
}
