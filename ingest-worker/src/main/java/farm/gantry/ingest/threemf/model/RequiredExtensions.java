package farm.gantry.ingest.threemf.model;

import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.threemf.archive.SafeXml;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * The extensions of 3MF that a model requires of its reader. Where one is not supported the model would print as another
 * shape, so it is refused. Beam lattices are passed over with a warning of their own.
 */
final class RequiredExtensions {
    private static final String MICROSOFT = "http://schemas.microsoft.com/3dmanufacturing/";
    private static final Set<String> SUPPORTED = Set.of(
            MICROSOFT + "core/2015/02",
            MICROSOFT + "production/2015/06",
            MICROSOFT + "material/2015/02",
            MICROSOFT + "slice/2015/07",
            MICROSOFT + "beamlattice/2017/02",
            MICROSOFT + "beamlattice/balls/2020/07",
            MICROSOFT + "trianglesets/2021/07");

    private static final Map<String, String> NAMES = Map.of(
            "booleanoperations", "boolean operations",
            "securecontent", "secure content",
            "displacement", "displacement",
            "implicit", "implicit",
            "volumetric", "volumetric");

    private static final Pattern NAME = Pattern.compile("https?://[^/]+/3dmanufacturing/(\\w{1,40})/.*");
    private static final int MAX_SHOWN = 200;

    private RequiredExtensions() {}

    /**
     * Checks the root element. A prefix that is not declared counts only where {@code strict}: slicers' projects are
     * lax.
     */
    static void check(XMLStreamReader root, String model, boolean strict) throws BadFileException {
        String required = Objects.requireNonNullElse(SafeXml.attribute(root, "requiredextensions"), "");
        for (String prefix : required.strip().split("\\s+", -1)) {
            if (prefix.isEmpty()) {
                continue;
            }
            String namespace = namespace(root, prefix);
            if (namespace == null && strict) {
                throw new BadFileException(
                        model + " requires an extension under a prefix that it does not declare: " + shown(prefix));
            }
            if (namespace != null && !SUPPORTED.contains(namespace.strip())) {
                throw new BadFileException(model + " requires the 3MF extension " + name(namespace.strip())
                        + ", which is not supported. Export the model without it, as a plain mesh");
            }
        }
    }

    /** The reader may be namespace-aware or not. */
    private static @Nullable String namespace(XMLStreamReader root, String prefix) {
        String declared = SafeXml.attributes(root).get("xmlns:" + prefix);
        return declared == null ? root.getNamespaceURI(prefix) : declared;
    }

    private static String name(String namespace) {
        Matcher name = NAME.matcher(namespace);
        return name.matches() ? NAMES.getOrDefault(name.group(1), name.group(1)) : "'" + shown(namespace) + "'";
    }

    private static String shown(String text) {
        return text.replaceAll("\\p{Cntrl}", "?").substring(0, Math.min(text.length(), MAX_SHOWN));
    }
}
