package farm.gantry.version;

import java.util.Optional;
import java.util.ResourceBundle;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A semantic version of Gantry. Server and agent work together if they have the same major version and their minor
 * versions differ by at most one.
 */
public record ProductVersion(int major, int minor, String text) {
    private static final Pattern SEMANTIC =
            Pattern.compile("(\\d{1,6})\\.(\\d{1,6})\\.\\d{1,6}(?:[-+][0-9A-Za-z.+-]{1,64})?");

    /** The version of this build. */
    public static final ProductVersion CURRENT = read();

    /** Parses a version such as {@code 1.2.0} or {@code 1.2.0-beta.1}; empty if the text is none. */
    public static Optional<ProductVersion> parse(String text) {
        Matcher matcher = SEMANTIC.matcher(text);
        return matcher.matches()
                ? Optional.of(new ProductVersion(
                        Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)), text))
                : Optional.empty();
    }

    private static ProductVersion read() {
        String text = ResourceBundle.getBundle("farm.gantry.version.version").getString("version");
        return parse(text).orElseThrow(() -> new IllegalStateException("not a version: " + text));
    }

    /** Returns whether a server and an agent of these versions work together. */
    public boolean isCompatibleWith(ProductVersion other) {
        return major == other.major && Math.abs(minor - other.minor) <= 1;
    }

    public boolean isOlderThan(ProductVersion other) {
        return major != other.major ? major < other.major : minor < other.minor;
    }

    @Override
    public String toString() {
        return text;
    }
}
