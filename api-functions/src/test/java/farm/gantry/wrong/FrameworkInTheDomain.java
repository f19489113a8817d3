package farm.gantry.wrong;

import io.micronaut.http.HttpStatus;

public record FrameworkInTheDomain(HttpStatus status) {}
