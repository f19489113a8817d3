package farm.gantry.api.apikey;

import farm.gantry.apikey.SecretToken;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A secret part of every key hash, stored outside the database so that a stolen table is not enough. Versions are
 * written as {@code 2:one 1:another}; the first is used for new hashes, and text in another form is version 1. A hash
 * starts with its version, {@code 2$9f86…}, except for version 1.
 */
@Singleton
public final class Pepper {
    private static final Logger LOG = LoggerFactory.getLogger(Pepper.class);
    private static final Pattern VERSION = Pattern.compile("([1-9][0-9]{0,8}):([^\\s:]+)");
    private static final Pattern VERSIONS = Pattern.compile("\\s*" + VERSION + "(\\s+" + VERSION + ")*\\s*");
    private static final Pattern STARTS_WITH_VERSION = Pattern.compile("\\s*[0-9]+:");
    private static final int FIRST = 1;

    private final NavigableMap<Integer, String> versions = new TreeMap<>();
    private final int currentVersion;
    private final String text;

    public Pepper(@Value("${gantry.pepper}") String text) {
        this.text = text;
        if (VERSIONS.matcher(text).matches()) {
            Matcher found = VERSION.matcher(text);
            int first = 0;
            while (found.find()) {
                int version = Integer.parseInt(found.group(1));
                first = first == 0 ? version : first;
                if (versions.put(version, found.group(2)) != null) {
                    throw new IllegalArgumentException("gantry.pepper contains version " + version + " twice");
                }
            }
            this.currentVersion = first;
        } else if (STARTS_WITH_VERSION.matcher(text).lookingAt()) {
            throw new IllegalArgumentException(
                    "gantry.pepper must be versions separated by spaces, as in 2:… 1:…, or a plain text");
        } else {
            versions.put(FIRST, text);
            this.currentVersion = FIRST;
        }
    }

    /**
     * A rotation in two steps: with {@code known} the old version is still used, with {@code used} the new one. Every
     * process must get the first before any gets the second, so that each knows the hashes of the others.
     */
    public record Rotation(String announced, String active) {}

    public Rotation rotate(String fresh) {
        String added = versions.lastKey() + 1 + ":" + fresh;
        StringBuilder versionsText =
                new StringBuilder().append(currentVersion).append(':').append(current());
        versions.forEach((version, value) -> {
            if (version != currentVersion) {
                versionsText.append(' ').append(version).append(':').append(value);
            }
        });
        Rotation rotation = new Rotation(versionsText + " " + added, added + " " + versionsText);
        if (!VERSIONS.matcher(rotation.active()).matches()) {
            throw new IllegalArgumentException(
                    "gantry.pepper contains spaces or colons, so no version can be added to it");
        }
        return rotation;
    }

    /** Returns the version that new signatures use. */
    public String current() {
        return Objects.requireNonNull(versions.get(currentVersion));
    }

    /** Returns all versions with which existing signatures may have been made. */
    public Collection<String> allVersions() {
        return versions.values();
    }

    /** Returns the setting. */
    public String text() {
        return text;
    }

    /** Returns the values by their versions. */
    public Map<Integer, String> values() {
        return Collections.unmodifiableMap(versions);
    }

    /** Returns the version with this value. */
    public Optional<Integer> findVersion(String value) {
        return versions.entrySet().stream()
                .filter(version -> version.getValue().equals(value))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** Returns the oldest version, for values that must stay stable across rotations. */
    public String oldest() {
        return versions.firstEntry().getValue();
    }

    /** Returns the key's hash with the current version. */
    public String hash(SecretToken key, String salt) {
        return (currentVersion == FIRST ? "" : currentVersion + "$") + key.hash(current(), salt);
    }

    /** Whether the hash is that of the key; false if its version is missing. */
    public boolean matches(SecretToken key, String salt, String hash) {
        int version = version(hash);
        String pepper = versions.get(version);
        if (pepper == null) {
            LOG.error(
                    "gantry.pepper lacks version {} that key {} was hashed with; the key is rejected until the version is added again",
                    version,
                    key.id());
            return false;
        }
        return key.matches(pepper, salt, hash.substring(hash.indexOf('$') + 1));
    }

    /** Whether the hash uses another version than the current one. */
    public boolean isOutdated(String hash) {
        return version(hash) != currentVersion;
    }

    private static int version(String hash) {
        int end = hash.indexOf('$');
        return end < 0 ? FIRST : Integer.parseInt(hash.substring(0, end));
    }

    @Override
    public String toString() {
        return "Pepper" + Map.of("versions", versions.keySet());
    }
}
