package farm.gantry.api;

import io.micronaut.context.ApplicationContext;
import io.micronaut.inject.BeanDefinition;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What serves one machine in the place of AWS's services: none of it is a bean of a function. */
public final class LocalTwins {
    private static final String OURS = "farm.gantry.api.";
    private static final String OF_AWS = OURS + "aws.";

    /** By their classes in the API, for some share no port with what takes their place. */
    static final Set<String> NAMED = Set.of(
            "file.LocalFiles",
            "file.SignedUrls",
            "file.StorageContent",
            "file.UploadCheck",
            "http.ProcessRateLimits",
            "queue.QueuedResults",
            "store.ConfiguredMasterKey",
            "store.QueueMessages");

    private LocalTwins() {}

    /** The names of those among the beans. */
    static Set<String> namedIn(ApplicationContext context) {
        return names(context.getAllBeanDefinitions().stream())
                .filter(NAMED::contains)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * The beans of each port that one of AWS serves; a port has only that one, whether or not somebody has named the other.
     */
    static Map<String, Set<String>> ports(ApplicationContext context) {
        Map<String, Set<String>> ports = new TreeMap<>();
        context.getAllBeanDefinitions().stream()
                .map(BeanDefinition::getBeanType)
                .filter(type -> type.getName().startsWith(OF_AWS))
                .flatMap(type -> Arrays.stream(type.getInterfaces()))
                .filter(port -> port.getName().startsWith(OURS))
                .distinct()
                .forEach(port -> ports.put(
                        port.getSimpleName(),
                        names(context.getBeanDefinitions(port).stream().map(each -> (BeanDefinition<?>) each))
                                .collect(Collectors.toCollection(TreeSet::new))));
        return ports;
    }

    private static Stream<String> names(Stream<? extends BeanDefinition<?>> beans) {
        return beans.map(each -> each.getBeanType().getName())
                .filter(name -> name.startsWith(OURS))
                .map(name -> name.substring(OURS.length()));
    }

    /** All that is wrong among the beans of a function. */
    public static Set<String> in(ApplicationContext context) {
        Set<String> found = namedIn(context);
        ports(context)
                .values()
                .forEach(beans ->
                        beans.stream().filter(name -> !name.startsWith("aws.")).forEach(found::add));
        return found;
    }
}
