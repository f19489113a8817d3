package farm.gantry.ingest.threemf;

import farm.gantry.ingest.lettering.TextMeshBuilder;
import farm.gantry.ingest.lettering.Typeface;
import farm.gantry.ingest.mesh.Mesh;
import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.threemf.archive.XmlElement;
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
record TextReplacement(TextSlots.TextVolume text, String newText, Sizing sizing) {

    /** Of each slot that is named by a parameter, every volume whose words differ. */
    static List<TextReplacement> findAll(TextSlots slots, List<PartParameter> parameters) throws BadFileException {
        List<TextReplacement> changes = new ArrayList<>();
        Map<String, List<TextSlots.TextVolume>> volumes = slots.volumes();
        for (PartParameter parameter : parameters) {
            if (parameter.value() != null
                    && TextSlots.isKey(parameter.name())
                    && !volumes.containsKey(parameter.name())) {
                throw new BadFileException(
                        "The text '" + parameter.value() + "' belongs to a text slot that the file no longer has");
            }
        }
        volumes.forEach((key, texts) -> parameters.stream()
                .filter(parameter -> parameter.name().equals(key) && parameter.effectiveValue() != null)
                .findFirst()
                .ifPresent(parameter -> texts.forEach(text -> changes.add(new TextReplacement(
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
        Typeface face = Typeface.find(
                TextSlots.font(info), hasStyle(info, "bold", "weight"), hasStyle(info, "italic", "style"));
        face.warnings(newText).forEach(warnings);
        return TextMeshBuilder.build(newText, text.text(), face, old, sizing);
    }

    /** Bambu writes a flag, Prusa a word. */
    private static boolean hasStyle(XmlElement info, String look, String attribute) {
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
