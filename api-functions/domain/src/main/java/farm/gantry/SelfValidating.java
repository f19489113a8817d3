package farm.gantry;

import java.util.List;

/** A record that checks rules across its own components, at any depth of a request body. */
public interface SelfValidating {
    /** A component that contradicts another: its name, a stable error code and a message. */
    record Fault(String component, String code, String message) {}

    List<Fault> faults();
}
