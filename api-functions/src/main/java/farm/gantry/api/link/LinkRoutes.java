package farm.gantry.api.link;

import farm.gantry.api.file.FileUrls;
import farm.gantry.api.http.BodyType;
import farm.gantry.api.security.WithoutApiKey;
import farm.gantry.wire.LinkRequest;
import farm.gantry.wire.LinkResponse;
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

/** The route of the edge link. In one exchange the agent sends events and reports, and receives commands and configuration. */
@Controller("/v1/agents/link")
@ExecuteOn(TaskExecutors.VIRTUAL)
final class LinkRoutes {
    private final AgentTokens tokens;
    private final LinkExchange exchanges;
    private final FileUrls urls;
    private final IdlePolls idle;

    LinkRoutes(AgentTokens tokens, LinkExchange exchanges, FileUrls urls, IdlePolls idle) {
        this.tokens = tokens;
        this.exchanges = exchanges;
        this.urls = urls;
        this.idle = idle;
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
        String authorization = request.getHeaders().get("authorization");
        IdlePolls.Poll poll = idle.read(authorization, body);
        if (poll.response() != null) {
            return poll.response();
        }
        AgentTokens.Bearer agent = tokens.check(authorization);
        IdlePolls.Poll begun = idle.begin(poll, agent.store());
        return idle.end(begun, agent, exchanges.exchange(agent, body, wait, urls.base(request)));
    }
}
