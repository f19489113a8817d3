package farm.gantry.api.aws;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.Id;
import farm.gantry.StoreId;
import farm.gantry.api.database.Database;
import farm.gantry.api.fixture.SharedApi;
import farm.gantry.api.http.ratelimit.RateLimitContract.Time;
import farm.gantry.api.link.AgentMarks;
import farm.gantry.api.link.AgentPresence;
import farm.gantry.api.link.LinkSettings;
import farm.gantry.api.queue.StoreActivity;
import farm.gantry.api.queue.Wakeups;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Tests the marks of stores and agents in DynamoDB Local, and by them when a sweep reads the database. */
@Tag("install")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DynamoDbMarksTest {
    private static final AgentPresence PRESENCE = new AgentPresence(1, 2);

    private Time time;
    private DynamoTables tables;
    private String prefix;
    private StoreId store;
    private String agent;

    @BeforeAll
    void start() throws Exception {
        tables = new DynamoTables();
    }

    @AfterAll
    void stop() throws Exception {
        tables.stop();
    }

    @BeforeEach
    void createTables() {
        time = new Time();
        prefix = tables.newTables();
        store = new StoreId(Id.next());
        agent = Id.next();
    }

    /** Returns the marks as another process sees them. */
    private DynamoDbMarks marks() {
        return new DynamoDbMarks(tables.client(), DynamoTables.settings(prefix), time);
    }

    private SweepMarks sweeps() {
        DynamoDbMarks marks = marks();
        LinkSettings times = SharedApi.bean(LinkSettings.class);
        return new SweepMarks(marks, marks, SharedApi.bean(Database.class), times, time);
    }

    private AgentMarks.Mark mark() {
        return new AgentMarks.Mark("salt", "hash", "session", 7, null, 6, time.instant());
    }

    private boolean isSweepIdle() {
        return sweeps().plan().idlePresence() != null;
    }

    /** Records a sweep without the stores of other tests. */
    private void sweep() {
        marks().putSweep(new DynamoDbMarks.Sweep(time.instant(), PRESENCE));
    }

    @Test
    void markIsReadByAnotherProcess() {
        assertThat(marks().read(agent)).isEmpty();
        marks().put(store, agent, mark());
        AgentMarks.AgentReading reading = marks().read(agent).orElseThrow();
        assertThat(reading).isEqualTo(new AgentMarks.AgentReading(store, false, mark()));
        time.pass(Duration.ofSeconds(30));
        assertThat(marks().markSeen(store, agent)).isTrue();
        assertThat(marks().findSeen(store))
                .hasValueSatisfying(
                        seen -> assertThat(seen).containsOnlyKeys(agent).containsEntry(agent, time.instant()));
        assertThat(marks().markSeen(store, Id.next())).as("without a mark").isFalse();
    }

    @Test
    void storeIsInUseForFiveMinutesAfterAChange() {
        DynamoDbMarks process = marks();
        marks().put(store, agent, mark());
        process.touch(store);
        time.pass(Duration.ofSeconds(50));
        process.touch(store);
        assertThat(marks().findAll().orElseThrow().activeUntil())
                .as("recorded once a minute")
                .isEqualTo(time.instant().plus(StoreActivity.ACTIVE_TIME).minusSeconds(50));
        assertThat(marks().read(agent).orElseThrow().isStoreInUse()).isTrue();
        assertThat(marks().isIdle(store)).isFalse();
        time.pass(StoreActivity.ACTIVE_TIME);
        assertThat(marks().read(agent).orElseThrow().isStoreInUse()).isFalse();
        assertThat(marks().isIdle(store)).isTrue();
    }

    @Test
    void nothingIsKnownWithoutATable() {
        tables.deleteMarks(prefix);
        DynamoDbMarks process = marks();
        process.touch(store);
        process.put(store, agent, mark());
        assertThat(process.read(agent)).isEmpty();
        assertThat(process.isIdle(store)).isFalse();
        assertThat(process.findSeen(store)).isEmpty();
        assertThat(process.touchAt(store, Wakeups.Purpose.WEBHOOKS, time.instant()))
                .isFalse();
        assertThat(isSweepIdle()).isFalse();
        DynamoTables.addMarks(tables.client(), prefix);
        process.touch(store);
        assertThat(marks().isIdle(store))
                .as("a failed request is not repeated at once")
                .isTrue();
        time.pass(TableFallback.RETRY_DELAY);
        process.touch(store);
        assertThat(marks().isIdle(store)).isFalse();
    }

    @Test
    void sweepReadsTheDatabaseOnceInEachPeriod() {
        assertThat(isSweepIdle()).as("before the first sweep").isFalse();
        sweep();
        assertThat(sweeps().plan().idlePresence()).isEqualTo(PRESENCE);
        time.pass(Duration.ofMinutes(59));
        assertThat(isSweepIdle()).isTrue();
        time.pass(Duration.ofMinutes(1));
        assertThat(isSweepIdle()).isFalse();
    }

    @Test
    void sweepReadsTheDatabaseWhileAStoreIsInUse() {
        sweep();
        marks().touch(store);
        assertThat(isSweepIdle()).isFalse();
        time.pass(StoreActivity.ACTIVE_TIME);
        assertThat(isSweepIdle()).isTrue();
    }

    @Test
    void sweepReadsTheDatabaseWhenWorkIsDue() {
        sweep();
        Instant due = time.instant().plusSeconds(120);
        assertThat(marks().touchAt(store, Wakeups.Purpose.WEBHOOKS, due)).isTrue();
        assertThat(marks().touchAt(store, Wakeups.Purpose.WEBHOOKS, due.plusSeconds(600)))
                .as("the earlier time remains")
                .isTrue();
        assertThat(isSweepIdle()).isTrue();
        time.pass(Duration.ofMinutes(2));
        SweepMarks sweeps = sweeps();
        SweepMarks.Plan plan = sweeps.plan();
        assertThat(plan.idlePresence()).isNull();
        sweeps.record(plan, PRESENCE);
        assertThat(marks().findAll().orElseThrow().due()).isEmpty();
    }

    @Test
    void sweepReadsTheDatabaseWhenAMarkedAgentIsSilent() {
        sweep();
        marks().put(store, agent, mark());
        time.pass(Duration.ofSeconds(90));
        assertThat(isSweepIdle()).isTrue();
        time.pass(Duration.ofSeconds(1));
        SweepMarks sweeps = sweeps();
        SweepMarks.Plan plan = sweeps.plan();
        assertThat(plan.idlePresence()).isNull();
        sweeps.record(plan, PRESENCE);
        assertThat(marks().findAll().orElseThrow().agents()).isEmpty();
    }
}
