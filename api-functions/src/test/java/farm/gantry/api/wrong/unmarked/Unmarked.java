package farm.gantry.api.wrong.unmarked;

public record Unmarked() {}
