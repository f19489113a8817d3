package farm.gantry.ingest.gcode;

import farm.gantry.ingest.reading.ExtrusionListener;
import farm.gantry.ingest.reading.GcodeMetadata.Slicer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses the slicers' markers in a G-code, mostly in comments: layers, features, objects, blocks and the end of the
 * file.
 */
final class MarkerParser {
    private static final double NEARLY = 0.01;
    private static final int WHOLE = 100;
    private static final int UNKNOWN = -1;
    private static final String PRINT = "EXECUTABLE_BLOCK";
    private static final String OBJECT = "printing object";

    /** The features that do not belong to any object, as the slicers call them. */
    private static final Set<String> BESIDE_OBJECTS = Set.of(
            "skirt",
            "brim",
            "skirt/brim",
            "raft",
            "custom",
            "purge",
            "prime",
            "flush",
            "ooze shield",
            "draft shield",
            "pre-extrude");

    /** The features that Simplify3D marks by comments of these words alone. */
    private static final Set<String> BARE_FEATURES = Set.of(
            "outer perimeter",
            "inner perimeter",
            "external single extrusion",
            "internal single extrusion",
            "solid layer",
            "infill",
            "gap fill",
            "bridge",
            "support",
            "dense support",
            "prime pillar");

    /** The key has spaces around its {@code =} in text G-code, and none in binary G-code. */
    private static final Pattern MAX_LAYER_Z = Pattern.compile("max_layer_z ?=");

    /** The kind of extrusion that the comments announce. */
    enum ExtrusionKind {
        UNMARKED,
        OBJECT,
        BESIDE
    }

    private final Slicer slicer;
    private final ExtrusionListener listener;
    private final List<String> footers;
    private final Set<String> openBlocks = new LinkedHashSet<>();
    private ExtrusionKind printing = ExtrusionKind.UNMARKED;
    private boolean flushing;
    private int layers;
    private int announcedLayers;
    private double layerHeight = UNKNOWN;
    private double announcedHeight = UNKNOWN;
    private int progress = UNKNOWN;
    private boolean hasFooter;

    MarkerParser(Slicer slicer, ExtrusionListener listener) {
        this.slicer = slicer;
        this.listener = listener;
        this.footers = SlicerDialects.footerPrefixes(slicer);
    }

    ExtrusionKind printing() {
        return printing;
    }

    /** Returns whether the present extrusion does not belong to any object. */
    boolean isBesideObjects() {
        return printing == ExtrusionKind.BESIDE || flushing;
    }

    /** Records the percent of a progress command. */
    void progress(int percent) {
        progress = Math.max(progress, percent);
    }

    /** Returns a message if the file ends early, null otherwise. */
    @Nullable
    String truncationError() {
        boolean printed = progress == WHOLE;
        for (String block : openBlocks) {
            if (!block.equals(PRINT) || !printed) {
                return "The file ends early: its " + block + " is not closed";
            }
        }
        boolean low = layerHeight < announcedHeight - NEARLY;
        boolean unmeasured = layerHeight == UNKNOWN || announcedHeight == UNKNOWN;
        if (layers > 0 && layers < announcedLayers && (low || unmeasured)) {
            return "The file ends early: " + layers + " of its " + announcedLayers + " layers are there";
        }
        if (announcedLayers == 0 && low && !unmeasured) {
            return "The file ends early: at " + layerHeight + " of its " + announcedHeight + " mm";
        }
        return hasFooter || printed || progress == UNKNOWN
                ? null
                : "The file ends early: at " + progress + " % of its print";
    }

    /** Returns a message if the slicer's final lines are missing, null otherwise. */
    @Nullable
    String missingFooterWarning() {
        return hasFooter || footers.isEmpty()
                ? null
                : "The G-code has none of the lines that " + slicer.name() + " ends a file with: it may end early";
    }

    void parseComment(String line) {
        if (!hasFooter) {
            hasFooter = footers.stream().anyMatch(line::startsWith);
        }
        String comment = line.substring(1).stripLeading();
        if (comment.startsWith("TYPE:")) {
            startFeature(comment.substring(5));
        } else if (comment.startsWith("FEATURE:") || comment.startsWith("feature ")) {
            startFeature(comment.substring(8));
        } else if (comment.startsWith("structure:")) {
            startFeature(comment.substring(10));
        } else if (comment.startsWith("'") && comment.contains(" Path'")) {
            startFeature(comment.substring(1, comment.indexOf(" Path'")));
        } else if (comment.equals("LAYER_CHANGE") || comment.equals("CHANGE_LAYER")) {
            startLayer();
        } else if (comment.startsWith("LAYER:")) {
            if (!comment.startsWith("LAYER:-")) {
                startLayer();
            }
        } else if (comment.startsWith("layer ") || comment.startsWith("layer:") || comment.contains("--- layer ")) {
            startLayer();
        } else if (comment.startsWith("LAYER_COUNT:")) {
            announcedLayers += count(comment.substring(12));
        } else if (comment.startsWith("total layer number:")) {
            announcedLayers = count(comment.substring(19));
        } else if (comment.startsWith("total layers count =")) {
            announcedLayers = count(comment.substring(20));
        } else if (comment.startsWith("max_z_height:")
                || MAX_LAYER_Z.matcher(comment).lookingAt()) {
            announcedHeight = height(comment.substring(comment.startsWith("max_z") ? 13 : comment.indexOf('=') + 1));
        } else if (comment.startsWith("Z:") || comment.startsWith("Z_HEIGHT:")) {
            layerHeight = Math.max(layerHeight, height(comment.substring(comment.indexOf(':') + 1)));
        } else if (comment.startsWith("FLUSH_")) {
            flushing = comment.equals("FLUSH_START");
        } else if (BARE_FEATURES.contains(comment) || BESIDE_OBJECTS.contains(comment)) {
            startFeature(comment);
        } else {
            trackBlock(comment);
        }
    }

    private void startFeature(String name) {
        setKind(
                BESIDE_OBJECTS.contains(name.strip().toLowerCase(Locale.ROOT))
                        ? ExtrusionKind.BESIDE
                        : ExtrusionKind.OBJECT);
    }

    /** Starts a layer. A slicer that marks layers may not mark the features in them. */
    private void startLayer() {
        layers++;
        setKind(printing == ExtrusionKind.UNMARKED ? ExtrusionKind.OBJECT : printing);
    }

    private void setKind(ExtrusionKind marked) {
        if (printing == ExtrusionKind.UNMARKED) {
            listener.discard();
        }
        printing = marked;
    }

    private static int count(String comment) {
        Double number = NumberParser.of(comment);
        return number == null ? 0 : number.intValue();
    }

    private static double height(String comment) {
        Double number = NumberParser.of(comment);
        return number == null ? UNKNOWN : number;
    }

    /** Tracks blocks, which have a start and an end marker. */
    private void trackBlock(String comment) {
        if (comment.endsWith("_BLOCK_START")) {
            openBlocks.add(comment.substring(0, comment.length() - 6));
        } else if (comment.endsWith("_BLOCK_END")) {
            openBlocks.remove(comment.substring(0, comment.length() - 4));
        } else if (comment.endsWith("_config = begin")) {
            openBlocks.add(comment.substring(0, comment.length() - 8));
        } else if (comment.endsWith("_config = end")) {
            openBlocks.remove(comment.substring(0, comment.length() - 6));
        } else if (comment.startsWith("thumbnail")) {
            int space = comment.indexOf(' ');
            if (space > 0 && comment.startsWith(" begin", space)) {
                openBlocks.add(comment.substring(0, space));
            } else if (space > 0 && comment.startsWith(" end", space)) {
                openBlocks.remove(comment.substring(0, space));
            }
        } else if (comment.startsWith("BEGIN_LAYER_OBJECT")) {
            startLayer();
            openBlocks.add("layer");
        } else if (comment.startsWith("END_LAYER_OBJECT")) {
            openBlocks.remove("layer");
        } else if (comment.equals("START_OF_HEADER")) {
            openBlocks.add("header");
        } else if (comment.equals("END_OF_HEADER")) {
            openBlocks.remove("header");
        } else if (comment.startsWith(OBJECT) || comment.startsWith("start " + OBJECT)) {
            openBlocks.add(OBJECT);
        } else if (comment.startsWith("stop " + OBJECT)) {
            openBlocks.remove(OBJECT);
        }
    }

    /** Handles Klipper's commands that name the present object. */
    void command(String command) {
        if (command.startsWith("EXCLUDE_OBJECT_START")) {
            openBlocks.add(OBJECT);
        } else if (command.startsWith("EXCLUDE_OBJECT_END")) {
            openBlocks.remove(OBJECT);
        }
    }
}
