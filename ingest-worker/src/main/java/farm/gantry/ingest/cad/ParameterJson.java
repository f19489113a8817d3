package farm.gantry.ingest.cad;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import farm.gantry.part.PartParameter;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;

/** Values by name, as the commands of Python models get them. */
final class ParameterJson {
    private static final JsonFactory JSON = new JsonFactory();

    private ParameterJson() {}

    static String of(List<PartParameter> parameters) throws IOException {
        var text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            for (PartParameter parameter : parameters) {
                Object value = parameter.effectiveValue();
                json.writeFieldName(parameter.name());
                switch (value) {
                    case null -> json.writeNull();
                    case Boolean flag -> json.writeBoolean(flag);
                    case Number number -> json.writeNumber(number.toString());
                    default -> json.writeString(value.toString());
                }
            }
            json.writeEndObject();
        }
        return text.toString();
    }
}
