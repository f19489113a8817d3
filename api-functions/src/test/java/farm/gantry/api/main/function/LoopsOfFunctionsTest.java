package farm.gantry.api.main.function;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import farm.gantry.api.queue.WorkLoop;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that every loop has a function that does its work; add new loops here. */
@Tag("install")
final class LoopsOfFunctionsTest {
    /** Maps the class that starts a loop on a single machine to the function that does its work. */
    private static final Map<String, Class<?>> TAKEN_OVER = Map.ofEntries(
            Map.entry("OutboxRelay", SweepFunction.class),
            Map.entry("PromiseUpdater", SweepFunction.class),
            Map.entry("Scheduler", ScheduleFunction.class),
            Map.entry("AgentWatchdog", SweepFunction.class),
            Map.entry("WebhookDeliveries", DeliveryFunction.class),
            Map.entry("ChannelDeliveries", DeliveryFunction.class),
            Map.entry("ResultMessages", WorkerResultFunction.class),
            Map.entry("AuditRetention", CleanupFunction.class),
            Map.entry("JobRetention", CleanupFunction.class),
            Map.entry("InboundDeliveries", CleanupFunction.class),
            Map.entry("EventStreamRoutes", CleanupFunction.class),
            Map.entry("FileCleanup", CleanupFunction.class));

    /** Maps the class that starts a loop to the reason why functions need none. */
    private static final Map<String, String> NEEDLESS = Map.ofEntries(
            Map.entry("QueueConsumer", "SQS has the leases, and hands over what is in the queues"),
            Map.entry("QueuedResultSender", "and calls a function with the results of workers"),
            Map.entry("StandaloneServer", "the database and the bucket are backed up by AWS"),
            Map.entry("QueuedWorker", "the worker has a function of its own"),
            Map.entry("ModelWorker", "and needs no process beside it"),
            Map.entry("AgentSignals", "no function lets an agent wait"),
            Map.entry("MqttEventPublisher", "events by a broker need a connection that stays"),
            Map.entry("HomeAssistant", "and so do its devices"),
            Map.entry("WorkLease", "functions are invoked once"),
            Map.entry("TraceExporter", "traces wait in the memory of a process"),
            Map.entry("ApiServer", "starts those of others; staged uploads end by a rule of the bucket"),
            Map.entry("WorkCommand", "starts those of the worker as a process of its own"));

    private static final JavaClasses OURS = new ClassFileImporter()
            // ArchUnit's own option does not know where the profile quick compiles to.
            .withImportOption(location -> !location.contains("/test-classes/"))
            .importPackages("farm.gantry.api");

    private static boolean startsLoops(JavaClass each) {
        return !each.isEquivalentTo(WorkLoop.class)
                && each.getMethodCallsFromSelf().stream()
                        .anyMatch(call -> call.getTargetOwner().isEquivalentTo(WorkLoop.class)
                                && call.getName().equals("start"));
    }

    @Test
    void everyLoopHasAFunctionOrAReason() {
        Set<String> named = new HashSet<>(NEEDLESS.keySet());
        named.addAll(TAKEN_OVER.keySet());
        assertThat(OURS.stream().filter(LoopsOfFunctionsTest::startsLoops).map(JavaClass::getSimpleName))
                .hasSizeGreaterThan(10)
                .isSubsetOf(named);
    }

    @Test
    void functionCallsTheWorkOfTheLoop() {
        TAKEN_OVER.forEach((owner, function) -> assertThat(OURS.get(function).getDirectDependenciesFromSelf().stream()
                        .map(dependency -> dependency.getTargetClass().getSimpleName())
                        .collect(Collectors.toSet()))
                .as(function.getSimpleName())
                .contains(owner));
    }

    @Test
    void functionsDoNotDependOnLoops() {
        Set<JavaClass> functions = OURS.stream()
                .filter(each -> each.isAssignableTo(RequestHandler.class))
                .collect(Collectors.toSet());
        assertThat(functions).hasSizeGreaterThan(5);
        assertThat(functions)
                .allSatisfy(function -> assertThat(function.getDirectDependenciesFromSelf())
                        .noneMatch(dependency -> dependency.getTargetClass().isEquivalentTo(WorkLoop.class)));
    }
}
