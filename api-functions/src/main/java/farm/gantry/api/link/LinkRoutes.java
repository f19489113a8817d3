package farm.gantry.api.link;

import farm.gantry.api.file.FileUrls;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.security.WithoutApiKey;
import farm.gantry.wire.LinkResponse;
import farm.gantry.wire.LinkRequest;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.annotation.Status;
import io.micronaut.json.tree.JsonNode;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;

/** The edge link. In one exchange the agent sends events and reports, and receives commands and configuration. */
@Controller("/v1/agents/link")
@ExecuteOn(TaskExecutors.VIRTUAL)
final class LinkRoutes {
    private final AgentTokens tokens;
    private final LinkExchange exchanges;
    private final FileUrls urls;

    LinkRoutes(AgentTokens tokens, LinkExchange exchanges, FileUrls urls) {
        this.tokens = tokens;
        this.exchanges = exchanges;
        this.urls = urls;
    }

    /** Exchanges messages with an agent. {@code wait} holds an empty response for that many seconds, at most 20. */
    @Post
    @Status(HttpStatus.CREATED)
    @WithoutApiKey("the agent's token")
    LinkResponse exchange(
            HttpRequest<?> request,
            @QueryValue(defaultValue = "0") int wait,
            @Body @BodyType(LinkRequest.class) JsonNode body)
            throws InterruptedException {
        return exchanges.exchange(
                tokens.check(request.getHeaders().get("authorization")), body, wait, urls.base(request));
    }
}
