package farm.gantry.schedule;

import farm.gantry.material.Assignment;
import farm.gantry.part.Part;
import farm.gantry.part.PrintTags;
import farm.gantry.printer.BedSize;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * What a job asks of a printer; jobs that ask the same find a printer or none together. {@code materials} is filament
 * index → what may be printed with, {@code filaments} what the file itself says of those not named there.
 * {@code hasProcess} is whether the part brings its own process profile; {@code nozzleDiameter} is what its G-code was
 * made for, null where it is not known or yet to be made; {@code size} is the room it needs, if that is known.
 */
public record Requirement(
        PrintTags tags,
        SortedMap<Integer, List<Assignment>> materials,
        List<Part.PartMaterial> filaments,
        boolean needsSlicing,
        boolean hasProcess,
        @Nullable String nozzleDiameter,
        @Nullable BedSize size) {}
