package farm.gantry.ingest.stage;

import farm.gantry.RecordBuilder;
import farm.gantry.ingest.reading.ReadResult;
import farm.gantry.part.Part;
import farm.gantry.part.PartMetadata.TextSlot;
import farm.gantry.part.PartParameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Adds a parameter for each text slot of a project. A slot takes its text from the parameter with its key as name. */
final class TextSlotParameters {
    private TextSlotParameters() {}

    /**
     * A parameter for each slot that has none; null where there is nothing to add. It has no default, since a later version
     * of the file may have another text. The part keeps its own parameters beside them.
     */
    static @Nullable List<PartParameter> withMissingSlots(ReadResult reading, List<PartParameter> declared) {
        if (reading.type() != Part.Type.THREE_MF || reading.metadata() == null) {
            return null;
        }
        Set<String> names = declared.stream().map(PartParameter::name).collect(Collectors.toSet());
        List<PartParameter> added = new ArrayList<>();
        for (TextSlot slot : Objects.requireNonNullElse(reading.metadata().textSlots(), List.<TextSlot>of())) {
            if (names.add(slot.key())) {
                added.add(RecordBuilder.of(PartParameter.class)
                        .with(PartParameter::name, slot.key())
                        .with(PartParameter::type, PartParameter.Type.string)
                        .with(PartParameter::label, slot.label())
                        .with(PartParameter::description, "Replaces the text '" + slot.text() + "'")
                        .build());
            }
        }
        return added.isEmpty() ? null : added;
    }
}
