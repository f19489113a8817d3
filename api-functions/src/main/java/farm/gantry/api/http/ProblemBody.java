package farm.gantry.api.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import farm.gantry.api.error.Fault;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The body of every 4xx and 5xx response; {@code error} is a stable code, {@code message} is for people. */
@Serdeable
@JsonInclude(JsonInclude.Include.NON_NULL)
record ProblemBody(
        int statusCode,
        String error,
        String message,
        String requestId,
        @Nullable List<Fault> details,
        @Nullable List<String> conflicts,
        @Nullable List<String> missing,
        @Nullable String address) {}
