package farm.gantry.simulator.network;

import farm.gantry.json.Json;
import farm.gantry.simulator.network.SimulatedBroker.Device;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.mqtt.MqttConnAckMessage;
import io.netty.handler.codec.mqtt.MqttConnectMessage;
import io.netty.handler.codec.mqtt.MqttConnectReturnCode;
import io.netty.handler.codec.mqtt.MqttMessage;
import io.netty.handler.codec.mqtt.MqttMessageBuilders;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import io.netty.handler.codec.mqtt.MqttQoS;
import io.netty.handler.codec.mqtt.MqttSubscribeMessage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** One client of a simulated printer's broker. */
@SuppressWarnings("FutureReturnValueIgnored") // What cannot be closed is closed.
public final class BrokerConnection extends SimpleChannelInboundHandler<MqttMessage> {
    private static final String ALL_BELOW = "/#";

    private final SimulatedBroker port;
    private final Device device;
    private final Channel channel;
    private final Set<String> topics = ConcurrentHashMap.newKeySet();

    public BrokerConnection(SimulatedBroker port, Device device, Channel channel) {
        this.port = port;
        this.device = device;
        this.channel = channel;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, MqttMessage message) throws IOException {
        if (!device.isReachable() || message.decoderResult().isFailure()) {
            context.close();
            return;
        }
        switch (message.fixedHeader().messageType()) {
            case CONNECT -> connect(context, (MqttConnectMessage) message);
            case SUBSCRIBE -> subscribe(context, (MqttSubscribeMessage) message);
            case PUBLISH -> onPublish(context, (MqttPublishMessage) message);
            case PINGREQ -> context.writeAndFlush(MqttMessage.PINGRESP);
            default -> context.close();
        }
    }

    private void connect(ChannelHandlerContext context, MqttConnectMessage message) {
        byte[] password = message.payload().passwordInBytes();
        boolean welcome = device.accepts(
                String.valueOf(message.payload().userName()),
                password == null ? "" : new String(password, StandardCharsets.UTF_8));
        MqttConnAckMessage answer = MqttMessageBuilders.connAck()
                .returnCode(
                        welcome
                                ? MqttConnectReturnCode.CONNECTION_ACCEPTED
                                : MqttConnectReturnCode.CONNECTION_REFUSED_BAD_USER_NAME_OR_PASSWORD)
                .build();
        context.writeAndFlush(answer);
        if (!welcome) {
            context.close();
        }
    }

    private void subscribe(ChannelHandlerContext context, MqttSubscribeMessage message) {
        MqttMessageBuilders.SubAckBuilder answer =
                MqttMessageBuilders.subAck().packetId(message.variableHeader().messageId());
        message.payload().topicSubscriptions().forEach(subscription -> {
            topics.add(subscription.topicFilter());
            answer.addGrantedQos(MqttQoS.AT_MOST_ONCE);
        });
        context.writeAndFlush(answer.build());
        port.onConnect(this);
    }

    private void onPublish(ChannelHandlerContext context, MqttPublishMessage message) throws IOException {
        boolean fireAndForget = message.fixedHeader().qosLevel() == MqttQoS.AT_MOST_ONCE;
        if (!fireAndForget) {
            context.writeAndFlush(MqttMessageBuilders.pubAck()
                    .packetId(message.variableHeader().packetId())
                    .build());
        }
        String text = message.payload().toString(StandardCharsets.UTF_8);
        try {
            device.onMessage(this, message.variableHeader().topicName(), Json.tree(text), fireAndForget);
        } catch (IllegalStateException e) {
            port.disconnectAll(); // The command is executed, and the connection breaks before the response.
        }
    }

    /** Sends the message if the client has subscribed to the topic. */
    public void publish(String topic, Map<String, Object> message) {
        if (topics.stream().anyMatch(wanted -> matches(wanted, topic))) {
            ByteBuf payload = Unpooled.wrappedBuffer(Json.write(message).getBytes(StandardCharsets.UTF_8));
            channel.writeAndFlush(MqttMessageBuilders.publish()
                    .topicName(topic)
                    .qos(MqttQoS.AT_MOST_ONCE)
                    .payload(payload)
                    .build());
        }
    }

    private static boolean matches(String wanted, String topic) {
        return wanted.endsWith(ALL_BELOW)
                ? topic.startsWith(wanted.substring(0, wanted.length() - 1))
                : topic.equals(wanted);
    }

    public void disconnect() {
        channel.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        port.onDisconnect(this);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
