package farm.gantry.ingest.stage.violation;

import farm.gantry.RecordBuilder;
import farm.gantry.part.PartParameter;

/** Breaks a rule: it names a field of a record by a string. */
final class FieldByStringViolation {
    private FieldByStringViolation() {}

    static PartParameter renamed(PartParameter parameter) {
        return RecordBuilder.copyOf(parameter).with("name", "other").build();
    }
}
