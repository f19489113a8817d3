package farm.gantry.api.description;

import java.io.StringWriter;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.nodes.CollectionNode;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Writes YAML with each mapping and list on one line if it fits. */
final class YamlText {
    private static final int WIDTH = 140;
    private static final int INDENT = 2;
    /** Text that YAML certainly takes without quotes. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z][A-Za-z0-9 ._/()-]*");

    private YamlText() {}

    static String of(Object tree) {
        DumperOptions options = new DumperOptions();
        options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
        options.setWidth(WIDTH);
        options.setSplitLines(true);
        options.setIndent(INDENT);
        options.setIndicatorIndent(0);
        options.setDereferenceAliases(true);
        Yaml yaml = new Yaml(options);
        Node root = yaml.represent(tree);
        shorten(root, 0, 0);
        StringWriter text = new StringWriter();
        yaml.serialize(root, text);
        return text.toString();
    }

    /** {@code indent} is that of the node's own lines, {@code column} the one at which its first line would begin. */
    private static void shorten(Node node, int indent, int column) {
        if (!(node instanceof CollectionNode<?> collection)) {
            return;
        }
        boolean isShort = indent > 0 && column + length(node) <= WIDTH;
        collection.setFlowStyle(
                isShort || isListOfScalars(node) ? DumperOptions.FlowStyle.FLOW : DumperOptions.FlowStyle.BLOCK);
        if (node instanceof SequenceNode list) {
            list.getValue().forEach(item -> shorten(item, indent + INDENT, indent + INDENT));
        } else if (node instanceof MappingNode mapping) {
            for (NodeTuple member : mapping.getValue()) {
                int key = length(member.getKeyNode()) + ": ".length();
                shorten(member.getValueNode(), indent + INDENT, indent + key);
            }
        }
    }

    private static boolean isListOfScalars(Node node) {
        return node instanceof SequenceNode list && list.getValue().stream().allMatch(ScalarNode.class::isInstance);
    }

    /** Returns an upper bound of the node's length on one line. */
    private static int length(Node node) {
        return switch (node) {
            case ScalarNode scalar ->
                scalar.getValue().length() + (PLAIN.matcher(scalar.getValue()).matches() ? 0 : "''".length());
            case SequenceNode list ->
                list.getValue().stream()
                        .mapToInt(item -> length(item) + ", ".length())
                        .sum();
            case MappingNode mapping ->
                mapping.getValue().stream()
                        .mapToInt(
                                member -> length(member.getKeyNode()) + length(member.getValueNode()) + ": , ".length())
                        .sum();
            default -> throw new IllegalArgumentException(String.valueOf(node.getNodeId()));
        };
    }
}
