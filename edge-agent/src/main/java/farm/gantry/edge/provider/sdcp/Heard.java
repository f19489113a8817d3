package farm.gantry.edge.provider.sdcp;

import java.util.Map;

/** What comes in from a printer unasked, or soon after it was asked for its status. */
sealed interface Heard {

    /** How it is, all of it. */
    record Status(String mainboardId, Map<String, Object> status) implements Heard {}

    record Closed(String reason) implements Heard {}
}
