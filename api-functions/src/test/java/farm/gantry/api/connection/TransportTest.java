package farm.gantry.api.connection;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.api.fixture.SharedApi;
import io.micronaut.context.ApplicationContext;
import io.micronaut.http.netty.channel.EventLoopGroupRegistry;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class TransportTest {
    @Test
    void nativeTransportIsUsedOnLinux() {
        try (ApplicationContext api = SharedApi.another(Map.of())) {
            EventLoopGroupRegistry groups = api.getBean(EventLoopGroupRegistry.class);
            assertThat(groups.getDefaultEventLoopGroup())
                    .isInstanceOfSatisfying(
                            IoEventLoopGroup.class,
                            group -> assertThat(group.isIoType(EpollIoHandler.class))
                                    .isEqualTo(Epoll.isAvailable()));
        }
    }
}
