package farm.gantry.ingest.stage;

import farm.gantry.part.PartParameter;
import farm.gantry.wire.IngestRequest;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Encodes a request's inputs beside its main file as a text to be hashed: different inputs never have the same text.
 */
final class InputText {
    private InputText() {}

    /** A number is not the text that looks like it; a text also depends on how it fills its place. */
    static String of(List<PartParameter> parameters) {
        return parameters.stream()
                .map(parameter -> quoted(parameter.name()) + "=" + value(content(parameter)) + "," + parameter.sizing())
                .collect(Collectors.joining("\n"));
    }

    /** A kept file is never replaced: its address says what it holds. */
    private static @Nullable Object content(PartParameter parameter) {
        return parameter.type() == PartParameter.Type.file ? parameter.fileUri() : parameter.effectiveValue();
    }

    private static String value(@Nullable Object value) {
        return value instanceof String text ? quoted(text) : String.valueOf(value);
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }

    /** Included files are found by name, so names are part of the key. */
    static String names(IngestRequest request) {
        return request.fileUris().stream()
                .skip(1)
                .map(uri -> uri.substring(uri.lastIndexOf('/') + 1) + "\n")
                .collect(Collectors.joining());
    }
}
