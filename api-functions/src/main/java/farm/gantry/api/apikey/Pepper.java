package farm.gantry.api.apikey;

import farm.gantry.apikey.KeyText;
import io.micronaut.context.annotation.Value;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The install's own part of every key hash: kept beside the program, so that a stolen table is not enough. It has versions,
 * as {@code 2:one 1:another}, of which the first hashes what is new; a text of no such form is version 1. A hash says of
 * which version it is, unless of the first of all: {@code 2$9f86…}.
 */
@Singleton
public final class Pepper {
    private static final Logger LOG = LoggerFactory.getLogger(Pepper.class);
    private static final Pattern VERSION = Pattern.compile("([1-9][0-9]{0,8}):([^\\s:]+)");
    private static final Pattern VERSIONS = Pattern.compile("\\s*" + VERSION + "(\\s+" + VERSION + ")*\\s*");
    private static final Pattern BEGUN = Pattern.compile("\\s*[0-9]+:");
    private static final int FIRST = 1;

    private final NavigableMap<Integer, String> versions = new TreeMap<>();
    private final int used;

    public Pepper(@Value("${gantry.pepper}") String text) {
        if (VERSIONS.matcher(text).matches()) {
            Matcher found = VERSION.matcher(text);
            int first = 0;
            while (found.find()) {
                int version = Integer.parseInt(found.group(1));
                first = first == 0 ? version : first;
                if (versions.put(version, found.group(2)) != null) {
                    throw new IllegalArgumentException("gantry.pepper holds version " + version + " twice");
                }
            }
            this.used = first;
        } else if (BEGUN.matcher(text).lookingAt()) {
            throw new IllegalArgumentException(
                    "gantry.pepper is to be versions apart by spaces, 2:… 1:…, or a plain text");
        } else {
            versions.put(FIRST, text);
            this.used = FIRST;
        }
    }

    /**
     * The same with another version: {@code known} still uses the one before, {@code used} the new one. Several processes
     * all get the first before any gets the second, so that each knows what another hashes.
     */
    public record Rotation(String known, String used) {}

    public Rotation rotated(String fresh) {
        String added = versions.lastKey() + 1 + ":" + fresh;
        StringBuilder kept = new StringBuilder().append(used).append(':').append(current());
        versions.forEach((version, value) -> {
            if (version != used) {
                kept.append(' ').append(version).append(':').append(value);
            }
        });
        Rotation rotation = new Rotation(kept + " " + added, added + " " + kept);
        if (!VERSIONS.matcher(rotation.used()).matches()) {
            throw new IllegalArgumentException(
                    "gantry.pepper holds spaces or colons, and can have no other version beside it");
        }
        return rotation;
    }

    /** What is new is signed with this. */
    public String current() {
        return Objects.requireNonNull(versions.get(used));
    }

    /** What was signed may be of any of these. */
    public Collection<String> all() {
        return versions.values();
    }

    /** Stays the same as long as no version is taken away: for what must be known again. */
    public String oldest() {
        return versions.firstEntry().getValue();
    }

    /** The key's hash, of the version that is used. */
    public String hash(KeyText key, String salt) {
        return (used == FIRST ? "" : used + "$") + key.hash(current(), salt);
    }

    /** Whether the hash is the key's; one of a version that this install has lost is nobody's. */
    public boolean matches(KeyText key, String salt, String hash) {
        int version = version(hash);
        String pepper = versions.get(version);
        if (pepper == null) {
            LOG.error("gantry.pepper lacks version {}, of which the hash of key {} is", version, key.id());
            return false;
        }
        return key.matches(pepper, salt, hash.substring(hash.indexOf('$') + 1));
    }

    /** Whether the hash is of another version than what is new. */
    public boolean isOld(String hash) {
        return version(hash) != used;
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
