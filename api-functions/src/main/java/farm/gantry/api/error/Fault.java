package farm.gantry.api.error;

import io.micronaut.serde.annotation.Serdeable;

/**
 * A validation error of a request body: the path of the field ({@code materials[2].color}), a stable code and a
 * message.
 */
@Serdeable
public record Fault(String path, String code, String message) {
    Fault withPath(String place) {
        return new Fault(place, code, message.replace(path, place).strip());
    }
}
