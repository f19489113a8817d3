package farm.gantry.api;

import farm.gantry.api.description.DescriptionCheck;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Speaks to a host, with the headers it was given, and holds every answer against the API's description. */
public final class Client {
    private final Host host;
    private final List<Map.Entry<String, String>> headers;

    private Client(Host host, List<Map.Entry<String, String>> headers) {
        this.host = host;
        this.headers = headers;
    }

    public static Client of(Host host) {
        return new Client(host, List.of());
    }

    public static Client of(Host host, String key) {
        return of(host).with("authorization", "ApiKey " + key);
    }

    public Client with(String header, String value) {
        List<Map.Entry<String, String>> more = new ArrayList<>(headers);
        more.add(Map.entry(header, value));
        return new Client(host, more);
    }

    public Client keyed(String key) {
        return new Client(host, List.of(Map.entry("authorization", "ApiKey " + key)));
    }

    /** A client with a new key, which has these permissions alone. */
    public Client permitted(String... permissions) {
        String names = String.join("\",\"", permissions);
        Answer made = post("/v1/api-keys", "{\"name\":\"limited\",\"permissions\":[\"" + names + "\"]}");
        return keyed(String.valueOf(made.at("key")));
    }

    public Answer get(String target) {
        return send("GET", target, new byte[0]);
    }

    public Answer delete(String target) {
        return send("DELETE", target, new byte[0]);
    }

    public Answer post(String target, String json) {
        return with("content-type", "application/json").send("POST", target, utf8(json));
    }

    public Answer patch(String target, String json) {
        return with("content-type", "application/json").send("PATCH", target, utf8(json));
    }

    public Answer delete(String target, String json) {
        return with("content-type", "application/json").send("DELETE", target, utf8(json));
    }

    /** Posts what must succeed and answers the new record's id. */
    public String made(String target, String json) {
        Answer answer = post(target, json);
        if (answer.status() != 201) {
            throw new AssertionError(answer.status() + " " + answer.text());
        }
        return String.valueOf(answer.at("id"));
    }

    public Answer send(String method, String target, byte[] body) {
        try {
            Call call = new Call(method, target, headers, body);
            Answer answer = host.send(call);
            DescriptionCheck.check(call, answer);
            return answer;
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(method + " " + target + " was not answered", e);
        }
    }

    public static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
