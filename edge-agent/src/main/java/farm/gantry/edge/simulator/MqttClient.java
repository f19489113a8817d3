package farm.gantry.edge.simulator;

import farm.gantry.edge.json.Json;
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
import org.jspecify.annotations.Nullable;

/** One client of a simulated printer's broker. */
@SuppressWarnings("FutureReturnValueIgnored") // What cannot be closed is closed.
final class BambuClient extends SimpleChannelInboundHandler<MqttMessage> {
    private final BambuSimulator simulator;
    private volatile @Nullable Channel channel;

    BambuClient(BambuSimulator simulator) {
        this.simulator = simulator;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, MqttMessage message) throws IOException {
        if (!simulator.isReachable() || message.decoderResult().isFailure()) {
            context.close();
            return;
        }
        switch (message.fixedHeader().messageType()) {
            case CONNECT -> connect(context, (MqttConnectMessage) message);
            case SUBSCRIBE -> subscribe(context, (MqttSubscribeMessage) message);
            case PUBLISH -> take(context, (MqttPublishMessage) message);
            case PINGREQ -> context.writeAndFlush(MqttMessage.PINGRESP);
            default -> context.close();
        }
    }

    private void connect(ChannelHandlerContext context, MqttConnectMessage message) {
        byte[] password = message.payload().passwordInBytes();
        boolean welcome = simulator.admits(
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
        message.payload().topicSubscriptions().forEach(_ -> answer.addGrantedQos(MqttQoS.AT_MOST_ONCE));
        context.writeAndFlush(answer.build());
        channel = context.channel();
        simulator.joined(this);
    }

    /** As the real ones do, it hears of what is sent without care only when it has nothing else to do. */
    private void take(ChannelHandlerContext context, MqttPublishMessage message) throws IOException {
        boolean careless = message.fixedHeader().qosLevel() == MqttQoS.AT_MOST_ONCE;
        if (!careless) {
            context.writeAndFlush(MqttMessageBuilders.pubAck()
                    .packetId(message.variableHeader().packetId())
                    .build());
        }
        if (simulator.isSilent() || (careless && simulator.printer().print().isActive())) {
            return;
        }
        String text = message.payload().toString(StandardCharsets.UTF_8);
        try {
            new BambuOrders(simulator).answer(Json.tree(text)).ifPresent(this::tell);
        } catch (IllegalStateException e) {
            simulator.hangUp(); // It has done what it was told, and the line breaks before it can say so.
        }
    }

    void tell(Map<String, Object> message) {
        Channel to = channel;
        if (to != null) {
            ByteBuf payload = Unpooled.wrappedBuffer(Json.write(message).getBytes(StandardCharsets.UTF_8));
            to.writeAndFlush(MqttMessageBuilders.publish()
                    .topicName("device/" + simulator.serial() + "/report")
                    .qos(MqttQoS.AT_MOST_ONCE)
                    .payload(payload)
                    .build());
        }
    }

    void hangUp() {
        Channel open = channel;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        simulator.left(this);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
