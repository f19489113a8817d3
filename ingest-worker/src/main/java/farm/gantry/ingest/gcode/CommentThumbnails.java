package farm.gantry.ingest.gcode;

import farm.gantry.ingest.reading.BadFileException;
import farm.gantry.ingest.reading.ImageConversion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Thumbnails that slicers write into comments, as base64 between {@code thumbnail begin} and {@code thumbnail end}. */
final class CommentThumbnails {
    private static final Pattern BEGIN =
            Pattern.compile(";\\s*(thumbnail\\w*) begin\\s+(\\d{1,4})\\s*x\\s*(\\d{1,4})\\b.*");
    private static final Pattern END = Pattern.compile(";\\s*thumbnail\\w* end.*");
    private static final int MAX_LENGTH = 1 << 22;

    /** Other formats are for the screens of particular printers; browsers do not show them. */
    private static final Set<String> SHOWN = Set.of("thumbnail", "thumbnail_PNG", "thumbnail_JPG", "thumbnail_QOI");

    private CommentThumbnails() {}

    /** One picture, still as text. */
    private record Thumbnail(int area, String base64) {}

    /** Writes the largest thumbnail that browsers show to a file. Returns null if there is no thumbnail. */
    static @Nullable Path extractLargest(HeadAndTail ends, Path folder) throws IOException {
        List<Thumbnail> found = parse(ends).stream()
                .sorted(Comparator.comparingInt(Thumbnail::area).reversed())
                .toList();
        for (Thumbnail thumbnail : found) {
            byte[] image = image(thumbnail);
            if (image != null) {
                return Files.write(folder.resolve("thumbnail.png"), image);
            }
        }
        if (!found.isEmpty()) {
            throw new BadFileException("The pictures inside the G-code are broken");
        }
        return null;
    }

    private static byte @Nullable [] image(Thumbnail thumbnail) {
        try {
            return ImageConversion.toPng(Base64.getMimeDecoder().decode(thumbnail.base64()));
        } catch (IllegalArgumentException broken) {
            return null;
        }
    }

    private static List<Thumbnail> parse(HeadAndTail ends) {
        List<Thumbnail> found = new ArrayList<>();
        var base64 = new StringBuilder();
        List<Thumbnail> open = new ArrayList<>(1);
        ends.forEachLine(line -> {
            var begin = BEGIN.matcher(line);
            if (begin.matches()) {
                open.clear();
                base64.setLength(0);
                if (SHOWN.contains(begin.group(1))) {
                    int area = Integer.parseInt(begin.group(2)) * Integer.parseInt(begin.group(3));
                    open.add(new Thumbnail(area, ""));
                }
            } else if (END.matcher(line).matches()) {
                open.forEach(one -> found.add(new Thumbnail(one.area(), base64.toString())));
                open.clear();
            } else if (!open.isEmpty() && base64.length() < MAX_LENGTH) {
                base64.append(line, 1, line.length());
            }
        });
        return found;
    }

    /** Skips the lines of pictures among the comments. */
    static final class ThumbnailLineFilter {
        private final AtomicBoolean inside = new AtomicBoolean();

        /**
         * Returns whether the line belongs to a thumbnail. A thumbnail without an end marker ends at the first line
         * that is not base64.
         */
        boolean isPicture(String line) {
            if (BEGIN.matcher(line).matches()) {
                inside.set(true);
                return true;
            }
            if (inside.get() && (line.length() < 3 || line.indexOf(' ', 2) >= 0)) {
                inside.set(false);
            }
            return inside.get();
        }
    }
}
