package farm.gantry.api.error;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the known name that is most similar to a misspelled one. */
public final class SimilarName {
    /** The characters of a name that are compared, because a body can contain names of any length. */
    private static final int MAX_LENGTH = 100;

    private SimilarName() {}

    /** Returns the end of a message about an unknown name, which suggests a known one; empty if there are none. */
    public static String suggest(String name, Collection<String> known) {
        return find(name, known)
                .map(similar -> "; the most similar one is " + similar)
                .orElse("");
    }

    /** Returns the most similar of the known names, without regard to case; empty if there are none. */
    public static Optional<String> find(String name, Collection<String> known) {
        String lower = name.substring(0, Math.min(name.length(), MAX_LENGTH)).toLowerCase(Locale.ROOT);
        return known.stream()
                .min(Comparator.comparingInt(other -> editDistance(lower, other.toLowerCase(Locale.ROOT))));
    }

    /** Returns the Levenshtein distance. */
    private static int editDistance(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int change = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[other.length()];
    }
}
