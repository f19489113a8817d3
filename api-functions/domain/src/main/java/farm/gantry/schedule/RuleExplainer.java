package farm.gantry.schedule;

import farm.gantry.job.PrintJob;
import farm.gantry.material.Assignment;
import farm.gantry.part.PrintTags;
import farm.gantry.part.Toolpath;
import farm.gantry.printer.BedSize;
import farm.gantry.printer.PrintableArea;
import farm.gantry.printer.Printer;
import farm.gantry.printer.PrinterSlot;
import farm.gantry.printer.TemperatureLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Puts what the rules find into words. {@code names} is what people call the records that the words are about. */
public record RuleExplainer(JobMatcher matching, Map<String, String> names) {

    /** The printers in the order in which one of them would be chosen. */
    public static List<Candidate> sortByPreference(List<Candidate> printers) {
        return printers.stream().sorted(Candidate.BY_LAST_USE).toList();
    }

    /** Every rule in its order, whether it holds, and why. */
    public List<RuleResult> checks(Requirement job, Candidate printer) {
        return Arrays.stream(Rule.values())
                .map(rule -> check(rule, job, printer))
                .toList();
    }

    private RuleResult check(Rule rule, Requirement job, Candidate printer) {
        boolean passed = matching.passes(rule, job, printer);
        return new RuleResult(
                rule.code(), passed, rule.label(), passed ? explainPass(rule, job, printer) : explainFailure(rule, job, printer));
    }

    /** Returns the rules that prevent the printer from getting the job; empty when none does. */
    public Optional<RuleResult> findObstacle(Requirement job, Candidate printer) {
        return Arrays.stream(Rule.values())
                .filter(rule -> matching.preventsAssignment(rule, job) && !matching.passes(rule, job, printer))
                .map(rule -> check(rule, job, printer))
                .findFirst();
    }

    /** Returns the slot for each filament of the job. */
    public SortedMap<Integer, PrintJob.Slot> assignSlots(Requirement job, Candidate printer) {
        return matching.assignSlots(job, printer);
    }

    /** The grams that the spools of the printer lack for the job, 0 where they suffice or are not known. */
    public double lackingGrams(Requirement job, Candidate printer) {
        return matching.lackingGrams(job, printer).values().stream()
                .mapToDouble(Double::doubleValue)
                .sum();
    }

    private String describeFilamentAmount(Requirement job, Candidate printer) {
        if (!job.need().isKnown()) {
            return "How much filament the job takes is not known.";
        } else if (!matching.lackingGrams(job, printer).isEmpty()) {
            return "The spool has too little left, and the printer switches to another one by itself.";
        }
        return printer.spools().isKnown()
                ? "The spools that the job takes from are not known to have too little left."
                : "How much is left of what is loaded is not known.";
    }

    private static String grams(double grams) {
        return String.format(Locale.ROOT, "%.1f g", grams);
    }

    private String explainPass(Rule rule, Requirement job, Candidate printer) {
        return switch (rule) {
            case ENABLED -> "The printer is switched on for automatic assignment.";
            case ONLINE -> "The printer is online.";
            case STATE_KNOWN -> "The printer's state is known, and it reports no fault.";
            case AVAILABLE -> "No job is on the printer.";
            case READY ->
                printer.condition().bed().isConfirmed()
                        ? "The bed was confirmed to be clear."
                        : "Continuous printing is on, and the bed was not used since it was last clear.";
            case PROFILES_CONFIGURED ->
                job.needsSlicing()
                        ? "A machine profile and a process profile are there to slice the file with."
                        : "The file is ready G-code.";
            case MODEL_MATCH -> describeModel(job, printer.printer());
            case NOZZLE_MATCH ->
                job.made() == null
                        ? "The file is sliced for the printer's nozzle."
                        : job.made().nozzleDiameter().isBlank()
                                ? "The file does not say which nozzle it was made for."
                                : "The file was made for the printer's " + nozzleText(printer) + " nozzle.";
            case FITS_VOLUME ->
                job.size() == null
                        ? "How much room the print needs was not measured."
                        : printer.printer().bedSize() == null
                                ? "How much room the printer has is not known: give it a machine profile."
                                : "The print needs " + describeSize(job.size()) + ", the printer has "
                                        + describeSize(printer.printer().bedSize()) + ".";
            case FITS_AREA ->
                job.toolpath() == null
                        ? "Where the G-code prints was not measured."
                        : ToolpathCheck.areas(printer.printer()).isEmpty()
                                ? "The area of the printer's bed is not known: give it a machine profile."
                                : describeOverride(job, printer.printer(), "The G-code prints on the bed.");
            case TEMPERATURE_LIMIT ->
                job.toolpath() == null
                        ? "The temperatures of the G-code were not read."
                        : describeOverride(job, printer.printer(), "The G-code stays within the printer's temperatures.");
            case EXTRUDES ->
                job.toolpath() == null
                        ? "The G-code was not read."
                        : describeOverride(job, printer.printer(), "The G-code extrudes filament, or moves nothing.");
            case SLOTS_LOADED ->
                printer.filaments().isEmpty()
                        ? "The job asks for no particular filament."
                        : "Loaded: " + describeLoaded(printer) + ".";
            case TAGS_MATCH ->
                job.tags().equals(new PrintTags(null, null, null, null, null, null))
                        ? "The job asks for no tags."
                        : "The printer has all that the job's tags ask for.";
            case MATERIAL_MATCH ->
                JobMatcher.asksForMaterial(job)
                        ? "Filaments come from " + describeSlots(matching.assignSlots(job, printer)) + "."
                        : "The job prints with whatever is loaded.";
            case MATERIAL_SUFFICIENT -> describeFilamentAmount(job, printer);
            case FILAMENT_PROFILES ->
                job.needsSlicing()
                        ? "Each filament of the job has a profile to slice with."
                        : "The file is ready G-code and needs no filament profile.";
            case IN_MAINTENANCE -> "The printer is not in maintenance.";
            case QUARANTINED -> "The printer is not in quarantine.";
            case FAILED_THERE ->
                job.failedOn().isEmpty()
                        ? "The job failed nowhere, or nothing else can print it."
                        : "The job has not failed on this printer.";
            case PART_HELD -> "The job's part is not on hold.";
            case QUEUE_PAUSED -> "The queue is not paused.";
            case THROTTLED ->
                printer.printer().throttleGroupId() == null
                        ? "The printer is in no throttle group."
                        : "The throttle group " + displayName(printer.printer().throttleGroupId()) + " has a place free.";
        };
    }

    private String explainFailure(Rule rule, Requirement job, Candidate candidate) {
        Printer printer = candidate.printer();
        return switch (rule) {
            case ENABLED -> "The printer is switched off for automatic assignment: switch it on.";
            case ONLINE -> describeOffline(printer);
            case STATE_KNOWN ->
                candidate.condition().heldBack() == null
                        ? "What the printer does is not known, or it is in fault: see its state."
                        : candidate.condition().heldBack();
            case AVAILABLE ->
                printer.printingJobId() == null
                        ? "The printer is busy with something the farm did not start."
                        : "The printer has print job " + printer.printingJobId() + ".";
            case READY ->
                candidate.condition().isClearing()
                        ? "A macro is clearing the bed."
                        : candidate.condition().bed().isUnverified()
                                ? "The bed was confirmed while the printer was out of reach: its next report verifies that."
                                : "Nobody has confirmed that the bed is clear: look at it and confirm that it is ready.";
            case PROFILES_CONFIGURED -> describeMissingProfiles(job, candidate);
            case MODEL_MATCH -> describeModel(job, printer);
            case NOZZLE_MATCH ->
                "The file was made for a nozzle of " + describeTarget(job, Requirement.FileTarget::nozzleDiameter)
                        + " mm, the printer has one of " + nozzleText(candidate) + ".";
            case FITS_VOLUME ->
                "The print needs a bed of " + describeSize(job.size()) + ", the printer has one of " + describeSize(printer.bedSize())
                        + ".";
            case FITS_AREA ->
                "The G-code prints at " + describeArea(job.toolpath()) + ", the printer's bed is "
                        + describeArea(ToolpathCheck.areas(printer).getFirst()) + ": slice it for this printer.";
            case TEMPERATURE_LIMIT -> describeExcessTemperature(job.toolpath(), TemperatureLimits.of(printer));
            case EXTRUDES -> "The G-code moves and extrudes nothing, so it is not a print.";
            case SLOTS_LOADED ->
                "Nothing is known to be loaded: load filament, or say which is in the printer's slots.";
            case TAGS_MATCH -> "The printer lacks " + String.join(", ", missingTags(job.tags(), candidate)) + ".";
            case MATERIAL_MATCH ->
                matching.unmetFilaments(job, candidate).stream()
                                .map(unmet -> "Filament " + (unmet.getKey() + 1) + " asks for "
                                        + unmet.getValue().stream()
                                                .map(this::describeWish)
                                                .collect(Collectors.joining(" or ")))
                                .collect(Collectors.joining("; "))
                        + ". Loaded: " + describeLoaded(candidate) + ".";
            case MATERIAL_SUFFICIENT ->
                matching.lackingGrams(job, candidate).entrySet().stream()
                                .map(lack -> "The spool in " + describeSlot(lack.getKey()) + " lacks " + grams(lack.getValue())
                                        + " for the job")
                                .collect(Collectors.joining(". "))
                        + ".";
            case FILAMENT_PROFILES ->
                matching.filamentsWithoutProfile(job, candidate).isEmpty()
                        ? "No filament profile says at which temperatures to print: say what is loaded in the printer and give"
                                + " its material a filament profile, or give a default one to the store."
                        : "There is no filament profile for "
                                + matching.filamentsWithoutProfile(job, candidate).stream()
                                        .map(this::describeFilament)
                                        .collect(Collectors.joining(", "))
                                + ": give one to the material, or a default one to the store.";
            case IN_MAINTENANCE -> "The printer is in maintenance.";
            case QUARANTINED ->
                "The printer is in quarantine until somebody releases it. "
                        + Objects.requireNonNullElse(printer.quarantineReason(), "");
            case FAILED_THERE -> "The job failed on this printer, and another can print it.";
            case PART_HELD -> "The job's part is on hold until somebody releases it: see its heldReason.";
            case QUEUE_PAUSED -> "The queue is paused until somebody resumes it: see its reason.";
            case THROTTLED ->
                "As many printers of the throttle group " + displayName(printer.throttleGroupId())
                        + " are heating up as may at once: a job given to this one starts when one of them is done.";
        };
    }

    private static String describeOffline(Printer printer) {
        if (printer.commMethod() != Printer.CommMethod.fuse) {
            return "Only printers of the commMethod fuse are served.";
        } else if (printer.proxyClientId() == null) {
            return "No agent serves the printer: set its proxyClientId.";
        } else if (printer.deviceId() == null) {
            return "The printer has no deviceId, by which its agent would know it.";
        }
        return "The printer or its agent cannot be reached.";
    }

    private String describeMissingProfiles(Requirement job, Candidate candidate) {
        List<String> missing = new ArrayList<>();
        if (!matching.hasMachineProfile() && !candidate.hasMachineProfile()) {
            missing.add("machine profile");
        }
        if (!matching.hasProcessProfile() && !job.hasProcess() && !candidate.hasProcessProfile()) {
            missing.add("process profile");
        }
        return "The file must be sliced, and the printer has no " + String.join(" and no ", missing) + ".";
    }

    private String describeModel(Requirement job, Printer printer) {
        String made = describeTarget(job, Requirement.FileTarget::modelName);
        return switch (matching.compareModel(job, printer)) {
            case NOT_MADE_YET -> "The file is sliced for the printer.";
            case AGREES -> "The file was made for the printer's model, or says that it suits it.";
            case OVERRIDDEN ->
                "The file was made for the model " + made + ", which the job's tags or the store's settings override.";
            case UNKNOWN ->
                "The model of the file (" + (made.isBlank() ? "it does not say" : made) + ") or of the printer ("
                        + (printer.modelName() == null ? "it has none" : printer.modelName())
                        + ") is not in the catalogue, so that they cannot be compared.";
            case OTHER_FORMAT ->
                "The file is an archive sliced for the model " + made + ", which only printers of vendorA can print.";
            case OTHER_MODEL ->
                "The file was made for the model " + made + ", the printer is a " + printer.modelName()
                        + ": slice it for this model, or name this printer or its model in the job's tags.";
        };
    }

    private static String describeTarget(Requirement job, Function<Requirement.FileTarget, String> what) {
        return job.made() == null ? "" : what.apply(job.made());
    }

    private static String describeSize(@Nullable BedSize size) {
        return size == null
                ? "unknown size"
                : String.format(Locale.ROOT, "%.0f x %.0f x %.0f mm", size.x(), size.y(), size.z());
    }

    private String describeOverride(Requirement job, Printer printer, String otherwise) {
        return matching.checkToolpath(job, printer).isOverridden()
                ? "The job's tags name the printer or its model, which overrides the check."
                : otherwise;
    }

    private static String describeArea(@Nullable Toolpath toolpath) {
        return toolpath == null || toolpath.minX() == null
                ? "an unknown place"
                : String.format(
                        Locale.ROOT,
                        "X %.0f to %.0f, Y %.0f to %.0f mm",
                        toolpath.minX(),
                        toolpath.maxX(),
                        toolpath.minY(),
                        toolpath.maxY());
    }

    private static String describeArea(PrintableArea area) {
        return String.format(
                Locale.ROOT, "X %.0f to %.0f, Y %.0f to %.0f mm", area.minX(), area.maxX(), area.minY(), area.maxY());
    }

    private static String describeExcessTemperature(@Nullable Toolpath toolpath, TemperatureLimits limits) {
        return toolpath == null
                ? ""
                : "The G-code heats the nozzle to %s and the bed to %s °C, the printer's limits are %.0f and %.0f °C:"
                                .formatted(
                                        celsius(toolpath.maxNozzleTemperature()),
                                        celsius(toolpath.maxBedTemperature()),
                                        limits.nozzle(),
                                        limits.bed())
                        + " slice it again, or declare maxTemperature in the printer's printerCapabilityPatch.";
    }

    private static String celsius(@Nullable Double temperature) {
        return temperature == null ? "no set" : String.format(Locale.ROOT, "%.0f", temperature);
    }

    private static String nozzleText(Candidate candidate) {
        String diameter = candidate.printer().nozzleDiameter();
        return diameter.endsWith("mm") ? diameter : diameter + " mm";
    }

    private static List<String> missingTags(PrintTags tags, Candidate candidate) {
        Printer printer = candidate.printer();
        List<String> missing = new ArrayList<>();
        check(missing, "printer.id", tags.printerId(), List.of(printer.id()));
        check(missing, "printer.modelName", tags.modelName(), listOfNullable(printer.modelName()));
        check(missing, "printer.nozzleDiameter", tags.nozzleDiameter(), listOfNullable(printer.nozzleDiameter()));
        check(
                missing,
                "printer.provider",
                tags.provider(),
                listOfNullable(printer.provider() == null ? null : printer.provider().wireName()));
        check(missing, "user.tags", tags.userTags(), printer.tags());
        check(missing, "filament.type", tags.filamentType(), JobMatcher.filamentTypes(candidate.filaments()));
        return missing;
    }

    private static List<String> listOfNullable(@Nullable String value) {
        return value == null ? List.of() : List.of(value);
    }

    private static void check(List<String> missing, String tag, @Nullable String rule, Collection<String> present) {
        if (!JobMatcher.fits(rule, present)) {
            missing.add(
                    tag + " " + rule + " (it has " + (present.isEmpty() ? "none" : String.join(", ", present)) + ")");
        }
    }

    private String describeWish(Assignment wish) {
        if (wish.variantId() != null) {
            return "the variant " + displayName(wish.variantId());
        } else if (wish.materialId() != null) {
            return "the material " + displayName(wish.materialId());
        } else if (wish.materialType() != null) {
            return "any " + wish.materialType();
        }
        return "one of the group " + displayName(wish.groupId());
    }

    private String describeLoaded(Candidate candidate) {
        return candidate.filaments().isEmpty()
                ? "nothing"
                : candidate.filaments().stream().map(this::describeFilament).collect(Collectors.joining(", "));
    }

    private String describeFilament(SlotFilament filament) {
        String what = filament.variantId() != null
                ? displayName(filament.variantId())
                : filament.materialId() != null ? displayName(filament.materialId()) : filament.materialType();
        return describeSlot(filament.slot()) + " " + (what == null ? "of an unknown type" : what);
    }

    private static String describeSlots(SortedMap<Integer, PrintJob.Slot> mapping) {
        return mapping.values().stream().map(RuleExplainer::describeSlot).distinct().collect(Collectors.joining(", "));
    }

    private static String describeSlot(PrintJob.Slot slot) {
        return PrinterSlot.name(slot.amsIndex(), slot.slotIndex());
    }

    private String displayName(@Nullable String id) {
        return id == null ? "" : names.getOrDefault(id, id);
    }
}
