package farm.gantry.api.builds;

import farm.gantry.Id;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.file.LocalFiles;
import farm.gantry.api.file.StoredFile;
import farm.gantry.api.json.Json;
import farm.gantry.api.resource.Resources;
import farm.gantry.api.store.Jobs;
import farm.gantry.api.store.Secrets;
import farm.gantry.api.store.Table;
import farm.gantry.api.store.Tables;
import farm.gantry.api.store.Tx;
import farm.gantry.builds.Lot;
import farm.gantry.builds.PartBuild;
import farm.gantry.builds.Plan;
import farm.gantry.builds.Serial;
import farm.gantry.builds.Sheet;
import farm.gantry.builds.SkuBuild;
import farm.gantry.file.FileUri;
import farm.gantry.job.PrintJob;
import farm.gantry.part.PartParameter;
import farm.gantry.sequence.Draws;
import farm.gantry.sequence.Sequence;
import farm.gantry.sku.Sku;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** From what is to be printed to builds, and their jobs in the queue. */
@Singleton
final class Queueing {
    /** The columns in which jobs of the same sheet differ. */
    private static final List<String> OWN = List.of("id", "quantityIndex", "skuInstance", "queueOrder", "taskId");

    private final Table<SkuBuild> skuBuilds;
    private final Table<PartBuild> partBuilds;
    private final Table<PrintJob> jobs;
    private final Table<Sequence> sequences;
    private final Jobs numbers;
    private final LocalFiles files;

    Queueing(Tables tables, Jobs numbers, LocalFiles files) {
        this.skuBuilds = tables.of(SkuBuild.class);
        this.partBuilds = tables.of(PartBuild.class);
        this.jobs = tables.of(PrintJob.class);
        this.sequences = tables.of(Sequence.class);
        this.numbers = numbers;
        this.files = files;
    }

    /** Draws from the sequences the lots are bound to, which nobody else draws from until the transaction ends. */
    Draws draws(Tx tx, List<Lot> lots) {
        Set<String> bound = lots.stream()
                .flatMap(lot -> lot.plans().stream())
                .flatMap(plan -> plan.serials().stream())
                .map(Serial::sequenceId)
                .collect(Collectors.toSet());
        return new Draws(sequences.lockAll(tx, bound).values());
    }

    /** One plan of one lot, and the build made for it. */
    private record Made(Lot lot, Plan plan, PartBuild build) {}

    /** One job to be, of the build made for it. */
    private record Waiting(Made made, Lot.Printed printed) {}

    Json<BuildAnswer> queue(Tx tx, List<Lot> lots) {
        Draws draws = draws(tx, lots);
        Instant now = Resources.now();
        List<SkuBuild> ofSkus = new ArrayList<>();
        List<PartBuild> ofParts = new ArrayList<>();
        List<Waiting> waiting = new ArrayList<>();
        for (Lot lot : lots) {
            Sku sku = lot.sku();
            String skuBuildId = sku == null ? null : Id.next();
            if (sku != null && skuBuildId != null) {
                ofSkus.add(skuBuild(lot, sku, skuBuildId, now));
            }
            List<Made> made = new ArrayList<>();
            for (Plan plan : lot.plans()) {
                String id = Id.next();
                Plan adopted = adopted(plan, id);
                made.add(new Made(lot, adopted, partBuild(lot, adopted, id, skuBuildId, now)));
                ofParts.add(made.getLast().build());
            }
            lot.jobs(draws).forEach(printed -> waiting.add(new Waiting(made.get(printed.plan()), printed)));
        }
        Json<List<SkuBuild>> first = skuBuilds.insertAll(tx, ofSkus, Secrets.Shown.HIDDEN);
        Json<List<PartBuild>> second = partBuilds.insertAll(tx, ofParts, Secrets.Shown.HIDDEN);
        queueJobs(tx, waiting);
        draws.next().forEach((id, next) -> sequences.change(tx, id, Map.of(), Map.of("next", next)));
        String skus = new String(first.bytes(), 0, first.length(), StandardCharsets.UTF_8);
        return second.within("{\"partBuilds\":", ",\"skuBuilds\":" + skus + "}");
    }

    private static SkuBuild skuBuild(Lot lot, Sku sku, String id, Instant now) {
        return new SkuBuild(
                id,
                sku.storeId(),
                now,
                now,
                sku.id(),
                sku.title(),
                lot.orderId(),
                lot.orderItemId(),
                lot.wish() == null ? 0 : lot.wish().quantity(),
                lot.priority(),
                lot.wish() == null ? Map.of() : lot.wish().inputs(),
                lot.jobCount() == 0 ? PartBuild.Status.success : PartBuild.Status.queued,
                null,
                null,
                null,
                false);
    }

    private static PartBuild partBuild(Lot lot, Plan plan, String id, @Nullable String skuBuildId, Instant now) {
        return new PartBuild(
                id,
                plan.part().storeId(),
                now,
                now,
                plan.part().id(),
                plan.part().name(),
                lot.sku() == null ? null : lot.sku().id(),
                skuBuildId,
                plan.linkedPart() == null ? null : plan.linkedPart().id(),
                lot.orderId(),
                lot.orderItemId(),
                plan.label(),
                plan.quantity(),
                lot.priority(),
                plan.parameters(),
                plan.plateQuantities(),
                plan.materials().isEmpty() ? null : plan.materials(),
                plan.tags(),
                plan.part(),
                plan.jobCount() == 0 ? PartBuild.Status.success : PartBuild.Status.queued,
                null,
                null,
                null,
                null,
                false);
    }

    /** Files of parameters become the build's own: uploads do not last, and a part's files may be deleted with it. */
    private Plan adopted(Plan plan, String partBuildId) {
        Map<String, Object> values = new HashMap<>(plan.parameters());
        for (PartParameter parameter : plan.part().parameters()) {
            if (parameter.type() == PartParameter.Type.file && values.get(parameter.name()) instanceof String uri) {
                StoredFile file = kept(uri);
                String name = "builds/" + partBuildId + "/" + file.uri().id() + "/"
                        + file.uri().fileName();
                StoredFile own = files.copy(
                        file, FileUri.file(plan.part().storeId(), plan.part().id(), name));
                values.put(parameter.name(), own.uri().toString());
            }
        }
        return plan.with(values);
    }

    private StoredFile kept(String uri) {
        return FileUri.parse(uri)
                .flatMap(files::find)
                .orElseThrow(() -> ProblemException.conflict("the file " + uri + " is gone"));
    }

    /** Jobs of the same sheet differ in a few columns alone, unless something was drawn for each. */
    private void queueJobs(Tx tx, List<Waiting> waiting) {
        int front =
                (int) waiting.stream().filter(each -> each.made().lot().front()).count();
        Iterator<Long> places = numbers.endOfQueue(tx, waiting.size() - front).iterator();
        Iterator<Long> frontPlaces = numbers.frontOfQueue(tx, front).iterator();
        Iterator<Long> taskIds = numbers.taskIds(tx, waiting.size()).iterator();
        Iterator<String> ids = Stream.generate(Id::next)
                .limit(waiting.size())
                .sorted() // as they are listed, for all are made at the same time
                .iterator();
        Map<String, PrintJob.FileToPrint> toPrint = new HashMap<>();
        IdentityHashMap<Sheet, Integer> patternOfSheet = new IdentityHashMap<>();
        List<PrintJob> patterns = new ArrayList<>();
        List<Integer> patternOf = new ArrayList<>();
        Map<String, List<@Nullable String>> own = new LinkedHashMap<>();
        OWN.forEach(column -> own.put(column, new ArrayList<>(waiting.size())));
        for (Waiting each : waiting) {
            Sheet sheet = each.printed().copy().sheet();
            Integer pattern = each.printed().serials().isEmpty() ? patternOfSheet.get(sheet) : null;
            if (pattern == null) {
                pattern = patterns.size();
                patterns.add(pattern(each, toPrint));
                patternOfSheet.put(sheet, pattern);
            }
            patternOf.add(pattern);
            Integer instance = each.printed().copy().skuInstance();
            Iterator<@Nullable String> values = Arrays.asList(
                            ids.next(),
                            String.valueOf(each.printed().copy().quantityIndex()),
                            instance == null ? null : instance.toString(),
                            String.valueOf((each.made().lot().front() ? frontPlaces : places).next()),
                            String.valueOf(taskIds.next()))
                    .iterator();
            own.values().forEach(column -> column.add(values.next()));
        }
        jobs.addCopies(tx, patterns, patternOf, own);
    }

    private PrintJob pattern(Waiting waiting, Map<String, PrintJob.FileToPrint> toPrint) {
        String uri = waiting.printed().copy().sheet().fileUri();
        Sku sku = waiting.made().lot().sku();
        return waiting.made()
                .plan()
                .job(
                        waiting.made().build(),
                        sku == null ? null : sku.title(),
                        waiting.printed().copy(),
                        waiting.printed().serials(),
                        uri == null ? null : toPrint.computeIfAbsent(uri, this::fileToPrint));
    }

    private PrintJob.FileToPrint fileToPrint(String uri) {
        StoredFile file = kept(uri);
        return new PrintJob.FileToPrint(
                uri, file.sha256(), file.size(), file.uri().fileName());
    }
}
