package farm.gantry.ingest.threemf;

import farm.gantry.ingest.lettering.Lettering;
import farm.gantry.ingest.lettering.Typeface;
import farm.gantry.ingest.mesh.Mesh;
import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.part.PartParameter;
import farm.gantry.part.PartParameter.Sizing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/** One volume that is to bear other words. */
record TextChange(TextSlots.Text text, String words, Sizing sizing) {

    /** Of each slot that is named by a parameter, every volume whose words differ. */
    static List<TextChange> of(TextSlots slots, List<PartParameter> parameters) {
        List<TextChange> changes = new ArrayList<>();
        slots.volumes()
                .forEach((key, texts) -> parameters.stream()
                        .filter(parameter -> parameter.name().equals(key) && parameter.effective() != null)
                        .findFirst()
                        .ifPresent(parameter -> texts.forEach(text -> changes.add(new TextChange(
                                text,
                                String.valueOf(parameter.effective()),
                                Objects.requireNonNullElse(parameter.sizing(), Sizing.fit))))));
        changes.removeIf(change -> change.words().equals(change.text().text()));
        return changes;
    }

    boolean isOf(String objectId, String partId) {
        return text.objectId().equals(objectId) && text.partId().equals(partId);
    }

    /** The words in the place of the old letters; the text lies in a plane of two axes. */
    Mesh lettered(Mesh old, Consumer<String> warnings) throws BadFileException {
        Element info = text.info();
        Typeface face = Typeface.of(TextSlots.font(info), is(info, "bold", "weight"), is(info, "italic", "style"));
        face.warnings(words).forEach(warnings);
        return Lettering.mesh(words, text.text(), face, old, sizing);
    }

    /** Bambu has a flag for it, Prusa a word. */
    private static boolean is(Element info, String look, String attribute) {
        String said = Objects.requireNonNullElse(info.attribute(attribute), "");
        return "1".equals(info.attribute(look)) || said.toLowerCase(Locale.ROOT).contains(look);
    }

    /** The volume with the words in its settings, for whoever opens the project next. */
    Element reworded(Element volume) {
        return volume.mapped(child -> child.equals(text.info()), info -> {
            Map<String, String> attributes = new LinkedHashMap<>(info.attributes());
            attributes.put("text", words);
            return new Element(info.name(), attributes, info.children());
        });
    }
}
