package farm.gantry.aws;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;

/**
 * Counts requests to AWS: each attempt of every client of this process, as the SDK reports it, and calls of functions;
 * each is a step at which a function may die.
 */
public final class Requests implements ExecutionInterceptor {
    private static final Map<String, LongAdder> COUNTS = new ConcurrentHashMap<>();

    @Override
    public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
        String name = name(attributes);
        Deaths.current()
                .ifPresent(function -> RecordedPermissions.record(
                        function,
                        attributes.getAttribute(SdkExecutionAttribute.SERVICE_NAME),
                        attributes.getAttribute(SdkExecutionAttribute.OPERATION_NAME),
                        context.request()));
        Deaths.reach("before " + name);
        count(name);
    }

    @Override
    public void afterTransmission(Context.AfterTransmission context, ExecutionAttributes attributes) {
        Deaths.reach("after " + name(attributes));
    }

    private static String name(ExecutionAttributes attributes) {
        return attributes.getAttribute(SdkExecutionAttribute.SERVICE_NAME) + " "
                + attributes.getAttribute(SdkExecutionAttribute.OPERATION_NAME);
    }

    static void count(String what) {
        COUNTS.computeIfAbsent(what, _ -> new LongAdder()).increment();
    }

    /** Returns all counts so far, by names such as {@code S3 GetObject}. */
    static Map<String, Long> all() {
        Map<String, Long> all = new TreeMap<>();
        COUNTS.forEach((what, count) -> all.put(what, count.sum()));
        return all;
    }

    /** Returns the number of requests with one of these prefixes since then. */
    static long since(Map<String, Long> before, String... beginnings) {
        long sum = 0;
        for (Map.Entry<String, Long> each : all().entrySet()) {
            for (String beginning : beginnings) {
                if (each.getKey().startsWith(beginning)) {
                    sum += each.getValue() - before.getOrDefault(each.getKey(), 0L);
                }
            }
        }
        return sum;
    }
}
