package farm.gantry.ingest.slicer;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** The names of settings that a slicer may be given. */
final class AllowedSettings {
    /** A name of any other form is no setting: slicers trim blanks, and a line break would begin another setting. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_]+");

    /** Settings that could run programs, write elsewhere or read other files; OrcaSlicer takes some in any case. */
    private static final Set<String> FORBIDDEN = Set.of(
            "post_process",
            "output_filename_format",
            "filename_format",
            "inherits",
            "inherits_cummulative",
            "inherits_group",
            "bed_custom_model",
            "bed_custom_texture");

    private AllowedSettings() {}

    /** Returns whether a setting of this name cannot do more than shape the print. */
    static boolean isAllowed(String key) {
        return NAME.matcher(key).matches() && !FORBIDDEN.contains(key.toLowerCase(Locale.ROOT));
    }
}
