package farm.gantry.notification;

import farm.gantry.SelfValidating;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The title and text of a channel's messages, with placeholders such as {@code {printer}}. Each replaces that of Gantry; null keeps it.
 */
@Serdeable
public record MessageTemplate(
        @Nullable @Size(max = 100) @Pattern(regexp = "[^\\x00-\\x1f\\x7f]*", message = "must be one line")
        String title,

        @Nullable @Size(max = 500) String text)
        implements SelfValidating {
    private static final java.util.regex.Pattern PLACEHOLDER = java.util.regex.Pattern.compile("\\{([^{}]*)}");

    /** A placeholder of a template: Gantry's own title and sentence, the reason, a name, or the address of the page in the console. */
    public enum Placeholder {
        title,
        sentence,
        reason,
        printer,
        part,
        order,
        spool,
        agent,
        link;

        private static final String ALL =
                Arrays.stream(values()).map(each -> "{" + each + "}").collect(Collectors.joining(", "));
    }

    @Override
    public List<Fault> faults() {
        List<Fault> faults = new ArrayList<>();
        addFault(faults, "title", title);
        addFault(faults, "text", text);
        return faults;
    }

    private static void addFault(List<Fault> faults, String component, @Nullable String template) {
        if (template != null) {
            PLACEHOLDER
                    .matcher(template)
                    .results()
                    .filter(found -> !isKnown(found.group(1)))
                    .map(found -> new Fault(
                            component,
                            "invalid",
                            "contains the unknown placeholder " + found.group() + "; the placeholders are "
                                    + Placeholder.ALL))
                    .forEach(faults::add);
        }
    }

    private static boolean isKnown(String name) {
        return Arrays.stream(Placeholder.values()).anyMatch(each -> each.name().equals(name));
    }

    /** Returns a checked title or text with the values of its placeholders. Braces in a value are no placeholders. */
    public static String fill(String template, Function<Placeholder, String> values) {
        return PLACEHOLDER
                .matcher(template)
                .replaceAll(found -> Matcher.quoteReplacement(values.apply(Placeholder.valueOf(found.group(1)))));
    }
}
