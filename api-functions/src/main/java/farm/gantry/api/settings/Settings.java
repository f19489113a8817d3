package farm.gantry.api.settings;

import java.util.List;

/** Every setting of the server, with its default, its unit and its meaning. */
public final class Settings {
    private static final String DURATION = "duration";
    private static final String BYTES = "bytes";
    private static final String TEXT = "text";
    private static final String FLAG = "true or false";
    private static final String COUNT = "count";
    private static final String NONE = "none";

    /** All settings, sorted by their keys. */
    public static final List<Setting> ALL = List.of(
            Setting.computed(
                    "gantry.agents.broker.password",
                    NONE,
                    TEXT,
                    "Password at the MQTT broker between agents and server."),
            Setting.computed(
                    "gantry.agents.broker.url",
                    NONE,
                    "URL",
                    "MQTT broker between agents and server, such as `mqtts://broker.example:8883`."),
            Setting.computed(
                    "gantry.agents.broker.user", NONE, TEXT, "User at the MQTT broker between agents and server."),
            Setting.of(
                    "gantry.agents.full-check-interval",
                    "1h",
                    DURATION,
                    "On AWS, how often functions read the database although nothing seems to have changed."),
            Setting.of(
                    "gantry.agents.idle-poll-interval",
                    "1s",
                    DURATION,
                    "Pause of an agent between two requests while its printers are idle and nobody uses the store."),
            Setting.of(
                    "gantry.agents.long-poll-timeout",
                    "20s",
                    DURATION,
                    "Maximum time that a request of an agent waits for a command."),
            Setting.of(
                    "gantry.agents.offline-check-interval",
                    "10s",
                    DURATION,
                    "How often the server checks for agents that have exceeded `offline-timeout`."),
            Setting.of(
                    "gantry.agents.offline-timeout",
                    "90s",
                    DURATION,
                    "Printers of an agent that has sent no request for longer are shown as offline."),
            Setting.of("gantry.agents.poll-interval", "1s", DURATION, "Pause of an agent between two requests."),
            Setting.computed(
                    "gantry.agents.public-url",
                    "the address of pairing",
                    "URL",
                    "Address to which agents send their requests, if it is not the address of pairing."),
            Setting.of(
                    "gantry.agents.rate-limit-burst",
                    "600",
                    COUNT,
                    "Requests of one agent that may come at once after a pause."),
            Setting.of("gantry.agents.rate-limit-per-minute", "3000", "per minute", "Requests of one agent."),
            Setting.of("gantry.audit.retention", "400d", DURATION, "How long the audit log keeps an entry."),
            Setting.computed(
                    "gantry.aws.bucket", NONE, TEXT, "S3 bucket of the files, instead of `gantry.files.folder`."),
            Setting.computed(
                    "gantry.aws.iot-core-enabled", "`false`", FLAG, "Whether agents may connect through AWS IoT Core."),
            Setting.computed(
                    "gantry.aws.kms-key",
                    NONE,
                    "ARN",
                    "KMS key that encrypts stored secrets, instead of `gantry.secret-key`."),
            Setting.computed(
                    "gantry.aws.origin-secret",
                    NONE,
                    TEXT,
                    "Secret that CloudFront sends with each request; the API's function rejects requests without it."),
            Setting.computed(
                    "gantry.aws.queue-prefix",
                    NONE,
                    TEXT,
                    "Prefix of the names of the SQS queues; without it the queues are in PostgreSQL."),
            Setting.computed("gantry.aws.region", NONE, TEXT, "AWS region of the bucket and the queues."),
            Setting.computed(
                    "gantry.aws.table-prefix",
                    NONE,
                    TEXT,
                    "Prefix of the names of the DynamoDB tables; without it each process counts requests for rate limits by itself, and polls of idle agents read the database."),
            Setting.of(
                    "gantry.backup.at", "03:00", "time of day", "Time of the daily backup in the server's time zone."),
            Setting.computed(
                    "gantry.backup.folder",
                    NONE,
                    "path",
                    "Folder of the daily backups of this server alone; without it no backups are made."),
            Setting.of("gantry.backup.keep", "14", COUNT, "Number of daily backups that are kept."),
            Setting.of(
                    "gantry.connections.body-throughput-interval",
                    "20s",
                    DURATION,
                    "Interval in which a request body must bring `body-throughput-min-bytes`; a slower connection is closed."),
            Setting.of(
                    "gantry.connections.body-throughput-min-bytes",
                    "1024",
                    BYTES,
                    "Minimum that a request body must bring in each `body-throughput-interval`."),
            Setting.of(
                    "gantry.connections.header-timeout",
                    "10s",
                    DURATION,
                    "Time in which the header of a request must arrive."),
            Setting.of(
                    "gantry.connections.idle-timeout",
                    "75s",
                    DURATION,
                    "How long a connection may stay open between requests."),
            Setting.of(
                    "gantry.connections.max",
                    "4000",
                    COUNT,
                    "Maximum number of open connections; further ones get 503."),
            Setting.of(
                    "gantry.connections.max-per-address",
                    "1000",
                    COUNT,
                    "Maximum number of open connections of one address; `gantry.trusted-proxies` have no such limit."),
            Setting.of(
                    "gantry.connections.rejected-body-idle-timeout",
                    "5s",
                    DURATION,
                    "Maximum pause in the rest of a rejected request body before the connection is closed."),
            Setting.of(
                    "gantry.connections.rejected-body-timeout",
                    "30s",
                    DURATION,
                    "How long the rest of a rejected request body is read, so that the client sees the response."),
            Setting.of(
                    "gantry.connections.response-write-timeout",
                    "30s",
                    DURATION,
                    "Time in which the client must read some of the response; otherwise the connection is closed."),
            Setting.of(
                    "gantry.cors-origins",
                    "",
                    "origins, separated by commas",
                    "Origins, such as `https://shop.example`, whose pages may call the API from a browser."),
            Setting.of(
                    "gantry.database.direct-url",
                    "",
                    "JDBC URL",
                    "Address of PostgreSQL itself if `--jdbc-url` is that of PgBouncer, for the connection that waits for notifications."),
            Setting.of(
                    "gantry.database.idle-transaction-timeout",
                    "0",
                    DURATION,
                    "PostgreSQL ends a transaction that is idle for longer; `0` means no limit."),
            Setting.of(
                    "gantry.database.lock-timeout",
                    "10s",
                    DURATION,
                    "A statement that waits longer for a lock fails; the response is 503."),
            Setting.of(
                    "gantry.database.replica-max-lag",
                    "1s",
                    DURATION,
                    "The replica answers only what it has within this time; otherwise the primary answers."),
            Setting.of(
                    "gantry.database.replica-url",
                    "",
                    "JDBC URL",
                    "Address of a read replica, which answers lists and reports with the same user and password."),
            Setting.computed(
                    "gantry.database.shared",
                    "true with `--jdbc-url`",
                    FLAG,
                    "Whether several processes use the database; set by the server itself."),
            Setting.of(
                    "gantry.database.statement-timeout",
                    "30s",
                    DURATION,
                    "A statement that takes longer fails; the response is 503."),
            Setting.computed(
                    "gantry.events.broker.access-secret",
                    NONE,
                    TEXT,
                    "Secret with which the MQTT broker asks `/mqtt-access` who may connect, of at least 16 characters. Without it, there is no such path."),
            Setting.computed(
                    "gantry.events.broker.password", NONE, TEXT, "Password at the MQTT broker that receives events."),
            Setting.computed(
                    "gantry.events.broker.url",
                    NONE,
                    "URL",
                    "MQTT broker to which events are published, such as `mqtts://broker.example:8883`."),
            Setting.computed("gantry.events.broker.user", NONE, TEXT, "User at the MQTT broker that receives events."),
            Setting.computed(
                    "gantry.files.folder", "`files` in the data folder", "path", "Folder of the stores' files."),
            Setting.of(
                    "gantry.files.max-upload-bytes", "536870912", BYTES, "Size of the largest file that is accepted."),
            Setting.of(
                    "gantry.files.min-free-bytes",
                    "268435456",
                    BYTES,
                    "Uploads get 503 when the disk has less free space, which is left to PostgreSQL."),
            Setting.computed(
                    "gantry.home-assistant.api-key",
                    NONE,
                    TEXT,
                    "API key whose store Home Assistant shows, and under which its commands run; needs `gantry.events.broker.url`."),
            Setting.computed(
                    "gantry.home-assistant.camera-interval",
                    NONE,
                    DURATION,
                    "Time between two images of a printer that prints in Home Assistant, at least 10 s; unset for no images."),
            Setting.of(
                    "gantry.home-assistant.discovery-prefix",
                    "homeassistant",
                    TEXT,
                    "First level of the MQTT topics at which Home Assistant looks for devices."),
            Setting.of(
                    "gantry.idempotency.lease-duration",
                    "60s",
                    DURATION,
                    "After this time, a request with the same `Idempotency-Key` may take over one that neither ended nor changed anything."),
            Setting.of(
                    "gantry.idempotency.retention",
                    "24h",
                    DURATION,
                    "How long the response to an `Idempotency-Key` is kept."),
            Setting.computed(
                    "gantry.jobs.archive-folder",
                    NONE,
                    "path",
                    "Folder of files to which jobs are written before `gantry.jobs.retention` deletes them."),
            Setting.computed(
                    "gantry.jobs.retention",
                    NONE,
                    DURATION,
                    "How long ended jobs are kept, at least `30d`; without it, without limit."),
            Setting.of(
                    "gantry.max-response-bytes",
                    "67108864",
                    BYTES,
                    "Maximum size of a response; a larger one is replaced by an error with status 413."),
            Setting.computed(
                    "gantry.monitoring.host", "`127.0.0.1`", "address", "Address of the health checks and metrics."),
            Setting.computed(
                    "gantry.monitoring.port", "the API's port + 1", "port", "Port of the health checks and metrics."),
            Setting.computed(
                    "gantry.pepper",
                    "file `pepper` in the data folder",
                    TEXT,
                    "Secret that is hashed together with each API key, at least 32 characters; required with `--jdbc-url`."),
            Setting.of(
                    "gantry.public-url",
                    "",
                    "URL",
                    "Address at which clients reach the server; empty means that of each request."),
            Setting.of(
                    "gantry.rate-limit.burst",
                    "120",
                    COUNT,
                    "Requests of one API key that may come at once after a pause."),
            Setting.of(
                    "gantry.rate-limit.per-minute",
                    "600",
                    "per minute",
                    "Requests of one API key, unless the key has its own limit; `0` is unlimited."),
            Setting.of(
                    "gantry.response-limit-counts-escapes",
                    "false",
                    FLAG,
                    "Whether `max-response-bytes` counts each quote and backslash twice, because the host escapes them, as Lambda does."),
            Setting.computed(
                    "gantry.secret-key",
                    "file `secret-key` in the data folder",
                    "32 bytes in base 64",
                    "Key that encrypts stored secrets; required with `--jdbc-url`."),
            Setting.of(
                    "gantry.shutdown-delay",
                    "0s",
                    DURATION,
                    "How long a stop still serves requests, after `/health/ready` returns 503 and before connections are closed,"
                            + " so that a proxy loses none; `1s` with `--jdbc-url`."),
            Setting.of("gantry.shutdown-timeout", "10s", DURATION, "How long a stop waits for running requests."),
            Setting.computed(
                    "gantry.slicers.bundles",
                    "see below",
                    "paths by slicer",
                    "Folders of the slicers' vendor profiles: `gantry.slicers.bundles.slicer1` to `slicer4`."),
            Setting.of(
                    "gantry.stream.heartbeat-interval",
                    "15s",
                    DURATION,
                    "How often a stream without events sends a heartbeat."),
            Setting.of(
                    "gantry.stream.max-per-store",
                    "50",
                    COUNT,
                    "Maximum number of open event streams of one store in one process."),
            Setting.of("gantry.stream.poll-interval", "500ms", DURATION, "How often a stream looks for new events."),
            Setting.of(
                    "gantry.stream.retention", "24h", DURATION, "How long events are kept for streams that reconnect."),
            Setting.computed("gantry.tls.certificate", NONE, "path", "PEM file of the TLS certificate and its chain."),
            Setting.computed("gantry.tls.key", NONE, "path", "PEM file of the TLS key."),
            Setting.of(
                    "gantry.trusted-proxies",
                    "",
                    "addresses or CIDR blocks, separated by commas",
                    "Proxies whose `X-Forwarded-*` headers are trusted."),
            Setting.of(
                    "gantry.uploads.max-concurrent",
                    "64",
                    COUNT,
                    "Maximum number of uploads at a time; further ones get 503."),
            Setting.of(
                    "gantry.uploads.throughput-interval",
                    "20s",
                    DURATION,
                    "Interval in which an upload must bring `throughput-min-bytes`; a slower one is rejected."),
            Setting.of(
                    "gantry.uploads.throughput-min-bytes",
                    "65536",
                    BYTES,
                    "Minimum that an upload must bring in each `throughput-interval`."),
            Setting.of(
                    "gantry.webhooks.allow-insecure-local-receivers-for-development",
                    "false",
                    FLAG,
                    "Whether webhooks may go to HTTP and to local addresses; for development only."),
            Setting.of(
                    "gantry.webhooks.local-receivers",
                    "",
                    "origins, separated by commas",
                    "Servers in the local network that may receive webhooks and notifications, such as `http://192.168.1.20:8080` or `smtp://192.168.1.20:25`."),
            Setting.of(
                    "gantry.worker.allow-unsandboxed-models",
                    "false",
                    FLAG,
                    "Whether models that are programs (OpenSCAD, Python) run even if no sandbox is available."),
            Setting.of("gantry.worker.cad-timeout", "60s", DURATION, "Time limit for rendering a CAD model."),
            Setting.of(
                    "gantry.worker.in-process",
                    "true",
                    FLAG,
                    "Whether the server runs the worker; `false` where `gantry work` runs."),
            Setting.of(
                    "gantry.worker.lease-duration",
                    "30s",
                    DURATION,
                    "Another worker takes over the messages of one that is silent for longer."),
            Setting.of(
                    "gantry.worker.max-heap",
                    "2g",
                    "size, as in `-Xmx`",
                    "Maximum heap of the process that reads models."),
            Setting.of(
                    "gantry.worker.prestart",
                    "false",
                    FLAG,
                    "Whether the process that reads models starts with the server, instead of when it is first needed."),
            Setting.of("gantry.worker.slice-timeout", "5m", DURATION, "Time limit for slicing a plate."),
            Setting.computed(
                    "gantry.worker.tools",
                    "see below",
                    "commands by tool",
                    "Commands of slicers and CAD programs, such as `gantry.worker.tools.orcaSlicer`."));

    private Settings() {}
}
