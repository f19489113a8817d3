package farm.gantry.api.printer;

import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.profile.SlicerBundles;
import farm.gantry.api.query.Condition.Filter;
import farm.gantry.api.query.InMemory;
import farm.gantry.api.query.ListQuery;
import farm.gantry.api.query.Operator;
import farm.gantry.ingest.bundle.SystemPrinterModel;
import farm.gantry.printer.BedSize;
import farm.gantry.printer.PrinterModel;
import farm.gantry.printer.PrinterModelCatalog;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Catalogue of printer models: built-in ones, those of the installed slicers, and those the operator added. */
@Singleton
public final class PrinterModelCatalogue {
    private final Table<PrinterModel> models;
    private final SlicerBundles bundles;

    PrinterModelCatalogue(Tables tables, SlicerBundles bundles) {
        this.models = tables.of(PrinterModel.class);
        this.bundles = bundles;
    }

    /**
     * A printer model. {@code slicers} lists the slicers that know it; {@code id} is set for a model the operator
     * added, which can be changed. {@code bedSize} is null if unknown.
     */
    @Serdeable
    @InMemory(order = {"vendorName", "modelName", "vendorModelId"})
    public record Entry(
            long vendorModelId,
            String vendorName,
            String modelName,
            List<String> nozzleDiameters,
            List<String> slicers,
            @Nullable String id,
            @Nullable BedSize bedSize) {}

    /** Returns the models; of a built-in model that a slicer or the operator has too, only theirs. */
    List<Entry> listAll(Tx tx) {
        Map<Long, Entry> entries = new LinkedHashMap<>();
        models.find(tx, ListQuery.all(models.columns())).forEach(own -> entries.put(own.vendorModelId(), toEntry(own)));
        bundles.all()
                .models()
                .forEach(model -> entries.merge(model.id(), toEntry(model), PrinterModelCatalogue::merge));
        Set<PrinterModelCatalog.BuiltInModel> listed = entries.values().stream()
                .flatMap(entry -> Stream.ofNullable(PrinterModelCatalog.builtInModel(entry.modelName())))
                .collect(Collectors.toSet());
        PrinterModelCatalog.builtInModels().stream()
                .filter(model -> !listed.contains(model))
                .map(PrinterModelCatalogue::toEntry)
                .forEach(entry -> entries.put(entry.vendorModelId(), entry));
        return List.copyOf(entries.values());
    }

    /** Rejects a model number that does not exist, if any slicer is installed. */
    void checkExists(Tx tx, long vendorModelId) {
        if (find(tx, vendorModelId).isEmpty() && !bundles.all().models().isEmpty()) {
            throw ProblemException.invalid(
                    "vendorModelId", "unknown", "vendorModelId: there is no printer model " + vendorModelId);
        }
    }

    Optional<Entry> find(Tx tx, long vendorModelId) {
        Filter number =
                Filter.of(models.columns().get(PrinterModel::vendorModelId), Operator.eq, Long.toString(vendorModelId));
        return models.find(tx, ListQuery.all(models.columns()).where(number)).stream()
                .map(PrinterModelCatalogue::toEntry)
                .findFirst()
                .or(() -> bundles.all().models().stream()
                        .filter(model -> model.id() == vendorModelId)
                        .map(PrinterModelCatalogue::toEntry)
                        .reduce(PrinterModelCatalogue::merge))
                .or(() -> PrinterModelCatalog.builtInModels().stream()
                        .map(PrinterModelCatalogue::toEntry)
                        .filter(entry -> entry.vendorModelId() == vendorModelId)
                        .findFirst());
    }

    private static Entry toEntry(PrinterModel own) {
        return new Entry(
                own.vendorModelId(),
                own.vendorName(),
                own.modelName(),
                own.nozzleDiameters(),
                List.of(),
                own.id(),
                own.bedSize());
    }

    private static Entry toEntry(SystemPrinterModel model) {
        return new Entry(
                model.id(),
                model.vendorName(),
                model.modelName(),
                model.nozzleDiameters(),
                List.of(model.slicer()),
                null,
                builtInBedSize(model.modelName()));
    }

    private static Entry toEntry(PrinterModelCatalog.BuiltInModel model) {
        return new Entry(
                SystemPrinterModel.modelId(model.vendorName(), model.name()),
                model.vendorName(),
                model.name(),
                List.of(),
                List.of(),
                null,
                model.buildVolume());
    }

    private static @Nullable BedSize builtInBedSize(String modelName) {
        PrinterModelCatalog.BuiltInModel model = PrinterModelCatalog.builtInModel(modelName);
        return model == null ? null : model.buildVolume();
    }

    /** Merges two entries of the same model. */
    private static Entry merge(Entry one, Entry other) {
        return new Entry(
                one.vendorModelId(),
                one.vendorName(),
                one.modelName(),
                union(one.nozzleDiameters(), other.nozzleDiameters()),
                union(one.slicers(), other.slicers()),
                one.id(),
                one.bedSize() == null ? other.bedSize() : one.bedSize());
    }

    private static List<String> union(List<String> some, List<String> others) {
        SequencedSet<String> all = new LinkedHashSet<>(some);
        all.addAll(others);
        return new ArrayList<>(all);
    }
}
