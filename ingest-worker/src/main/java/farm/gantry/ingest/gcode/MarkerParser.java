package farm.gantry.ingest.gcode;

import farm.gantry.ingest.reading.ExtrusionListener;
import farm.gantry.ingest.reading.GcodeMetadata.Slicer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads what slicers mark in a G-code, mostly in comments: layers, features, objects, blocks and the end of the file. */
final class MarkerParser {
    private static final double NEARLY = 0.01;
    private static final int WHOLE = 100;
    private static final int UNKNOWN = -1;
    private static final String PRINT = "EXECUTABLE_BLOCK";
    private static final String OBJECT = "printing object";

    /** What is extruded and is no part of any object, as the slicers call it. */
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

    /** What Simplify3D prints under comments of these words alone. */
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

    /** Spaced in a text, and not in a binary file's settings. */
    private static final Pattern MAX_LAYER_Z = Pattern.compile("max_layer_z ?=");

    /** What the nozzle prints, as far as comments tell. */
    enum Printing {
        UNMARKED,
        OBJECT,
        BESIDE
    }

    private final Slicer slicer;
    private final ExtrusionListener listener;
    private final List<String> footers;
    private final Set<String> openBlocks = new LinkedHashSet<>();
    private Printing printing = Printing.UNMARKED;
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
        this.footers = Dialects.footers(slicer);
    }

    Printing printing() {
        return printing;
    }

    /** Whether what is extruded now is no part of any object. */
    boolean isBesideObjects() {
        return printing == Printing.BESIDE || flushing;
    }

    /** The percent that a command tells. */
    void progress(int percent) {
        progress = Math.max(progress, percent);
    }

    /** Says that the file ends early, if it does; null where it does not. */
    @Nullable
    String missing() {
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

    /** Says that the lines are missing that the slicer ends a file with, if they are. */
    @Nullable
    String missingFooter() {
        return hasFooter || footers.isEmpty()
                ? null
                : "The G-code has none of the lines that " + slicer.name() + " ends a file with: it may end early";
    }

    void comment(String line) {
        if (!hasFooter) {
            hasFooter = footers.stream().anyMatch(line::startsWith);
        }
        String said = line.substring(1).stripLeading();
        if (said.startsWith("TYPE:")) {
            feature(said.substring(5));
        } else if (said.startsWith("FEATURE:") || said.startsWith("feature ")) {
            feature(said.substring(8));
        } else if (said.startsWith("structure:")) {
            feature(said.substring(10));
        } else if (said.startsWith("'") && said.contains(" Path'")) {
            feature(said.substring(1, said.indexOf(" Path'")));
        } else if (said.equals("LAYER_CHANGE") || said.equals("CHANGE_LAYER")) {
            layer();
        } else if (said.startsWith("LAYER:")) {
            if (!said.startsWith("LAYER:-")) {
                layer();
            }
        } else if (said.startsWith("layer ") || said.startsWith("layer:") || said.contains("--- layer ")) {
            layer();
        } else if (said.startsWith("LAYER_COUNT:")) {
            announcedLayers += count(said.substring(12));
        } else if (said.startsWith("total layer number:")) {
            announcedLayers = count(said.substring(19));
        } else if (said.startsWith("total layers count =")) {
            announcedLayers = count(said.substring(20));
        } else if (said.startsWith("max_z_height:") || MAX_LAYER_Z.matcher(said).lookingAt()) {
            announcedHeight = height(said.substring(said.startsWith("max_z") ? 13 : said.indexOf('=') + 1));
        } else if (said.startsWith("Z:") || said.startsWith("Z_HEIGHT:")) {
            layerHeight = Math.max(layerHeight, height(said.substring(said.indexOf(':') + 1)));
        } else if (said.startsWith("FLUSH_")) {
            flushing = said.equals("FLUSH_START");
        } else if (BARE_FEATURES.contains(said) || BESIDE_OBJECTS.contains(said)) {
            feature(said);
        } else {
            block(said);
        }
    }

    private void feature(String name) {
        mark(BESIDE_OBJECTS.contains(name.strip().toLowerCase(Locale.ROOT)) ? Printing.BESIDE : Printing.OBJECT);
    }

    /** A slicer that marks layers may not mark the features in them. */
    private void layer() {
        layers++;
        mark(printing == Printing.UNMARKED ? Printing.OBJECT : printing);
    }

    private void mark(Printing marked) {
        if (printing == Printing.UNMARKED) {
            listener.discard();
        }
        printing = marked;
    }

    private static int count(String said) {
        Double number = Numbers.of(said);
        return number == null ? 0 : number.intValue();
    }

    private static double height(String said) {
        Double number = Numbers.of(said);
        return number == null ? UNKNOWN : number;
    }

    /** What is begun and has an end of its own. */
    private void block(String said) {
        if (said.endsWith("_BLOCK_START")) {
            openBlocks.add(said.substring(0, said.length() - 6));
        } else if (said.endsWith("_BLOCK_END")) {
            openBlocks.remove(said.substring(0, said.length() - 4));
        } else if (said.endsWith("_config = begin")) {
            openBlocks.add(said.substring(0, said.length() - 8));
        } else if (said.endsWith("_config = end")) {
            openBlocks.remove(said.substring(0, said.length() - 6));
        } else if (said.startsWith("thumbnail")) {
            int space = said.indexOf(' ');
            if (space > 0 && said.startsWith(" begin", space)) {
                openBlocks.add(said.substring(0, space));
            } else if (space > 0 && said.startsWith(" end", space)) {
                openBlocks.remove(said.substring(0, space));
            }
        } else if (said.startsWith("BEGIN_LAYER_OBJECT")) {
            layer();
            openBlocks.add("layer");
        } else if (said.startsWith("END_LAYER_OBJECT")) {
            openBlocks.remove("layer");
        } else if (said.equals("START_OF_HEADER")) {
            openBlocks.add("header");
        } else if (said.equals("END_OF_HEADER")) {
            openBlocks.remove("header");
        } else if (said.startsWith(OBJECT) || said.startsWith("start " + OBJECT)) {
            openBlocks.add(OBJECT);
        } else if (said.startsWith("stop " + OBJECT)) {
            openBlocks.remove(OBJECT);
        }
    }

    /** Klipper's commands that say which object is printed. */
    void command(String command) {
        if (command.startsWith("EXCLUDE_OBJECT_START")) {
            openBlocks.add(OBJECT);
        } else if (command.startsWith("EXCLUDE_OBJECT_END")) {
            openBlocks.remove(OBJECT);
        }
    }
}
