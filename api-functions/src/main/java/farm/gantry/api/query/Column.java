package farm.gantry.api.query;

import java.util.List;

/**
 * One component of a resource record as a column of its table and a field of its lists. {@code omitted} columns are left
 * out of the JSON when null, {@code onRequest} ones unless requested; a change is merged into {@code merged} ones.
 * {@code sealedKeys} are the keys of secrets inside a JSON column, {@code words} the allowed values of a choice.
 */
public record Column(
        String name,
        FieldType type,
        boolean systemSet,
        boolean createOnly,
        boolean computed,
        boolean onRequest,
        boolean secret,
        boolean omitted,
        boolean merged,
        List<String> sealedKeys,
        List<String> words) {

    /** The stored spelling of a choice's value, matched without regard to case; unknown values are returned as they are. */
    String canonicalSpelling(String word) {
        return words.stream().filter(word::equalsIgnoreCase).findFirst().orElse(word);
    }
}
