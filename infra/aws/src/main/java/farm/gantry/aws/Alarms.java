package farm.gantry.aws;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awscdk.Aws;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.services.cloudwatch.Alarm;
import software.amazon.awscdk.services.cloudwatch.ComparisonOperator;
import software.amazon.awscdk.services.cloudwatch.IMetric;
import software.amazon.awscdk.services.cloudwatch.MetricOptions;
import software.amazon.awscdk.services.cloudwatch.TreatMissingData;
import software.amazon.awscdk.services.cloudwatch.actions.SnsAction;
import software.amazon.awscdk.services.iam.PolicyStatement;
import software.amazon.awscdk.services.iam.ServicePrincipal;
import software.amazon.awscdk.services.kms.Key;
import software.amazon.awscdk.services.sns.Topic;
import software.amazon.awscdk.services.sns.subscriptions.EmailSubscription;
import software.constructs.Construct;

/** The topic for alarms, and the alarms themselves, grouped by the graph of the dashboard that shows their metrics. */
final class Alarms extends Construct {
    /** The threshold for operations that run so often that a single failure does not matter. */
    static final int SEVERAL = 3;

    private final Topic topic;
    private final Map<String, List<Alarm>> graphs = new LinkedHashMap<>();

    Alarms(Construct scope, StageSettings stage, Key key) {
        super(scope, "Alarms");
        this.topic = Topic.Builder.create(this, "Topic")
                .masterKey(key)
                .enforceSsl(true)
                .build();
        // A topic with a policy has the usual one no more, by which CloudWatch of the same account may publish.
        topic.addToResourcePolicy(PolicyStatement.Builder.create()
                .principals(List.of(new ServicePrincipal("cloudwatch.amazonaws.com")))
                .actions(List.of("sns:Publish"))
                .resources(List.of(topic.getTopicArn()))
                .conditions(Map.of("StringEquals", Map.of("aws:SourceAccount", Aws.ACCOUNT_ID)))
                .build());
        if (!stage.alarmsTo().isEmpty()) {
            topic.addSubscription(new EmailSubscription(stage.alarmsTo()));
        }
    }

    /** Returns the sum over five minutes. */
    static MetricOptions fiveMinuteSum() {
        return fiveMinutes("Sum");
    }

    /** Returns a statistic over five minutes. */
    static MetricOptions fiveMinutes(String statistic) {
        return MetricOptions.builder()
                .period(Duration.minutes(5))
                .statistic(statistic)
                .build();
    }

    /** Raises an alarm at this number of failures or more, as the metric counts them. */
    void addFailureAlarm(Construct scope, String name, String graph, String what, int threshold, IMetric failures) {
        add(
                graph,
                Alarm.Builder.create(scope, name + "-alarm")
                        .alarmDescription(what)
                        .metric(failures)
                        .threshold(threshold)
                        .comparisonOperator(ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD)
                        .evaluationPeriods(1)
                        .treatMissingData(TreatMissingData.NOT_BREACHING)
                        .build());
    }

    /** Adds an alarm, whose metric the dashboard shows in the graph of this title. */
    void add(String graph, Alarm alarm) {
        alarm.addAlarmAction(new SnsAction(topic));
        graphs.computeIfAbsent(graph, _ -> new ArrayList<>()).add(alarm);
    }

    /** Returns the alarms by the title of their graph. */
    Map<String, List<Alarm>> byGraph() {
        return graphs;
    }

    List<Alarm> all() {
        return graphs.values().stream().flatMap(List::stream).toList();
    }
}
