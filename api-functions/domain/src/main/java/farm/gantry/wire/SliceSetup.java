package farm.gantry.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Slicing settings. The process profile is the part's own, else the one in its 3MF if requested, else the printer's; a
 * user's profile of a printer takes precedence over its system profile. {@code slicer} is the wire name of a slicer, or
 * null for any.
 */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SliceSetup(
        @Nullable Profile machine,
        @Nullable Profile partProcess,
        @Nullable Profile printerProcess,
        List<Profile> filaments,
        boolean use3MFProcessProfile,
        boolean arrangeable,
        @Nullable String slicer) {

    /** The slicer's own defaults. */
    public static final SliceSetup PLAIN = new SliceSetup(null, null, null, List.of(), false, true, null);

    /**
     * A user's profile. {@code data} includes everything inherited from other users' and the API's system profiles;
     * {@code inherits} is empty or names a system profile that only the worker's slicers may know. A slicer's own
     * profile has its number as id and no settings. {@code slicer} is the wire name of the slicer on whose profile it
     * is based, or null if unknown.
     */
    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Profile(
            String id,
            String name,
            String inherits,
            Map<String, Object> data,
            @Nullable String slicer) {}
}
