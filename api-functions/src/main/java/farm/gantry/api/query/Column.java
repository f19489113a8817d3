package farm.gantry.api.query;

import java.util.List;

/**
 * One component of a resource record, as its table and its lists see it. {@code omitted} columns are left out of the
 * JSON when null, {@code merged} ones added to by a change; {@code sealedKeys} names the secrets inside a JSON column.
 */
public record Column(
        String name,
        FieldType type,
        boolean systemSet,
        boolean createOnly,
        boolean computed,
        boolean secret,
        boolean omitted,
        boolean merged,
        List<String> sealedKeys) {}
