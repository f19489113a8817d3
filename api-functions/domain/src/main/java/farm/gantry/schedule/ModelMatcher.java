package farm.gantry.schedule;

import farm.gantry.job.TagRule;
import farm.gantry.part.PrintTags;
import farm.gantry.printer.PrinterModelCatalog;
import farm.gantry.printer.Printer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks whether G-code may be printed by a machine of another model, format or nozzle than it was made for. */
record ModelMatcher(PrinterModelCatalog models, boolean allowsOtherModels) {
    /** The result of comparing the printer model a file was made for with that of a printer. */
    enum Result {
        NOT_MADE_YET,
        AGREES,
        OVERRIDDEN,
        UNKNOWN,
        OTHER_FORMAT,
        OTHER_MODEL;

        boolean passes() {
            return switch (this) {
                case NOT_MADE_YET, AGREES, OVERRIDDEN, UNKNOWN -> true;
                case OTHER_FORMAT, OTHER_MODEL -> false;
            };
        }
    }

    /** Naming one printer or one model overrides the model, and never the format. */
    Result compare(Requirement job, Printer printer) {
        Requirement.FileTarget made = job.made();
        if (made == null) {
            return Result.NOT_MADE_YET;
        }
        if (made.isArchive() && !mayPrintArchive(printer.provider(), made)) {
            return Result.OTHER_FORMAT;
        }
        String modelName = printer.modelName();
        if (modelName == null || modelName.isBlank() || made.modelName().isBlank()) {
            return Result.UNKNOWN;
        }
        if (models.isSameModel(made.modelName(), modelName)
                || made.agreeing().stream().anyMatch(name -> models.isSameModel(name, modelName))) {
            return Result.AGREES;
        }
        boolean areKnown = models.key(made.modelName()) != null && models.key(modelName) != null;
        if (!areKnown && !models.haveDifferentMakers(made.modelName(), modelName)) {
            return Result.UNKNOWN;
        }
        return allowsOtherModels || namesOneMachine(job.tags()) ? Result.OVERRIDDEN : Result.OTHER_MODEL;
    }

    /** Returns whether no other make is the only one that prints the archives of the models that it was sliced for. */
    private boolean mayPrintArchive(Printer.@Nullable Provider provider, Requirement.FileTarget made) {
        return Stream.of(Printer.Provider.values())
                .filter(make -> make != provider)
                .noneMatch(make -> {
                    String vendor = make.make().archivesOf();
                    return vendor != null
                            && (models.isOf(vendor, made.modelName())
                                    || made.agreeing().stream().anyMatch(name -> models.isOf(vendor, name)));
                });
    }

    /** Returns whether the job's tags name one printer or one model. */
    static boolean namesOneMachine(PrintTags tags) {
        return isSingleValue(tags.modelName()) || isSingleValue(tags.printerId());
    }

    private static boolean isSingleValue(@Nullable String rule) {
        return rule != null
                && switch (TagRule.parse(rule)) {
                    case TagRule.All all -> all.values().size() == 1;
                    case TagRule.Any any -> any.values().size() == 1;
                };
    }

    /** G-code is for one nozzle; that it does not say which is no reason to refuse it. */
    static boolean hasNozzle(Requirement job, Printer printer) {
        String made = job.made() == null ? "" : job.made().nozzleDiameter();
        return made.isBlank() || normalizedDiameters(made).contains(normalizedDiameter(printer.nozzleDiameter()));
    }

    private static List<String> normalizedDiameters(String diameters) {
        return Arrays.stream(diameters.split("[,;]")).map(ModelMatcher::normalizedDiameter).toList();
    }

    /** {@code 0.40} and {@code 0.4 mm} are one size. */
    private static String normalizedDiameter(String diameter) {
        String digits = diameter.replaceAll("[^0-9.]", "");
        return digits.contains(".") ? digits.replaceFirst("0+$", "").replaceFirst("\\.$", "") : digits;
    }
}
