package farm.gantry.api.connection;

import farm.gantry.api.http.address.TrustedProxies;
import io.micronaut.context.BeanProvider;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.server.netty.NettyServerCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Limits the number of HTTP connections of this process, in total and per address, and adds a {@link
 * ConnectionTimeoutHandler} to each.
 */
@Singleton
public final class ConnectionLimiter implements NettyServerCustomizer {
    private final ConnectionLimits limits;
    private final TrustedProxies proxies;
    private final ChannelGroup listeners = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final ChannelGroup open = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final ConcurrentMap<InetAddress, Integer> ofAddress = new ConcurrentHashMap<>();
    private final AtomicBoolean isDraining = new AtomicBoolean();
    private final AtomicBoolean isClosing = new AtomicBoolean();

    ConnectionLimiter(ConnectionLimits limits, TrustedProxies proxies) {
        this.limits = limits;
        this.proxies = proxies;
    }

    /** Registers the limiter at the HTTP server. */
    @Singleton
    record ConnectionLimiterRegistration(BeanProvider<ConnectionLimiter> connections)
            implements BeanCreatedEventListener<NettyServerCustomizer.Registry> {
        @Override
        public NettyServerCustomizer.Registry onCreated(BeanCreatedEvent<NettyServerCustomizer.Registry> event) {
            event.getBean().register(connections.get());
            return event.getBean();
        }
    }

    @Override
    public NettyServerCustomizer specializeForChannel(Channel channel, ChannelRole role) {
        return switch (role) {
            case LISTENER -> {
                listeners.add(channel);
                yield this;
            }
            case CONNECTION -> watch(channel);
            case REQUEST_STREAM, PUSH_PROMISE_STREAM -> this; // channels of HTTP/2, which the server does not support
        };
    }

    private NettyServerCustomizer watch(Channel channel) {
        open.add(channel);
        boolean isTooManyOfAddress = exceedsAddressLimit(channel);
        boolean isTooMany = isTooManyOfAddress || open.size() > limits.max();
        return new NettyServerCustomizer() {
            @Override
            public void onStreamPipelineBuilt() {
                ConnectionTimeoutHandler watch = new ConnectionTimeoutHandler(channel, limits, isDraining::get);
                watch.start();
                if (isClosing.get()) {
                    var _ = channel.close();
                } else if (isTooMany) {
                    channel.eventLoop().execute(watch::rejectTooMany);
                }
            }
        };
    }

    private boolean exceedsAddressLimit(Channel channel) {
        InetAddress address = address(channel);
        if (address == null || proxies.isProxy(address)) {
            return false;
        }
        int count = ofAddress.merge(address, 1, Integer::sum);
        channel.closeFuture()
                .addListener(_ -> ofAddress.computeIfPresent(address, (_, held) -> held == 1 ? null : held - 1));
        return count > limits.maxPerAddress();
    }

    private static @Nullable InetAddress address(Channel channel) {
        return channel.remoteAddress() instanceof InetSocketAddress address ? address.getAddress() : null;
    }

    /** Returns the number of open connections. */
    public int count() {
        return open.size();
    }

    /** Closes the connection after its current response; closes it at once if it has no HTTP handlers yet. */
    private static void closeWhenDone(Channel channel) {
        channel.eventLoop().execute(() -> {
            if (channel.pipeline().get(ConnectionTimeoutHandler.class) == null) {
                var _ = channel.close();
            } else {
                channel.pipeline().fireUserEventTriggered(ConnectionTimeoutHandler.DRAIN);
            }
        });
    }

    /**
     * Accepts no more connections, and waits at most {@code timeout} for that. {@code delay} is how long requests on new and open connections are still served, each
     * as the last of its connection. It gives a proxy time to drop the connections that it keeps open, which it would
     * otherwise use for another request while they are being closed.
     */
    public void refuseConnections(Duration delay, Duration timeout) throws InterruptedException {
        isDraining.set(true);
        Thread.sleep(delay.dividedBy(2));
        listeners.close().await(timeout.toMillis(), TimeUnit.MILLISECONDS);
        Thread.sleep(delay.dividedBy(2));
    }

    /**
     * Closes idle connections and waits, at most the time, for the responses of the others. Returns whether all ended.
     */
    public boolean drain(Duration timeout) throws InterruptedException {
        isClosing.set(true);
        open.forEach(ConnectionLimiter::closeWhenDone);
        return open.newCloseFuture().await(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }
}
