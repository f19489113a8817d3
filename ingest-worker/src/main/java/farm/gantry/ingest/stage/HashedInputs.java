package farm.gantry.ingest.stage;

import farm.gantry.part.PartParameter;
import farm.gantry.wire.IngestRequest;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Encodes a request's inputs beside its main file as a text to be hashed: different inputs never have the same text.
 */
final class HashedInputs {
    private HashedInputs() {}

    /** Encodes parameters. A number and a text that looks like it differ; a text includes its sizing. */
    static String encode(List<PartParameter> parameters) {
        return parameters.stream()
                .map(parameter -> quoted(parameter.name()) + "=" + value(content(parameter)) + "," + parameter.sizing())
                .collect(Collectors.joining("\n"));
    }

    /** Returns the value, or the address of a file, whose content never changes. */
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
    static String encodeNames(IngestRequest request) {
        return request.fileUris().stream()
                .skip(1)
                .map(uri -> uri.substring(uri.lastIndexOf('/') + 1) + "\n")
                .collect(Collectors.joining());
    }
}
