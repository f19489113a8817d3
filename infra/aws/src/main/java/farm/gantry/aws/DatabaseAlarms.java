package farm.gantry.aws;

import java.util.Map;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.services.cloudwatch.Alarm;
import software.amazon.awscdk.services.cloudwatch.ComparisonOperator;
import software.amazon.awscdk.services.cloudwatch.Metric;
import software.amazon.awscdk.services.cloudwatch.TreatMissingData;
import software.amazon.awscdk.services.rds.DatabaseCluster;
import software.constructs.Construct;

/** Alarms of the database, before it slows down or rejects connections. A paused database has no figures. */
final class DatabaseAlarms extends Construct {
    private static final int CAPACITY_PERCENT = 90;
    private static final double CONNECTIONS_SHARE = 0.8;

    /** The connections that Aurora allows at least for each ACU of the maximum: 189 with one, 823 with four. */
    private static final int CONNECTIONS_OF_AN_ACU = 189;

    /** The connections that Aurora allows at most with a minimum of half an ACU or less. */
    private static final int MAX_CONNECTIONS = 2000;

    private final String cluster;

    DatabaseAlarms(Construct scope, StageSettings stage, DatabaseCluster database, Alarms alarms) {
        super(scope, "DatabaseAlarms");
        this.cluster = database.getClusterIdentifier();
        alarms.add(
                "Capacity of the database (%)",
                alarm(
                        "capacity",
                        "the database is near database.max-capacity; raise it",
                        CAPACITY_PERCENT,
                        writer("ACUUtilization", "Average")));
        alarms.add(
                "Connections to the database",
                alarm(
                        "connections",
                        "the database has nearly as many connections as it allows; raise database.max-capacity",
                        maxConnections(stage) * CONNECTIONS_SHARE,
                        writer("DatabaseConnections", "Maximum")));
        alarms.add(
                "Size of the database (bytes)",
                alarm(
                        "volume",
                        "the database is larger than database.alarm-gigabytes; see what grows",
                        stage.databaseGigabytes() * 1e9,
                        metric("VolumeBytesUsed", "Average", Map.of("DBClusterIdentifier", cluster))));
    }

    /** Returns the number of connections that the database allows. */
    static double maxConnections(StageSettings stage) {
        return Math.min(MAX_CONNECTIONS, stage.maxCapacity() * CONNECTIONS_OF_AN_ACU);
    }

    private Alarm alarm(String id, String description, double threshold, Metric metric) {
        return Alarm.Builder.create(this, id)
                .alarmDescription(description)
                .metric(metric)
                .threshold(threshold)
                .comparisonOperator(ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD)
                .evaluationPeriods(3)
                .treatMissingData(TreatMissingData.NOT_BREACHING)
                .build();
    }

    /** Returns a metric of the writer, because that of the cluster is an average with the readers. */
    private Metric writer(String name, String statistic) {
        return metric(name, statistic, Map.of("DBClusterIdentifier", cluster, "Role", "WRITER"));
    }

    private static Metric metric(String name, String statistic, Map<String, String> dimensions) {
        return Metric.Builder.create()
                .namespace("AWS/RDS")
                .metricName(name)
                .dimensionsMap(dimensions)
                .period(Duration.minutes(5))
                .statistic(statistic)
                .build();
    }
}
