package farm.gantry.api.material;

import farm.gantry.Permission;
import farm.gantry.api.csv.CsvImports;
import farm.gantry.api.csv.ImportResult;
import farm.gantry.api.database.Table;
import farm.gantry.api.database.Tables;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.http.CsvResponses;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.ResourceRoutes;
import farm.gantry.api.security.Caller;
import farm.gantry.api.security.RequiresPermission;
import farm.gantry.api.webhook.Webhooks;
import farm.gantry.material.Material;
import farm.gantry.material.MaterialInstance;
import farm.gantry.material.MaterialVariant;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The routes of spools; each has a variant, a material or at least a type. */
@Controller("/v1/materials/instances")
final class MaterialInstances extends ResourceRoutes<MaterialInstance> {

    private final CsvImports imports;

    MaterialInstances(
            ResourceFactory factory,
            Tables tables,
            LoadedFilamentUpdater loaded,
            CsvImports imports,
            Webhooks webhooks) {
        super(factory.of(MaterialInstance.class, "material instance")
                .lockedBy((tx, _) -> loaded.lock(tx))
                .checkedTogetherBy((tx, spools) -> withDerivedMaterials(tables, tx, spools))
                .followedBy((tx, before, after) -> {
                    loaded.onChange(
                            tx,
                            before,
                            after,
                            spool -> Arrays.asList(
                                    spool.id(), spool.variantId(), spool.materialId(), spool.materialType()));
                    onRefilled(tx, webhooks, before, after);
                }));
        this.imports = imports;
    }

    private static void onRefilled(
            Tx tx, Webhooks webhooks, List<MaterialInstance> before, List<MaterialInstance> after) {
        Map<String, MaterialInstance> old =
                before.stream().collect(Collectors.toMap(MaterialInstance::id, Function.identity()));
        List<String> refilled = after.stream()
                .filter(spool -> old.containsKey(spool.id())
                        && grams(spool) > grams(Objects.requireNonNull(old.get(spool.id()))))
                .map(MaterialInstance::id)
                .toList();
        webhooks.resolveLackOfFilament(tx, refilled);
    }

    private static double grams(MaterialInstance spool) {
        return Objects.requireNonNullElse(spool.remainingGrams(), 0.0);
    }

    /**
     * Adds spools from CSV, all of the file or none. The first line names the columns, which are fields of a spool.
     * Columns that only the server sets are ignored. With {@code dryRun=true}, nothing is stored; every faulty cell is
     * named.
     */
    @Post("/import")
    @Consumes({CsvResponses.CSV, MediaType.ALL})
    @RequiresPermission(Permission.MATERIAL_INSTANCE_CREATE)
    ImportResult importCsv(
            Caller caller,
            HttpRequest<?> request,
            @Nullable @Body InputStream body,
            @QueryValue(defaultValue = "false") boolean dryRun) {
        return imports.create(
                caller,
                request,
                body,
                dryRun,
                MaterialInstance.class,
                (tx, spools) -> resources.createAll(tx, caller, spools));
    }

    /** Returns the spools with the material of their variant and the type of their material. Unknown ids are rejected later. */
    private static List<MaterialInstance> withDerivedMaterials(Tables tables, Tx tx, List<MaterialInstance> spools) {
        List<MaterialInstance> ofMaterials = with(
                tables.of(MaterialVariant.class),
                tx,
                spools,
                MaterialInstance::variantId,
                MaterialInstance::withParent);
        List<MaterialInstance> complete = with(
                tables.of(Material.class), tx, ofMaterials, MaterialInstance::materialId, MaterialInstance::withParent);
        if (complete.stream()
                .anyMatch(spool ->
                        spool.variantId() == null && spool.materialId() == null && spool.materialType() == null)) {
            throw ProblemException.invalid(
                    "materialType", "required", "one of variantId, materialId and materialType is required");
        }
        return complete;
    }

    /** Returns the spools with the fields copied from the record that each names by {@code id}. */
    private static <R> List<MaterialInstance> with(
            Table<R> table,
            Tx tx,
            List<MaterialInstance> spools,
            Function<MaterialInstance, @Nullable String> id,
            BiFunction<MaterialInstance, R, MaterialInstance> taken) {
        Map<String, R> named = table.findAll(
                tx, spools.stream().map(id).filter(Objects::nonNull).collect(Collectors.toSet()));
        return spools.stream()
                .map(spool -> {
                    R record = named.get(id.apply(spool));
                    return record == null ? spool : taken.apply(spool, record);
                })
                .toList();
    }
}
