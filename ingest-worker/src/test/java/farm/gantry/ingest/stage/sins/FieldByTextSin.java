package farm.gantry.ingest.stage.sins;

import farm.gantry.RecordBuilder;
import farm.gantry.part.PartParameter;

/** Breaks a rule: it names a field by text. */
final class FieldByTextSin {
    private FieldByTextSin() {}

    static PartParameter renamed(PartParameter parameter) {
        return RecordBuilder.copyOf(parameter).with("name", "other").build();
    }
}
