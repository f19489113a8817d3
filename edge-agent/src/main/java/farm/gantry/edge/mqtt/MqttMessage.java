package farm.gantry.edge.mqtt;

import java.util.Map;

/** A message that a printer has published. */
public record MqttMessage(String topic, Map<String, Object> body) {}
