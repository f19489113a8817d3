package farm.gantry.api.query;

import java.util.List;

/**
 * One component of a resource record, as its table and its lists see it. {@code omitted} columns are left out of the
 * JSON when null, {@code onRequest} ones unless they are asked for, {@code merged} ones added to by a change; {@code sealedKeys} names the secrets inside a JSON column,
 * {@code words} those of a choice.
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

    /** The word of a choice as it is kept, however its letters are cased; others stay, and match nothing. */
    String spelled(String word) {
        return words.stream().filter(word::equalsIgnoreCase).findFirst().orElse(word);
    }
}
