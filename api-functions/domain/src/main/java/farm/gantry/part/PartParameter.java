package farm.gantry.part;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import farm.gantry.SelfValidating;
import farm.gantry.RecordBuilder;
import farm.gantry.Scalar;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One thing about a part that a build may set; everything binds by its {@code name}. {@code group} is the heading that
 * the file shows it under.
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

    /** A range holds a number, and values are of the parameter's type. */
    @Override
    public List<Fault> faults() {
        Stream<Fault> ofRange = min != null && max != null && min > max
                ? Stream.of(new Fault("min", "range", "must be at most its max"))
                : Stream.empty();
        return Stream.of(
                        ofRange,
                        ParameterCheck.checkType("value", type, value),
                        ParameterCheck.checkType("default", type, defaultValue))
                .flatMap(Function.identity())
                .toList();
    }

    /** Returns the current value: the one that was set, or else that of the file. */
    public @Nullable Object effectiveValue() {
        return value == null ? defaultValue : value;
    }

    /** Of a parameter of type file, the address of its file: the one that was set, or else the fallback; null where there is none. */
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
        file
    }

    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Option(
            @Scalar(flags = false) Object value, @Nullable String label) {}

    /** Whether the copies of a build share one serial number or draw one each; absent means {@code share}. */
    @Serdeable
    public enum SerialReuse {
        share,
        increment
    }

    /** How new text fills the place of the old; absent means {@code fit}. */
    @Serdeable
    public enum Sizing {
        stretch,
        fit,
        unconstrained
    }
}
