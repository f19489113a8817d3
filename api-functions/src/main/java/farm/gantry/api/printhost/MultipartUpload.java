package farm.gantry.api.printhost;

import farm.gantry.api.error.ProblemException;
import farm.gantry.api.file.StoredFile;
import io.micronaut.http.MediaType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.fileupload2.core.MultipartInput;
import org.apache.commons.fileupload2.core.ParameterParser;
import org.jspecify.annotations.Nullable;

/**
 * A form with one file and text fields, as slicers send it. The file is stored while it arrives, so its size does not
 * matter; {@code fileName} is as sent.
 */
record MultipartUpload(StoredFile file, String fileName, Fields fields) {
    private static final int MAX_FIELD_BYTES = 10_000;
    private static final int MAX_FIELDS = 100;

    /** The text fields of a form. */
    record Fields(Map<String, String> byName) {
        /** Returns the text of a field, empty if the form has none of that name. */
        String get(String name) {
            return byName.getOrDefault(name, "");
        }
    }

    /** Stores the file of a form. */
    interface FileStore {
        /** Stores the file, or rejects it for its name or for the fields that came before it. */
        StoredFile store(String fileName, Fields before, InputStream bytes) throws IOException;

        /** Deletes the file of a form that is broken after it. */
        void delete(StoredFile file);
    }

    /** Reads a form; 400 if it is broken or has no file. */
    static MultipartUpload read(@Nullable String contentType, InputStream body, FileStore store) throws IOException {
        MultipartInput input = MultipartInput.builder()
                .setInputStream(body)
                .setBoundary(boundary(contentType).getBytes(StandardCharsets.ISO_8859_1))
                .get();
        input.setHeaderCharset(StandardCharsets.UTF_8);
        StoredFile file = null;
        String fileName = "";
        Fields fields = new Fields(new HashMap<>());
        boolean isComplete = false;
        try {
            boolean hasNext = input.skipPreamble();
            for (int count = 0; hasNext; count++) {
                if (count == MAX_FIELDS) {
                    throw broken("the form has more than " + MAX_FIELDS + " fields");
                }
                Map<String, String> disposition = disposition(input.readHeaders());
                String name = disposition.get("filename");
                if (name == null) {
                    fields.byName().put(disposition.getOrDefault("name", ""), text(input.newInputStream()));
                } else if (file != null) {
                    throw broken("the form has more than one file");
                } else {
                    fileName = name;
                    file = store.store(name, fields, input.newInputStream());
                }
                hasNext = input.readBoundary();
            }
            isComplete = true;
        } catch (MultipartInput.MalformedStreamException e) {
            throw broken("the form ends early or is not a multipart form");
        } finally {
            if (file != null && !isComplete) {
                store.delete(file);
            }
        }
        if (file == null) {
            throw ProblemException.invalid("file", "required", "file is required: send the file as the field 'file'");
        }
        return new MultipartUpload(file, fileName, fields);
    }

    private static String boundary(@Nullable String contentType) {
        return Optional.ofNullable(contentType)
                .filter(type -> type.startsWith(MediaType.MULTIPART_FORM_DATA))
                .flatMap(type -> Optional.ofNullable(parameters(type).get("boundary")))
                .orElseThrow(() -> broken("send the file as multipart/form-data with a boundary"));
    }

    private static Map<String, String> disposition(String headers) {
        return headers.lines()
                .filter(line -> line.regionMatches(true, 0, "content-disposition:", 0, 20))
                .findFirst()
                .map(MultipartUpload::parameters)
                .orElseThrow(() -> broken("a field of the form has no Content-Disposition"));
    }

    private static Map<String, String> parameters(String header) {
        ParameterParser parser = new ParameterParser();
        parser.setLowerCaseNames(true);
        return parser.parse(header, ';');
    }

    private static String text(InputStream field) throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        text.write(field.readNBytes(MAX_FIELD_BYTES));
        if (field.read() >= 0) {
            throw broken("a text field of the form is longer than " + MAX_FIELD_BYTES + " bytes");
        }
        return text.toString(StandardCharsets.UTF_8);
    }

    private static ProblemException broken(String reason) {
        return ProblemException.invalid("body", "invalid", reason);
    }
}
