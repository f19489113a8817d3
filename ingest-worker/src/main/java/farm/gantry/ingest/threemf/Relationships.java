package farm.gantry.ingest.threemf;

import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.threemf.archive.ThreemfArchive;
import farm.gantry.ingest.threemf.archive.XmlElement;
import java.io.IOException;
import java.util.Optional;
import java.util.stream.Stream;

/** The archive's root relationships: which entry is the model, and which the picture of the whole. */
record Relationships(ThreemfArchive archive, XmlElement root) {
    static final String NAME = "_rels/.rels";

    private static final int MAX_SIZE = 1 << 20;
    private static final String USUAL_MODEL = "3D/3dmodel.model";
    private static final String MODEL = "/3dmodel";
    private static final String THUMBNAIL = "/thumbnail";

    static Relationships read(ThreemfArchive archive) throws IOException {
        return new Relationships(archive, XmlElement.root(archive, NAME, MAX_SIZE));
    }

    String model() throws BadFileException {
        if (root.all("Relationship")
                .anyMatch(link -> isOf(MODEL, link) && "External".equals(link.attribute("TargetMode")))) {
            throw new BadFileException("The archive's model lies outside of it, which 3MF forbids");
        }
        if (targets(MODEL).distinct().count() > 1) {
            throw new BadFileException("The archive names more than one model, which 3MF forbids");
        }
        String model = targets(MODEL).findFirst().orElse(root.children().isEmpty() ? USUAL_MODEL : "");
        if (!archive.has(model)) {
            throw new BadFileException(
                    "The archive is not a 3MF: it refers to no model, or to one that it does not contain");
        }
        return model;
    }

    Optional<String> thumbnail() {
        return targets(THUMBNAIL).filter(archive::has).findFirst();
    }

    /** A slicer's project can be printed without its thumbnail. */
    void requireThumbnail() throws BadFileException {
        if (!archive.has(ThreemfArchive.BAMBU_SETTINGS) && targets(THUMBNAIL).anyMatch(entry -> !archive.has(entry))) {
            throw new BadFileException("The archive refers to a thumbnail that it does not contain");
        }
    }

    private static boolean isOf(String kind, XmlElement relationship) {
        String type = relationship.attribute("Type");
        return type != null && type.endsWith(kind);
    }

    private Stream<String> targets(String kind) {
        return root.all("Relationship")
                .filter(relationship -> isOf(kind, relationship))
                .flatMap(relationship -> Stream.ofNullable(relationship.attribute("Target")))
                .map(target -> target.startsWith("/") ? target.substring(1) : target);
    }
}
