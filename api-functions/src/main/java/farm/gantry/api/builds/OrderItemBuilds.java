package farm.gantry.api.builds;

import farm.gantry.RecordBuilder;
import farm.gantry.api.database.Tx;
import farm.gantry.api.error.Faults;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.json.RecordReader;
import farm.gantry.builds.BuildPlan;
import farm.gantry.builds.PartPlan;
import farm.gantry.builds.PlateOptions;
import farm.gantry.builds.SerialBinding;
import farm.gantry.job.Priority;
import farm.gantry.order.OrderItem;
import farm.gantry.order.OrderItem.Piece;
import farm.gantry.part.PrintTags;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Gatherers;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Plans the builds of order items, and queues the pieces that they still need. */
@Singleton
public final class OrderItemBuilds {
    /** The priority and queue position of the jobs, and the printers that they may use, which override the tags of item and part. */
    public record QueuePlacement(
            int priority,
            @Nullable Position position,
            @Nullable PrintTags printerTags) {
        public static final QueuePlacement LAST = new QueuePlacement(Priority.NORMAL, null, null);
    }

    /** The pieces that an item still needs, and the complete plan of the item. */
    public record MissingPieces(OrderItem item, BuildPlan all, List<Piece> pieces) {
        public int jobCount() {
            return pieces.stream().mapToInt(Piece::copies).sum();
        }
    }

    /** The number of items that are planned in one batch, limited by the maximum number of jobs of a build. */
    private static final int PLANNED_AT_ONCE = 100;

    private final BuildPlanner planner;
    private final BuildCreator creator;
    private final RecordReader reader;

    OrderItemBuilds(BuildPlanner planner, BuildCreator creator, RecordReader reader) {
        this.planner = planner;
        this.creator = creator;
        this.reader = reader;
    }

    /**
     * Returns the options of the item's linked parts by id.
     *
     * @throws ProblemException with every fault found
     */
    public Map<String, ?> linkedPartConfigs(OrderItem item) {
        return parseLinkedPartConfigs(item);
    }

    private Map<String, BuildRequest.LinkedPartConfig> parseLinkedPartConfigs(OrderItem item) {
        Map<String, BuildRequest.LinkedPartConfig> configs = new LinkedHashMap<>();
        Faults faults = new Faults();
        Objects.requireNonNullElse(item.skuConfig(), Map.<String, Object>of())
                .forEach((linkedPart, config) -> faults.read(
                                linkedPart,
                                () -> reader.read(BuildRequest.LinkedPartConfig.class, reader.toTree(config)))
                        .ifPresent(read -> configs.put(linkedPart, read)));
        faults.check();
        return configs;
    }

    /**
     * Returns the complete plan of each item by its id; items that cannot be printed are passed to {@code problems} with the
     * reason.
     */
    public Map<String, BuildPlan> plan(
            Tx tx, List<OrderItem> items, QueuePlacement place, BiConsumer<OrderItem, String> problems) {
        Map<String, BuildPlan> plans = new HashMap<>();
        for (List<OrderItem> some :
                items.stream().gather(Gatherers.windowFixed(PLANNED_AT_ONCE)).toList()) {
            try {
                plan(tx, some, place, plans, problems);
            } catch (ProblemException _) { // of one of them
                for (OrderItem item : some) {
                    try {
                        plan(tx, List.of(item), place, plans, problems);
                    } catch (ProblemException e) {
                        problems.accept(item, e.describe());
                    }
                }
            }
        }
        return plans;
    }

    private void plan(
            Tx tx,
            List<OrderItem> items,
            QueuePlacement place,
            Map<String, BuildPlan> plans,
            BiConsumer<OrderItem, String> problems) {
        List<BuildRequest.RequestedSku> wishes = items.stream()
                .map(item -> skuRequest(item, item.quantity(), parseLinkedPartConfigs(item), place))
                .toList();
        List<BuildPlan> planned = planner.plan(tx, BuildRequest.of(List.of(), wishes));
        for (int i = 0; i < planned.size(); i++) {
            if (pieces(planned.get(i)).isEmpty()) {
                problems.accept(items.get(i), "its SKU has no part to be printed");
            } else {
                plans.put(items.get(i).id(), planned.get(i));
            }
        }
    }

    private static BuildRequest.RequestedSku skuRequest(
            OrderItem item, int quantity, Map<String, BuildRequest.LinkedPartConfig> configs, QueuePlacement place) {
        return RecordBuilder.copyOf(
                        BuildRequest.RequestedSku.of(item.skuId(), item.optionValueIds(), item.personalization()))
                .with(BuildRequest.RequestedSku::quantity, quantity)
                .with(BuildRequest.RequestedSku::priority, place.priority())
                .with(BuildRequest.RequestedSku::position, place.position())
                .with(BuildRequest.RequestedSku::parameters, item.inputs())
                .with(BuildRequest.RequestedSku::linkedPartConfigs, restrictToPrinters(configs, place.printerTags()))
                .with(BuildRequest.RequestedSku::tags, place.printerTags())
                .with(BuildRequest.RequestedSku::order, new BuildRequest.OrderLink(item.orderId(), item.id()))
                .build();
    }

    private static Map<String, BuildRequest.LinkedPartConfig> restrictToPrinters(
            Map<String, BuildRequest.LinkedPartConfig> configs, @Nullable PrintTags printerTags) {
        Map<String, BuildRequest.LinkedPartConfig> restricted = new LinkedHashMap<>();
        configs.forEach((linkedPart, config) -> restricted.put(
                linkedPart,
                config.tags() == null
                        ? config
                        : RecordBuilder.copyOf(config)
                                .with(
                                        BuildRequest.LinkedPartConfig::tags,
                                        config.tags().overriddenBy(printerTags))
                                .build()));
        return restricted;
    }

    /** Returns the pieces that the whole item consists of. */
    public static List<Piece> pieces(BuildPlan plan) {
        return plan.parts().stream()
                .flatMap(part -> part.plates().stream()
                        .map(plate -> new Piece(id(part), plate.plateId(), part.quantity() * plate.copies())))
                .filter(piece -> piece.copies() > 0)
                .toList();
    }

    private static String id(PartPlan part) {
        return Objects.requireNonNull(part.linkedPart()).id();
    }

    /**
     * Rejects more jobs than may be queued at once.
     *
     * @throws ProblemException naming {@code orderIds}
     */
    public static void checkCount(List<MissingPieces> lacks) {
        BuildPlanner.checkCount(
                "orderIds", lacks.stream().mapToLong(MissingPieces::jobCount).sum());
    }

    /**
     * Queues the missing pieces of items; items that cannot be queued after all are passed to {@code problems} with the reason.
     */
    public void queueMissing(
            Tx tx, List<MissingPieces> lacks, QueuePlacement place, BiConsumer<OrderItem, String> problems) {
        List<BuildPlan> plans = planMissing(tx, lacks, place);
        if (plans.isEmpty()) {
            return;
        }
        try {
            creator.create(tx, plans);
        } catch (ProblemException _) { // a file may be missing, which is detected before anything is written
            for (MissingPieces lack : lacks) {
                try {
                    creator.create(tx, planMissing(tx, List.of(lack), place));
                } catch (ProblemException e) {
                    problems.accept(lack.item(), e.describe());
                }
            }
        }
    }

    private List<BuildPlan> planMissing(Tx tx, List<MissingPieces> lacks, QueuePlacement place) {
        List<BuildPlan> plans = new ArrayList<>();
        List<BuildRequest.RequestedSku> wishes = new ArrayList<>();
        for (MissingPieces lack : lacks) {
            if (lack.pieces().equals(pieces(lack.all()))) {
                plans.add(lack.all());
            } else {
                splitIntoPortions(lack.pieces(), largestPortion(lack))
                        .forEach(some -> wishes.add(skuRequest(lack.item(), 1, onlyMissing(lack, some), place)));
            }
        }
        if (!wishes.isEmpty()) {
            plans.addAll(planner.plan(tx, BuildRequest.of(List.of(), wishes)));
        }
        return plans;
    }

    /**
     * Returns the maximum number of pieces in one build. It is one copy if serial numbers are drawn, because all plates of a copy share
     * them.
     */
    private static int largestPortion(MissingPieces lack) {
        boolean areNumbered = lack.all().parts().stream()
                .flatMap(part -> part.serials().stream())
                .anyMatch(SerialBinding::perCopy);
        return areNumbered ? 1 : PlateOptions.MAX_COUNT;
    }

    /** Splits the pieces into portions, so that none exceeds the maximum quantities of a build. */
    private static List<List<Piece>> splitIntoPortions(List<Piece> pieces, int largest) {
        int most = pieces.stream().mapToInt(Piece::copies).max().orElse(0);
        return IntStream.iterate(0, from -> from < most, from -> from + largest)
                .mapToObj(from -> pieces.stream()
                        .map(piece -> new Piece(
                                piece.linkedPartId(), piece.plateId(), Math.clamp(piece.copies() - from, 0, largest)))
                        .filter(piece -> piece.copies() > 0)
                        .toList())
                .toList();
    }

    /** Returns the options for a build of exactly these missing pieces. */
    private Map<String, BuildRequest.LinkedPartConfig> onlyMissing(MissingPieces lack, List<Piece> some) {
        Map<String, List<Piece>> pieces = some.stream().collect(Collectors.groupingBy(Piece::linkedPartId));
        Map<String, BuildRequest.LinkedPartConfig> configs = parseLinkedPartConfigs(lack.item());
        for (PartPlan part : lack.all().parts()) {
            List<Piece> ofPart = pieces.getOrDefault(id(part), List.of());
            Map<String, Integer> plates = new TreeMap<>();
            int quantity = ofPart.isEmpty() ? 0 : 1;
            for (Piece piece : ofPart) {
                if (piece.plateId() == null) {
                    quantity = piece.copies();
                } else {
                    plates.put(String.valueOf(piece.plateId()), piece.copies());
                }
            }
            configs.put(id(part), with(configs.get(id(part)), quantity, plates.isEmpty() ? null : plates));
        }
        return configs;
    }

    private static BuildRequest.LinkedPartConfig with(
            BuildRequest.@Nullable LinkedPartConfig config, int quantity, @Nullable Map<String, Integer> plates) {
        return config == null
                ? new BuildRequest.LinkedPartConfig(null, null, quantity, null, plates, null)
                : new BuildRequest.LinkedPartConfig(
                        config.parameters(), config.tags(), quantity, config.label(), plates, config.materials());
    }
}
