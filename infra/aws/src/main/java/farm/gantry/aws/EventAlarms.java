package farm.gantry.aws;

import java.util.Map;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.services.cloudwatch.Alarm;
import software.amazon.awscdk.services.cloudwatch.ComparisonOperator;
import software.amazon.awscdk.services.cloudwatch.MathExpression;
import software.amazon.awscdk.services.cloudwatch.Metric;
import software.amazon.awscdk.services.cloudwatch.MetricOptions;
import software.amazon.awscdk.services.cloudwatch.TreatMissingData;
import software.amazon.awscdk.services.events.Rule;
import software.amazon.awscdk.services.lambda.Function;
import software.constructs.Construct;

/** Alarms for calls that do not reach their function, which therefore reports no error. */
final class EventAlarms {
    private EventAlarms() {}

    /** Raises an alarm when the sweep does not run, whatever the reason. Then lost wakeups are not repaired. */
    static void addSilenceAlarm(Construct scope, Alarms alarms, Function sweep) {
        alarms.add(
                "Sweeps in a minute",
                Alarm.Builder.create(scope, "silence-alarm")
                        .alarmDescription("the function sweep has not run for three minutes")
                        .metric(sweep.metricInvocations(MetricOptions.builder()
                                .period(Duration.minutes(1))
                                .statistic("Sum")
                                .build()))
                        .threshold(1)
                        .comparisonOperator(ComparisonOperator.LESS_THAN_THRESHOLD)
                        .evaluationPeriods(3)
                        .treatMissingData(TreatMissingData.BREACHING)
                        .build());
    }

    /**
     * Raises an alarm when no agent is online although one was within the last day. The sweep publishes both numbers;
     * when it does not run, another alarm is raised.
     */
    static void addSilentAgentsAlarm(Construct scope, Alarms alarms, Function sweep) {
        alarms.add(
                "Agents",
                Alarm.Builder.create(scope, "agents-alarm")
                        .alarmDescription("no agent was online for five minutes, and some were within the last day")
                        .metric(MathExpression.Builder.create()
                                .expression("IF(expected > 0 AND online < 1, 1, 0)")
                                .label("agents are silent")
                                .usingMetrics(Map.of(
                                        "online", agents(sweep, "AgentsOnline"),
                                        "expected", agents(sweep, "AgentsExpected")))
                                .period(Duration.minutes(1))
                                .build())
                        .threshold(1)
                        .comparisonOperator(ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD)
                        .evaluationPeriods(5)
                        .treatMissingData(TreatMissingData.NOT_BREACHING)
                        .build());
    }

    private static Metric agents(Function sweep, String name) {
        return Metric.Builder.create()
                .namespace("Gantry")
                .metricName(name)
                .dimensionsMap(Map.of("FunctionName", sweep.getFunctionName()))
                .period(Duration.minutes(1))
                .statistic("Maximum")
                .build();
    }

    /** Raises an alarm when Lambda drops events that it has accepted. */
    static void addDroppedEventsAlarm(Construct scope, Alarms alarms, String name, int threshold, Function function) {
        alarms.addFailureAlarm(
                scope,
                name + "-dropped",
                "Dropped events",
                "Lambda dropped events of the function " + name,
                threshold,
                function.metric("AsyncEventsDropped", Alarms.fiveMinuteSum()));
    }

    /** Raises an alarm when EventBridge cannot call a function. */
    static void addFailedCallsAlarm(Construct scope, Alarms alarms, String name, int threshold, Rule rule) {
        alarms.addFailureAlarm(
                scope,
                name + "-uncalled",
                "Failed calls by EventBridge",
                "EventBridge cannot call the function " + name,
                threshold,
                Metric.Builder.create()
                        .namespace("AWS/Events")
                        .metricName("FailedInvocations")
                        .dimensionsMap(Map.of("RuleName", rule.getRuleName()))
                        .period(Duration.minutes(5))
                        .statistic("Sum")
                        .build());
    }
}
