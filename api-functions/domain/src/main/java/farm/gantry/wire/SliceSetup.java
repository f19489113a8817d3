package farm.gantry.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a part is sliced with. Of the process profiles the part's own wins, then the one inside its 3MF if that is asked
 * for, then the printer's; a user's profile for a printer has already won over its system profile. {@code slicer} is the
 * interface's word for one, or null for whichever there is.
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

    /** Nothing but what the slicer itself would do. */
    public static final SliceSetup PLAIN = new SliceSetup(null, null, null, List.of(), false, true, null);

    /**
     * A user's profile, whose {@code data} holds all it inherits from other users' and the API's system profiles; {@code
     * inherits} is empty, or names the system profile below it that only the worker's slicers may know. A profile that a
     * slicer brings along has its number for an id and no settings of its own. {@code slicer} is the interface's word for the
     * slicer whose profile is among those that it rests on, or null where the API does not know of one.
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
