package farm.gantry.api.webhook;

import farm.gantry.notification.NotificationChannel.Kind;
import java.util.List;
import java.util.Map;

/**
 * A service as its documentation describes it: the settings of a channel, and the request that the service expects for
 * the message that the printer Völker 3 is offline.
 */
record ServiceRequest(
        Kind kind, String template, String path, Map<String, String> headers, List<String> body, String credentials) {
    static final String SECRET = "s3cretOfTheChannel";

    static final List<ServiceRequest> ALL = List.of(
            new ServiceRequest(
                    Kind.ntfy,
                    "{\"url\": \"BASE/\", \"topic\": \"farm\", \"token\": \"SECRET\"}",
                    "/",
                    Map.of("authorization", "Bearer " + SECRET),
                    List.of(
                            "\"topic\":\"farm\"",
                            "\"title\":\"Printer offline\"",
                            "\"message\":\"Völker 3 is unreachable.\"",
                            "\"priority\":4",
                            "\"tags\":[\"warning\"]"),
                    "settings.token"),
            new ServiceRequest(
                    Kind.discord,
                    "{\"url\": \"BASE/api/webhooks/1/SECRET?thread_id=2\"}",
                    "/api/webhooks/1/" + SECRET + "?thread_id=2&wait=true",
                    Map.of(),
                    List.of(
                            "\"title\":\"Printer offline\"",
                            "\"description\":\"Völker 3 is unreachable.\"",
                            "\"allowed_mentions\":{\"parse\":[]}"),
                    "settings.url"),
            new ServiceRequest(
                    Kind.slack,
                    "{\"url\": \"BASE/services/T0/B0/SECRET\"}",
                    "/services/T0/B0/" + SECRET,
                    Map.of(),
                    List.of("{\"text\":\":warning: *Printer offline*\\nVölker 3 is unreachable.\"}"),
                    "settings.url"),
            new ServiceRequest(
                    Kind.telegram,
                    "{\"url\": \"BASE\", \"token\": \"123:SECRET\", \"chatId\": \"-100200\"}",
                    "/bot123:" + SECRET + "/sendMessage",
                    Map.of(),
                    List.of(
                            "\"chat_id\":\"-100200\"",
                            "\"text\":\"Printer offline\\nVölker 3 is unreachable.\"",
                            "\"disable_notification\":false"),
                    "settings.token"),
            new ServiceRequest(
                    Kind.gotify,
                    "{\"url\": \"BASE/\", \"token\": \"SECRET\"}",
                    "/message",
                    Map.of("x-gotify-key", SECRET),
                    List.of(
                            "\"title\":\"Printer offline\"",
                            "\"message\":\"Völker 3 is unreachable.\"",
                            "\"priority\":6"),
                    "settings.token"),
            new ServiceRequest(
                    Kind.pushover,
                    "{\"url\": \"BASE\", \"token\": \"SECRET\", \"userKey\": \"uQiRzpo4DXghDmr9\"}",
                    "/1/messages.json",
                    Map.of(),
                    List.of(
                            "\"token\":\"" + SECRET + "\"",
                            "\"user\":\"uQiRzpo4DXghDmr9\"",
                            "\"title\":\"Printer offline\"",
                            "\"message\":\"Völker 3 is unreachable.\"",
                            "\"priority\":0"),
                    "settings.token and settings.userKey"),
            new ServiceRequest(
                    Kind.webhook,
                    "{\"url\": \"BASE/hooks/farm?key=SECRET\", \"token\": \"SECRET\"}",
                    "/hooks/farm?key=" + SECRET,
                    Map.of("authorization", "Bearer " + SECRET),
                    List.of(
                            "\"title\":\"Printer offline\"",
                            "\"text\":\"Völker 3 is unreachable.\"",
                            "\"severity\":\"warning\"",
                            "\"count\":1",
                            "\"resolved\":false"),
                    "settings.url and settings.token"));

    /** Returns the request of a kind of channel. */
    static ServiceRequest of(Kind kind) {
        return ALL.stream().filter(each -> each.kind() == kind).findFirst().orElseThrow();
    }

    /** Returns the settings of a channel whose service is at the address. */
    String settings(String base) {
        return template.replace("BASE", base).replace("SECRET", SECRET);
    }

    @Override
    public String toString() {
        return kind.name();
    }
}
