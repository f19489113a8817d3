package farm.gantry.local;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.eclipse.paho.mqttv5.client.IMqttMessageListener;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.eclipse.paho.mqttv5.common.MqttMessage;
import org.eclipse.paho.mqttv5.common.MqttSubscription;

/** A subscriber of an MQTT broker, with a client library that the API does not use. */
final class Subscriber implements AutoCloseable {
    private final MqttClient client;
    private final List<Message> messages = new CopyOnWriteArrayList<>();
    private final Semaphore arrived = new Semaphore(0);

    private record Message(String topic, String text) {}

    Subscriber(int port, String filter) throws MqttException {
        this.client = new MqttClient("tcp://127.0.0.1:" + port, "subscriber", new MemoryPersistence());
        client.connect();
        IMqttMessageListener listener = this::onMessage;
        client.subscribe(
                new MqttSubscription[] {new MqttSubscription(filter, 1)}, new IMqttMessageListener[] {listener});
    }

    private void onMessage(String topic, MqttMessage message) {
        messages.add(new Message(topic, new String(message.getPayload(), StandardCharsets.UTF_8)));
        arrived.release();
    }

    /** Waits for a message whose topic has this end and that contains the text. */
    void await(String topic, String text) throws InterruptedException {
        while (messages.stream()
                .noneMatch(message ->
                        message.topic().endsWith(topic) && message.text().contains(text))) {
            if (!arrived.tryAcquire(5, TimeUnit.MINUTES)) {
                throw new AssertionError("nothing with " + text + " at " + topic + " but " + messages);
            }
        }
    }

    /** Returns the messages of a topic, in the order of their arrival. */
    List<String> of(String topic) {
        return messages.stream()
                .filter(message -> message.topic().equals(topic))
                .map(Message::text)
                .toList();
    }

    List<String> all() {
        return messages.stream().map(Message::text).toList();
    }

    @Override
    public void close() throws MqttException {
        client.disconnect();
        client.close();
    }
}
