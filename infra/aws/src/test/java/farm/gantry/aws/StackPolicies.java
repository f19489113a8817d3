package farm.gantry.aws;

import static farm.gantry.aws.SynthesizedStages.list;
import static farm.gantry.aws.SynthesizedStages.map;
import static farm.gantry.aws.SynthesizedStages.properties;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The permissions that the synthesized policies of a stage give to the role of each function. Resources have short
 * names: {@code bucket/*}, {@code queue:schedule}, {@code key}.
 */
@SuppressWarnings("NullAway") // a synthesized template has these properties
final class StackPolicies {
    private final String stage;
    private final Map<String, Map<String, Object>> resources;

    /** An action that a policy allows on the resources that match a pattern with {@code *}. */
    record Grant(String action, String resource) implements Comparable<Grant> {
        boolean allows(String wantedAction, String wantedResource) {
            return matches(action, wantedAction) && matches(resource, wantedResource);
        }

        private static boolean matches(String pattern, String value) {
            return value.matches(
                    Stream.of(pattern.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*")));
        }

        @Override
        public int compareTo(Grant other) {
            return toString().compareTo(other.toString());
        }

        @Override
        public String toString() {
            return action + " " + resource;
        }
    }

    StackPolicies(String stage) {
        this.stage = stage;
        this.resources = SynthesizedStages.all().resources(stage);
    }

    /** Returns the grants by the name of the function. */
    Map<String, Set<Grant>> byFunction() {
        Map<String, Set<Grant>> grants = new TreeMap<>();
        resources.values().stream()
                .filter(resource -> "AWS::Lambda::Function".equals(resource.get("Type")))
                .map(SynthesizedStages::properties)
                .forEach(function ->
                        grants.put(shortName(function.get("FunctionName")), grantsOf(roleId(function.get("Role")))));
        return grants;
    }

    private static String roleId(Object role) {
        return String.valueOf(list(map(role).get("Fn::GetAtt")).getFirst());
    }

    private Set<Grant> grantsOf(String role) {
        Set<Grant> grants = new TreeSet<>();
        Map<String, Object> own = properties(Objects.requireNonNull(resources.get(role)));
        if (own.containsKey("Policies")) {
            throw new IllegalStateException(role + " has policies of its own, which this class does not read");
        }
        resources.values().stream()
                .filter(resource -> "AWS::IAM::Policy".equals(resource.get("Type")))
                .map(SynthesizedStages::properties)
                .filter(policy -> list(policy.get("Roles")).contains(Map.of("Ref", role)))
                .flatMap(policy -> list(map(policy.get("PolicyDocument")).get("Statement")).stream())
                .map(SynthesizedStages::map)
                .forEach(statement -> {
                    if (!"Allow".equals(statement.get("Effect"))
                            || !Set.of("Sid", "Effect", "Action", "Resource").containsAll(statement.keySet())) {
                        throw new IllegalStateException("this class does not read " + statement);
                    }
                    for (Object action : list(statement.get("Action"))) {
                        for (Object resource : list(statement.get("Resource"))) {
                            grants.add(new Grant(String.valueOf(action), resolve(resource)));
                        }
                    }
                });
        return grants;
    }

    /** Returns the short name of a resource of a policy. */
    private String resolve(Object value) {
        if (value instanceof String text) {
            return text;
        }
        Map<String, Object> reference = map(value);
        if (reference.containsKey("Fn::Join")) {
            List<?> join = list(reference.get("Fn::Join"));
            String text = list(join.get(1)).stream().map(this::resolve).collect(Collectors.joining());
            return text.replaceAll("^arn:.*:topic/", "topic:");
        }
        if (reference.containsKey("Ref")) {
            String id = String.valueOf(reference.get("Ref"));
            return id.startsWith("AWS::") ? id : nameOf(id);
        }
        return nameOf(String.valueOf(list(reference.get("Fn::GetAtt")).getFirst()));
    }

    private String nameOf(String id) {
        Map<String, Object> resource = Objects.requireNonNull(resources.get(id), id);
        Map<String, Object> properties = properties(resource);
        return switch (String.valueOf(resource.get("Type"))) {
            case "AWS::S3::Bucket" -> "bucket";
            case "AWS::KMS::Key" -> "key";
            case "AWS::SQS::Queue" -> "queue:" + shortName(properties.get("QueueName"));
            case "AWS::DynamoDB::Table" -> "table:" + shortName(properties.get("TableName"));
            case "AWS::Logs::LogGroup" -> "log";
            case "AWS::SecretsManager::Secret", "AWS::SecretsManager::SecretTargetAttachment" -> "secret";
            default -> throw new IllegalStateException("no name for " + resource.get("Type"));
        };
    }

    private String shortName(Object name) {
        return String.valueOf(name).replace("gantry-" + stage + "-", "");
    }
}
