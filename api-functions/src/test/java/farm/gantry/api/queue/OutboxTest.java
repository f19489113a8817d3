package farm.gantry.api.queue;

import farm.gantry.Id;
import farm.gantry.api.fixture.SharedApi;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Tests the dispatch of messages to queues in the database. */
final class OutboxTest implements OutboxDispatchContract {
    @Override
    public OutboxDispatcher dispatch() {
        return SharedApi.bean(OutboxDispatcher.class);
    }

    @Override
    public String newQueue() {
        return Id.next();
    }

    @Override
    public List<String> drained(String queue) {
        QueueMessageRows messages = SharedApi.bean(QueueMessageRows.class);
        List<String> bodies = new ArrayList<>();
        Optional<QueueMessageRows.ReceivedMessage> taken = messages.take(queue, "test", Duration.ofMinutes(1));
        while (taken.isPresent()) {
            bodies.add(taken.get().body());
            messages.remove(taken.get());
            taken = messages.take(queue, "test", Duration.ofMinutes(1));
        }
        return bodies;
    }
}
