package farm.gantry.api.wrong;

import farm.gantry.api.security.Caller;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.json.tree.JsonNode;

@Requires(property = "never")
@Controller("/wrong/body")
public final class BodyOfAnyShape {
    @Post
    String route(Caller caller, @Body JsonNode body) {
        return caller.keyId() + body;
    }
}
