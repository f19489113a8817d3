package farm.gantry.ingest.file;

import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.reading.DetectedFileType;
import farm.gantry.ingest.reading.GcodeMetadata;
import farm.gantry.ingest.reading.Picture;
import farm.gantry.ingest.reading.Picture.Use;
import farm.gantry.ingest.reading.ReadResult;
import farm.gantry.ingest.threemf.ThreemfReader;
import farm.gantry.part.Part;
import farm.gantry.part.PartMetadata;
import farm.gantry.part.PartMetadata.Plate;
import farm.gantry.part.PartMetadata.Plate.Pictures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The metadata of a 3MF, with its pictures as data URLs, for a preview before it becomes a part. */
public record ThreemfExtract(
        PartMetadata metadata,
        List<Part.PartMaterial> materials,
        @Nullable GcodeMetadata gcode,
        List<String> thumbnails) {
    private static final long MAX_PICTURE = 512 << 10;
    private static final long MAX_TOTAL_SIZE = 3 << 20;

    private record Key(Use use, int plateId) {}

    /**
     * The folder is empty and the caller's to remove. A file that is no 3MF, or a bad one, is a {@link
     * BadFileException}.
     */
    public static ThreemfExtract of(Path file, Path folder) throws IOException {
        ReadResult reading;
        List<Picture> pictures;
        try {
            DetectedFileType content = DetectedFileType.detect(file);
            content.requireType(Part.Type.gcode3mf);
            if (content != DetectedFileType.ZIP) {
                throw new BadFileException("The file is not a 3mf file");
            }
            reading = new ThreemfReader(Part.Type.gcode3mf).readMetadata(file);
            pictures = PartReaders.extractPictures(file, reading.type(), folder);
        } catch (OutOfMemoryError | StackOverflowError | RuntimeException broken) {
            throw new BadFileException("The file could not be read: it is damaged or of an unknown kind", broken);
        }
        if (reading.metadata() == null) {
            throw new BadFileException("The file has no metadata");
        }
        Map<Key, String> data = data(pictures);
        List<String> thumbnails = new ArrayList<>();
        pictures.stream()
                .filter(picture -> picture.use() == Use.THUMBNAIL)
                .map(picture -> data.get(new Key(picture.use(), picture.plateId())))
                .forEach(address -> {
                    if (address != null) {
                        thumbnails.add(address);
                    }
                });
        return new ThreemfExtract(
                reading.metadata().with(null, plate -> plate.withData(inlined(plate, data))),
                reading.materials() == null ? List.of() : reading.materials(),
                reading.firstGcode(),
                thumbnails);
    }

    /** Pictures that would make the response too large are left out. */
    private static Map<Key, String> data(List<Picture> pictures) throws IOException {
        Map<Key, String> data = new HashMap<>();
        long left = MAX_TOTAL_SIZE;
        for (Picture picture : pictures) {
            long size = Files.size(picture.file());
            if (size <= Math.min(left, MAX_PICTURE)) {
                left -= size;
                data.put(
                        new Key(picture.use(), picture.plateId()),
                        "data:image/png;base64,"
                                + Base64.getEncoder().encodeToString(Files.readAllBytes(picture.file())));
            }
        }
        return data;
    }

    private static Pictures inlined(Plate plate, Map<Key, String> data) {
        return new Pictures(
                data.get(new Key(Use.PICK, plate.id())),
                data.get(new Key(Use.TOP, plate.id())),
                data.get(new Key(Use.THUMBNAIL, plate.id())),
                null);
    }
}
