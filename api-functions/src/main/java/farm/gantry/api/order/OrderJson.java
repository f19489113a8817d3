package farm.gantry.api.order;

import farm.gantry.api.json.StorableText;
import io.micronaut.json.tree.JsonNode;
import org.jspecify.annotations.Nullable;

/** Reads members of the JSON of an order. */
final class OrderJson {
    private OrderJson() {}

    /** A member that is a text; one that cannot be stored is refused when the record is read. */
    static @Nullable String text(@Nullable JsonNode body, String name) {
        JsonNode member = member(body, name);
        return member != null && member.isString() && StorableText.isStorable(member.getStringValue())
                ? member.getStringValue()
                : null;
    }

    /** A member that is there and not null. */
    static @Nullable JsonNode member(@Nullable JsonNode body, String name) {
        JsonNode member = body == null ? null : body.get(name);
        return member == null || member.isNull() ? null : member;
    }
}
