package farm.gantry.api.order;

import farm.gantry.api.csv.CsvFile;
import farm.gantry.api.csv.CsvImports;
import farm.gantry.order.Customer;
import farm.gantry.order.Order;
import farm.gantry.order.OrderItem;
import io.micronaut.json.tree.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Orders of a CSV file, which has a line per item. */
final class OrderImport {
    /** The records of a line by the first part of a column's name. */
    static final Map<String, Class<?>> TYPES =
            Map.of("order", Order.class, "customer", Customer.class, "item", OrderItem.class);

    private static final Pattern ITEM_PATH = Pattern.compile("items\\[(\\d+)]\\.?(.*)");

    private OrderImport() {}

    /** Returns the bodies of the orders, each from the lines that follow each other with the same id or number. */
    static List<CsvImports.Entry> group(List<CsvFile.Row> rows) {
        List<List<CsvFile.Row>> orders = new ArrayList<>();
        for (CsvFile.Row row : rows) {
            JsonNode key = key(row);
            if (orders.isEmpty()
                    || key == null
                    || !key.equals(key(orders.getLast().getFirst()))) {
                orders.add(new ArrayList<>());
            }
            orders.getLast().add(row);
        }
        return orders.stream().map(OrderImport::entry).toList();
    }

    private static @Nullable JsonNode key(CsvFile.Row row) {
        JsonNode order = OrderJson.member(row.body(), "order");
        JsonNode externalId = OrderJson.member(order, "externalId");
        return externalId == null ? OrderJson.member(order, "orderNumber") : externalId;
    }

    private static CsvImports.Entry entry(List<CsvFile.Row> lines) {
        Map<String, JsonNode> body = new LinkedHashMap<>();
        body.put("order", OrderParser.NOTHING);
        lines.getFirst().body().entries().forEach(member -> body.put(member.getKey(), member.getValue()));
        body.remove("item");
        List<CsvFile.Row> items = lines.stream()
                .filter(line -> OrderJson.member(line.body(), "item") != null)
                .toList();
        body.put(
                "items",
                JsonNode.createArrayNode(
                        items.stream().map(line -> line.body().get("item")).toList()));
        return new CsvImports.Entry(JsonNode.createObjectNode(body), path -> {
            Matcher item = ITEM_PATH.matcher(path);
            return item.matches()
                    ? items.get(Integer.parseInt(item.group(1)))
                            .place(item.group(2).isEmpty() ? "" : "item." + item.group(2))
                    : lines.getFirst().place(path);
        });
    }
}
