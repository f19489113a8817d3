package farm.gantry.api.error;

import io.micronaut.serde.annotation.Serdeable;

/** One thing wrong with a body: where ({@code materials[2].color}), a stable code, and a sentence. */
@Serdeable
public record Fault(String path, String code, String message) {
    Fault withPath(String place) {
        return new Fault(place, code, message.replace(path, place).strip());
    }
}
