package farm.gantry.local;

import farm.gantry.api.main.ServeCommand;
import farm.gantry.api.main.WorkCommand;
import farm.gantry.api.settings.Setting;
import farm.gantry.api.settings.SettingKeys;
import farm.gantry.api.settings.Settings;
import farm.gantry.edge.AgentCommand;
import farm.gantry.ingest.stage.RunLimits;
import farm.gantry.ingest.tool.ToolLimits;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The text of {@code reference/configuration.md}, made of what the code knows of its settings and options. */
record ConfigurationPage(Map<String, String> functionDefaults, Map<String, String> bundles) {
    private static final String HEAD = """
        # Configuration

        This page lists every setting, option and environment variable of the server, the worker and the agent, with its
        default, unit and meaning. It is generated from the code.

        ## Set a value

        | where | how |
        |---|---|
        | installed package | a line `gantry.rate-limit.per-minute=1200` in `/etc/gantry/gantry.properties`; then `sudo systemctl restart gantry` |
        | command line | `--set gantry.rate-limit.per-minute=1200`, once for each setting, with `serve` and `work` |
        | environment | the name in upper case, with `_` for each `.` and `-`: `GANTRY_RATE_LIMIT_PER_MINUTE=1200` |
        | agent | a line such as `status-port=7433` in `/etc/gantry-agent/agent.properties`; then `sudo systemctl restart gantry-agent` |

        The command line takes precedence over the file and the environment. Durations are a number with a unit: `500ms`, `30s`, `5m`, `24h`,
        `400d`. An unknown `gantry.*` setting or `GANTRY_*` variable stops the start, and the message names the most similar one:
        `there is no setting gantry.rate-limit.per-minut; the most similar one is gantry.rate-limit.per-minute`.

        """;

    private static final Map<String, String> TITLES = Map.of(
            "aws", "AWS",
            "events", "Events over MQTT",
            "home-assistant", "Home Assistant",
            "tls", "HTTPS");

    private static final String TOOLS = """

        ### Programs of the worker

        `gantry.worker.tools.NAME` is a command with its arguments, separated by spaces.

        | name | default | reads or slices |
        |---|---|---|
        | `openscad` | `openscad` | OpenSCAD models |
        | `tessellator` | `prusa-slicer --export-stl --loglevel 1` | STEP files |
        | `prusaSlicer` | `prusa-slicer` | slices with PrusaSlicer (`slicer3`) |
        | `orcaSlicer` | none | slices with OrcaSlicer (`slicer1`) |
        | `bambuStudio` | none | slices with Bambu Studio (`slicer2`) |
        | `superSlicer` | none | slices with SuperSlicer (`slicer4`) |
        | `cadquery` | none | CadQuery models |
        | `build123d` | none | build123d models |

        ### Profiles of the slicers

        `gantry.slicers.bundles.NAME` is the folder of a slicer's vendor profiles. A folder that does not exist has none.

        """;

    private static final String ENVIRONMENT = """

        ## Environment variables

        These variables are not settings, so `--set` does not take them.

        """;

    /** Variables that other software defines. */
    private static final Map<String, String> OF_LIBRARIES = Map.of(
            "DATASOURCES_DEFAULT_PASSWORD", "Password of the API's database role, with `--jdbc-url`.",
            "AWS_ENDPOINT_URL_S3", "Address of S3-compatible object storage other than AWS.",
            "AWS_ACCESS_KEY_ID", "Access key of the object storage.",
            "AWS_SECRET_ACCESS_KEY", "Secret key of the object storage.",
            "OTEL_EXPORTER_OTLP_ENDPOINT",
                    "Address of the OpenTelemetry collector that gets traces by OTLP over HTTP, such as"
                            + " `http://localhost:4318`; none are sent without it.",
            "OTEL_EXPORTER_OTLP_HEADERS", "Headers for the collector: `name=value,…`, with URL-encoded values.",
            "OTEL_SERVICE_NAME", "Name of the server in its traces (`gantry`).");

    /** Each variable that {@code FunctionSettings} reads, with default, unit and meaning. */
    static final Map<String, List<String>> FUNCTION = Map.ofEntries(
            Map.entry("GANTRY_FILES_BUCKET", List.of("required", "text", "S3 bucket of the files.")),
            Map.entry(
                    "GANTRY_QUEUES_STAGE_REPORTS",
                    List.of("required", "URL", "FIFO queue that receives the progress of each file.")),
            Map.entry(
                    "GANTRY_QUEUES_SLICE_ANSWERS", List.of("required", "URL", "Queue that receives slicing results.")),
            Map.entry("GANTRY_WORKER_FOLDER", List.of("`/tmp/gantry`", "path", "Folder for temporary files.")),
            Map.entry(
                    "GANTRY_WORKER_FILE_BYTES",
                    List.of(
                            "`" + RunLimits.DEFAULTS.fileBytes() + "`",
                            "bytes",
                            "Size of the largest file that is read.")),
            Map.entry(
                    "GANTRY_WORKER_TOOL_SECONDS",
                    List.of(
                            "`" + ToolLimits.DEFAULTS.time().toSeconds() + "`",
                            "seconds",
                            "Time limit of a slicer or CAD program.")),
            Map.entry(
                    "GANTRY_WORKER_TOOL_MEMORY_BYTES",
                    List.of(
                            "`" + ToolLimits.DEFAULTS.memoryBytes() + "`",
                            "bytes",
                            "Memory limit of a slicer or CAD program.")),
            Map.entry(
                    "GANTRY_WORKER_TOOLS_",
                    List.of("as above", "command", "Followed by the name of a program, such as `ORCA_SLICER`.")),
            Map.entry(
                    "GANTRY_SLICERS_BUNDLES_",
                    List.of("as above", "path", "Followed by the name of a slicer, `SLICER1` to `SLICER4`.")));

    String text() {
        StringBuilder page = new StringBuilder(HEAD);
        page.append("## Options of `gantry serve`\n\n").append(options(new CommandLine(new ServeCommand())));
        page.append("\n## Options of `gantry work`\n\n").append(options(new CommandLine(new WorkCommand())));
        page.append("\n## Settings of the server and the worker\n");
        groups().forEach((title, settings) -> {
            page.append("\n### ")
                    .append(title)
                    .append("\n\n| setting | default | unit | meaning |\n|---|---|---|---|\n");
            settings.forEach(setting -> page.append(row(setting)));
        });
        page.append(TOOLS).append("| name | default |\n|---|---|\n");
        bundles.forEach((name, folder) ->
                page.append("| `").append(name).append("` | `").append(folder).append("` |\n"));
        page.append("\n## Variables of the worker's AWS function\n\n");
        page.append("| variable | default | unit | meaning |\n|---|---|---|---|\n");
        new TreeMap<>(FUNCTION)
                .forEach((name, columns) -> page.append("| `" + name + "` | " + String.join(" | ", columns) + " |\n"));
        page.append(ENVIRONMENT).append("| variable | meaning |\n|---|---|\n");
        Map<String, String> variables = new TreeMap<>(SettingKeys.VARIABLES);
        variables.putAll(OF_LIBRARIES);
        variables.forEach((name, meaning) -> page.append("| `" + name + "` | " + meaning + " |\n"));
        page.append("\n## Options of the agent\n\n");
        page.append(options(Objects.requireNonNull(
                AgentCommand.commandLine().getSubcommands().get("run"))));
        return page.toString();
    }

    private static Map<String, List<Setting>> groups() {
        return Settings.ALL.stream()
                .collect(Collectors.groupingBy(ConfigurationPage::title, TreeMap::new, Collectors.toList()));
    }

    /** Returns the title of the setting's group: the part of its key behind {@code gantry.}. */
    private static String title(Setting setting) {
        String[] parts = setting.key().split("\\.", -1);
        if (parts.length == 2) {
            return "General";
        }
        String words = parts[1].replace('-', ' ');
        return TITLES.getOrDefault(parts[1], words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1));
    }

    private String row(Setting setting) {
        String fixed = setting.defaultValue().isEmpty() ? "empty" : "`" + setting.defaultValue() + "`";
        String onAws = functionDefaults.get(setting.key());
        return "| `" + setting.key() + "` | " + (setting.source().isEmpty() ? fixed : setting.source()) + " | "
                + setting.unit() + " | " + setting.meaning()
                + (onAws == null ? "" : " In AWS functions: `" + onAws + "`.") + " |\n";
    }

    private static String options(CommandLine command) {
        return "| option | default | meaning |\n|---|---|---|\n"
                + command.getCommandSpec().options().stream()
                        .filter(option -> !option.usageHelp() && !option.versionHelp())
                        .sorted(Comparator.comparing(ConfigurationPage::name))
                        .map(ConfigurationPage::row)
                        .collect(Collectors.joining());
    }

    private static String row(OptionSpec option) {
        String home = System.getProperty("user.home");
        String defaultValue = Objects.requireNonNullElse(option.defaultValueString(true), "null")
                .replace(home, "~");
        String words = String.join(" ", option.description())
                .replace(home, "~")
                .replace("(default: " + defaultValue + ")", "")
                .replace("(" + defaultValue + ")", "")
                .replaceAll("\\s+([;.]|$)", "$1");
        String meaning = words.substring(0, 1).toUpperCase(Locale.ROOT)
                + words.substring(1).replaceAll("\\.$", "") + ".";
        return "| `" + name(option) + "` | "
                + (List.of("null", "", "{}").contains(defaultValue) ? "none" : "`" + defaultValue + "`") + " | "
                + meaning + " |\n";
    }

    /** The spelled-out name of an option, which comes after its letter. */
    private static String name(OptionSpec option) {
        return option.names()[option.names().length - 1];
    }
}
