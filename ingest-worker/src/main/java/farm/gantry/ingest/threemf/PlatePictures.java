package farm.gantry.ingest.threemf;

import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.reading.Picture;
import farm.gantry.ingest.reading.Picture.Use;
import farm.gantry.ingest.reading.Png;
import farm.gantry.ingest.threemf.archive.ThreemfArchive;
import farm.gantry.ingest.threemf.archive.XmlElement;
import farm.gantry.part.PartMetadata.Plate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The pictures a slicer drew of each plate, or the one of the whole where there are no plates. */
record PlatePictures(ThreemfArchive archive, Path folder) {
    private static final int MAX_SIZE = 4 << 20;
    static final ThreemfArchive.Limits LIMITS = new ThreemfArchive.Limits(10_000, 32L << 20, 256L << 20, 250);

    List<Picture> extract() throws IOException {
        List<Picture> pictures = new ArrayList<>();
        XmlElement settings = XmlElement.root(archive, ThreemfArchive.BAMBU_SETTINGS, PlateParser.MAX_SIZE);
        for (Plate plate : new PlateParser(archive, settings, SliceInfo.read(archive), List.of()).read()) {
            String usual = "plate_" + plate.id() + ".png";
            String thumbnail = Objects.requireNonNullElse(plate.thumbnailFile(), "Metadata/" + usual);
            add(pictures, Use.THUMBNAIL, plate.id(), thumbnail, usual);
            add(pictures, Use.TOP, plate.id(), plate.topFile(), "top_" + plate.id() + ".png");
            add(pictures, Use.PICK, plate.id(), plate.pickFile(), "pick_" + plate.id() + ".png");
        }
        if (pictures.stream().noneMatch(picture -> picture.use() == Use.THUMBNAIL)) {
            add(
                    pictures,
                    Use.THUMBNAIL,
                    0,
                    Relationships.read(archive).thumbnail().orElse(null),
                    "thumbnail.png");
        }
        return pictures;
    }

    private void add(List<Picture> pictures, Use use, int plateId, @Nullable String entry, String name)
            throws IOException {
        if (entry == null || !archive.has(entry)) {
            return;
        }
        byte[] image = archive.read(entry, MAX_SIZE);
        if (!Png.isSafe(image)) {
            throw new BadFileException("The picture " + entry + " is not a PNG of at most " + Png.MAX_SIDE + " pixels");
        }
        pictures.add(new Picture(use, plateId, Files.write(folder.resolve(name), image)));
    }
}
