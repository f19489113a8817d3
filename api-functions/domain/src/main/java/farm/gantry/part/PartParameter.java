package farm.gantry.part;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import farm.gantry.RecordBuilder;
import farm.gantry.SelfValidating;
import farm.gantry.annotation.Scalar;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A parameter of a part that a build can set, identified by its {@code name}. {@code group} is the heading under which the file lists it.
 */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PartParameter(
        @NotBlank String name,
        Type type,
        @Nullable @Scalar Object value,
        @JsonProperty("default") @Nullable @Scalar Object defaultValue,
        @Nullable String label,
        @Nullable String description,
        @Nullable Double min,
        @Nullable Double max,
        @Nullable Double step,
        @Nullable List<@Valid Option> options,
        @Nullable List<String> acceptedContentTypes,
        @Nullable String defaultUri,
        @Nullable Boolean multiple,
        @Nullable SerialReuse serialReuse,
        @Nullable Sizing sizing,
        @Nullable String group)
        implements SelfValidating {

    /** Checks that ranges are numeric and that values match the parameter's type. */
    @Override
    public List<Fault> faults() {
        Stream<Fault> ofRange = min != null && max != null && min > max
                ? Stream.of(new Fault("min", "range", "must be at most its max"))
                : Stream.empty();
        return Stream.of(ofRange, type.faults("value", value), type.faults("default", defaultValue))
                .flatMap(Function.identity())
                .toList();
    }

    /** Returns the current value: the one that was set, else the file's default. */
    public @Nullable Object effectiveValue() {
        return value == null ? defaultValue : value;
    }

    /** Returns the URI of the file of a parameter of type file: the one that was set, else the default; null if there is none. */
    public @Nullable String fileUri() {
        Object now = effectiveValue();
        return now == null ? defaultUri : now.toString();
    }

    /** Returns a copy with another value. */
    public PartParameter withValue(@Nullable Object other) {
        return RecordBuilder.copyOf(this).with(PartParameter::value, other).build();
    }

    @Serdeable
    public enum Type {
        number,
        string,
        @JsonProperty("boolean")
        FLAG,
        file;

        /** Returns whether a parameter of this type can have the value. */
        boolean admits(Object value) {
            return switch (this) {
                case number -> value instanceof Number;
                case string, file -> value instanceof String;
                case FLAG -> value instanceof Boolean;
            };
        }

        /** Returns the predicate of the message for a value of another type. */
        String requirement() {
            return switch (this) {
                case number -> "must be a number";
                case string -> "must be a string";
                case FLAG -> "must be true or false";
                case file -> "must be the URI of a file";
            };
        }

        /** Returns the faults of a component that must hold a value of this type, or none. */
        public Stream<Fault> faults(String component, @Nullable Object value) {
            return value == null || admits(value)
                    ? Stream.empty()
                    : Stream.of(new Fault(component, "type", requirement()));
        }
    }

    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Option(
            @Scalar(flags = false) Object value, @Nullable String label) {}

    /** Whether the copies of a build share one serial number or draw one each; by default {@code share}. */
    @Serdeable
    public enum SerialReuse {
        share,
        increment
    }

    /** How a replacing text is scaled to the original's box; by default {@code fit}. */
    @Serdeable
    public enum Sizing {
        stretch,
        fit,
        unconstrained
    }
}
