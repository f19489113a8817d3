package farm.gantry.api.main.function;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import farm.gantry.api.http.address.CallerAddress;
import io.micronaut.core.annotation.Order;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.servlet.http.ServletHttpRequest;
import java.net.InetAddress;

/** Sets the caller's address from API Gateway; on Lambda there is no connection. */
@ServerFilter("/**")
@Order(Ordered.HIGHEST_PRECEDENCE) // plain-words: ok
final class GatewayCallerAddress {
    @RequestFilter
    void setCallerAddress(HttpRequest<?> request) {
        if (request instanceof ServletHttpRequest<?, ?> served
                && served.getNativeRequest() instanceof APIGatewayProxyRequestEvent event) {
            String address = event.getRequestContext().getIdentity().getSourceIp();
            CallerAddress.setByGateway(request, InetAddress.ofLiteral(address));
        }
    }
}
