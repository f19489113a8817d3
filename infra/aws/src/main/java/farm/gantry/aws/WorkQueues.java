package farm.gantry.aws;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awscdk.Duration;
import software.amazon.awscdk.services.cloudwatch.Alarm;
import software.amazon.awscdk.services.cloudwatch.ComparisonOperator;
import software.amazon.awscdk.services.cloudwatch.MetricOptions;
import software.amazon.awscdk.services.cloudwatch.TreatMissingData;
import software.amazon.awscdk.services.sqs.DeadLetterQueue;
import software.amazon.awscdk.services.sqs.Queue;
import software.amazon.awscdk.services.sqs.QueueEncryption;
import software.constructs.Construct;

/** The work queues by name. Each has a dead letter queue, and both have an alarm. */
final class WorkQueues extends Construct {
    static final String SCHEDULE = "schedule";
    static final String WEBHOOKS = "webhooks";
    static final String STAGE_REPORTS = "stage-reports.fifo";
    static final String SLICE_ANSWERS = "slice-answers";
    /** The queues that the worker reads, in order. */
    static final List<String> WORKER = List.of("ingest", "ingest-heavy", "ingest-model", "slice");
    /** The time limit of the worker for a message, in seconds. */
    static final int WORKER_SECONDS = 900;

    /**
     * The number of receives after which SQS moves a message to the dead letter queue. The worker itself gives up after
     * six and reports the failure.
     */
    private static final int RECEIVES = 10;

    private final Map<String, Queue> queues = new LinkedHashMap<>();
    private final Map<String, Queue> deadLetters = new LinkedHashMap<>();
    private final String prefix;
    private final Alarms alarms;

    WorkQueues(Construct scope, StageSettings stage, Alarms alarms) {
        super(scope, "Queues");
        this.prefix = stage.prefix();
        this.alarms = alarms;
        add(SCHEDULE, 60);
        add(WEBHOOKS, 300);
        add(STAGE_REPORTS, 60);
        add(SLICE_ANSWERS, 60);
        WORKER.forEach(name -> add(name, WORKER_SECONDS));
    }

    /**
     * Creates a queue. Its visibility timeout is six times the timeout of its function, as Lambda advises for functions
     * that may be throttled. A worker queue, whose function has limited concurrency, has twice the timeout: after that
     * time a message is redelivered if the worker died.
     */
    private void add(String name, int functionSeconds) {
        boolean ordered = name.endsWith(".fifo");
        String deadName = ordered ? name.replace(".fifo", "-dead.fifo") : name + "-dead";
        Queue dead = queue(deadName, ordered).retentionPeriod(Duration.days(14)).build();
        Queue queue = queue(name, ordered)
                .visibilityTimeout(Duration.seconds((WORKER.contains(name) ? 2 : 6) * functionSeconds))
                .retentionPeriod(Duration.days(4))
                .deadLetterQueue(DeadLetterQueue.builder()
                        .queue(dead)
                        .maxReceiveCount(RECEIVES)
                        .build())
                .build();
        queues.put(name, queue);
        deadLetters.put(name, dead);
        MetricOptions minutes = Alarms.fiveMinutes("Maximum");
        alarms.add(
                "Dead letters",
                Alarm.Builder.create(this, deadName + "-alarm")
                        .alarmDescription("messages of " + name
                                + " failed too often: read its function's log, then run gantry-admin queues redrive")
                        .metric(dead.metricApproximateNumberOfMessagesVisible(minutes))
                        .threshold(0)
                        .comparisonOperator(ComparisonOperator.GREATER_THAN_THRESHOLD)
                        .evaluationPeriods(1)
                        .treatMissingData(TreatMissingData.NOT_BREACHING)
                        .build());
        alarms.add(
                "Age of the oldest message",
                Alarm.Builder.create(this, name + "-alarm")
                        .alarmDescription("messages of " + name + " have waited too long")
                        .metric(queue.metricApproximateAgeOfOldestMessage(minutes))
                        .threshold(WORKER.contains(name) ? 3600 : 900)
                        .comparisonOperator(ComparisonOperator.GREATER_THAN_THRESHOLD)
                        .evaluationPeriods(2)
                        .treatMissingData(TreatMissingData.NOT_BREACHING)
                        .build());
    }

    private Queue.Builder queue(String name, boolean ordered) {
        Queue.Builder queue = Queue.Builder.create(this, name)
                .queueName(prefix + name)
                .encryption(QueueEncryption.SQS_MANAGED)
                .enforceSsl(true);
        return ordered ? queue.fifo(true) : queue;
    }

    Queue queue(String name) {
        Queue queue = queues.get(name);
        if (queue == null) {
            throw new IllegalArgumentException("there is no queue " + name);
        }
        return queue;
    }

    Map<String, Queue> all() {
        return queues;
    }

    /** Returns the dead letter queues by the name of their queue. */
    Map<String, Queue> deadLetters() {
        return deadLetters;
    }
}
