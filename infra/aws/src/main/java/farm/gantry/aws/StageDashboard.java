package farm.gantry.aws;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awscdk.services.cloudwatch.Alarm;
import software.amazon.awscdk.services.cloudwatch.AlarmStatusWidget;
import software.amazon.awscdk.services.cloudwatch.Dashboard;
import software.amazon.awscdk.services.cloudwatch.GraphWidget;
import software.amazon.awscdk.services.cloudwatch.HorizontalAnnotation;
import software.amazon.awscdk.services.cloudwatch.IMetric;
import software.constructs.Construct;

/** The dashboard of a stage: the state of its alarms, the figures that they watch, and the work of its functions. */
final class StageDashboard extends Construct {
    /** Half of the dashboard's width. */
    private static final int WIDTH = 12;

    StageDashboard(Construct scope, StageSettings stage, LambdaFunctions functions, WorkQueues queues, Alarms alarms) {
        super(scope, "Figures");
        Dashboard dashboard = Dashboard.Builder.create(this, "Dashboard")
                .dashboardName("gantry-" + stage.name())
                .build();
        dashboard.addWidgets(AlarmStatusWidget.Builder.create()
                .title("Alarms")
                .width(24)
                .alarms(alarms.all())
                .build());
        dashboard.addWidgets(alarms.byGraph().entrySet().stream()
                .map(each -> graphOfAlarms(each.getKey(), each.getValue()))
                .toArray(GraphWidget[]::new));
        dashboard.addWidgets(
                graph("Calls", functions.all().values().stream().<IMetric>map(each -> each.metricInvocations())),
                graph("Duration", functions.all().values().stream().<IMetric>map(each -> each.metricDuration())),
                graph(
                        "Messages waiting",
                        queues.all().values().stream()
                                .<IMetric>map(each -> each.metricApproximateNumberOfMessagesVisible())));
    }

    /** Returns the graph of the alarms' metrics, with their thresholds. */
    private static GraphWidget graphOfAlarms(String title, List<Alarm> alarms) {
        return GraphWidget.Builder.create()
                .title(title)
                .width(WIDTH)
                .left(alarms.stream().map(Alarm::getMetric).toList())
                .leftAnnotations(alarms.stream()
                        .map(Alarm::toAnnotation)
                        .collect(Collectors.toMap(HorizontalAnnotation::getValue, each -> each, (one, _) -> one))
                        .values()
                        .stream()
                        .toList())
                .build();
    }

    private static GraphWidget graph(String title, Stream<IMetric> metrics) {
        return GraphWidget.Builder.create()
                .title(title)
                .width(WIDTH)
                .left(metrics.toList())
                .build();
    }
}
