package farm.gantry.ingest.threemf;

import farm.gantry.ingest.lettering.TextMesh;
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

/** The change of one volume's text. */
record TextChange(TextSlots.Text text, String newText, Sizing sizing) {

    /** Of each slot that is named by a parameter, every volume whose words differ. */
    static List<TextChange> of(TextSlots slots, List<PartParameter> parameters) throws BadFileException {
        List<TextChange> changes = new ArrayList<>();
        Map<String, List<TextSlots.Text>> volumes = slots.volumes();
        for (PartParameter parameter : parameters) {
            if (parameter.value() != null
                    && TextSlots.isKey(parameter.name())
                    && !volumes.containsKey(parameter.name())) {
                throw new BadFileException("The text '" + parameter.value() + "' has no place in the file any more");
            }
        }
        volumes.forEach((key, texts) -> parameters.stream()
                .filter(parameter -> parameter.name().equals(key) && parameter.effectiveValue() != null)
                .findFirst()
                .ifPresent(parameter -> texts.forEach(text -> changes.add(new TextChange(
                        text,
                        String.valueOf(parameter.effectiveValue()),
                        Objects.requireNonNullElse(parameter.sizing(), Sizing.fit))))));
        changes.removeIf(change -> change.newText().equals(change.text().text()));
        return changes;
    }

    boolean isOf(String objectId, String partId) {
        return text.objectId().equals(objectId) && text.partId().equals(partId);
    }

    /** The mesh of the new text in the place of the old; the text lies in a plane of two axes. */
    Mesh textMesh(Mesh old, Consumer<String> warnings) throws BadFileException {
        XmlElement info = text.info();
        Typeface face = Typeface.of(TextSlots.font(info), is(info, "bold", "weight"), is(info, "italic", "style"));
        face.warnings(newText).forEach(warnings);
        return TextMesh.mesh(newText, text.text(), face, old, sizing);
    }

    /** Bambu writes a flag, Prusa a word. */
    private static boolean is(XmlElement info, String look, String attribute) {
        String value = Objects.requireNonNullElse(info.attribute(attribute), "");
        return "1".equals(info.attribute(look))
                || value.toLowerCase(Locale.ROOT).contains(look);
    }

    /** The volume's settings with the new text. */
    XmlElement withNewText(XmlElement volume) {
        return volume.mapChildren(child -> child.equals(text.info()), info -> {
            Map<String, String> attributes = new LinkedHashMap<>(info.attributes());
            attributes.put("text", newText);
            return new XmlElement(info.name(), attributes, info.children());
        });
    }
}
