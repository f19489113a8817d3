package farm.gantry.api;

import java.util.List;
import java.util.Map;

/** A request as it stands on the wire; the target is a path and a raw query. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Call(String method, String target, List<Map.Entry<String, String>> headers, byte[] body) {}
