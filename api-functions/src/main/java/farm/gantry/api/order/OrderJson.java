package farm.gantry.api.order;

import farm.gantry.api.json.StorableText;
import io.micronaut.json.tree.JsonNode;
import org.jspecify.annotations.Nullable;

/** Reads members of the JSON of an order. */
final class OrderJson {
    private OrderJson() {}

    /** Returns a member that is a text, else null. Text that cannot be stored is rejected when the record is parsed. */
    static @Nullable String text(@Nullable JsonNode body, String name) {
        JsonNode member = member(body, name);
        return member != null && member.isString() && StorableText.isStorable(member.getStringValue())
                ? member.getStringValue()
                : null;
    }

    /** Returns a member that is present and not null, else null. */
    static @Nullable JsonNode member(@Nullable JsonNode body, String name) {
        JsonNode member = body == null ? null : body.get(name);
        return member == null || member.isNull() ? null : member;
    }
}
