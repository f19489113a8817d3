package farm.gantry.api.wrong;

public record NameHelper() {}
