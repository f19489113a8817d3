package farm.gantry.ingest.threemf;

import farm.gantry.ingest.threemf.archive.ArchiveRewrite.EntryContent;
import farm.gantry.ingest.threemf.archive.ThreemfArchive;
import farm.gantry.ingest.threemf.archive.XmlElement;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The relationships of a piece of an archive: those to entries that it holds, with the pictures of its own plate. */
record PlateRelationships(ThreemfArchive archive, int plate, Predicate<String> isInPiece) {
    private static final int MAX_BYTES = 1 << 20;
    private static final String FOLDER = "_rels/";
    private static final Pattern PLATE_PICTURE = Pattern.compile("(/Metadata/plate_)\\d{1,3}((?:_small)?\\.png)");

    void rewrite(Map<String, EntryContent> changed) throws IOException {
        for (String name : archive.names()) {
            if (name.endsWith(".rels") && name.contains(FOLDER) && isInPiece.test(name)) {
                changed.put(name, EntryContent.of(relationships(name).toXml()));
            }
        }
    }

    private XmlElement relationships(String name) throws IOException {
        String folder = name.substring(0, name.lastIndexOf(FOLDER));
        return XmlElement.root(archive, name, MAX_BYTES)
                .mapChildren(_ -> name.equals(Relationships.NAME), this::withOwnPicture)
                .with(relationship -> isToHeldEntry(relationship, folder));
    }

    /** The whole was shown by its first plate; the piece is shown by its own. */
    private XmlElement withOwnPicture(XmlElement relationship) {
        Map<String, String> attributes = new LinkedHashMap<>(relationship.attributes());
        attributes.computeIfPresent(
                "Target",
                (_, target) -> PLATE_PICTURE.matcher(target).replaceAll(part -> part.group(1) + plate + part.group(2)));
        return new XmlElement(relationship.name(), attributes, relationship.children());
    }

    private boolean isToHeldEntry(XmlElement relationship, String folder) {
        String target = relationship.attribute("Target");
        if (target == null || "External".equals(relationship.attribute("TargetMode"))) {
            return true;
        }
        String entry = target.startsWith("/") ? target.substring(1) : folder + target;
        return archive.has(entry) && isInPiece.test(entry);
    }
}
