package farm.gantry.api.homeassistant;

import farm.gantry.Id;
import farm.gantry.StoreId;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The topics of a store's devices: Gantry's own below {@code gantry/STORE}, and those of Home Assistant's discovery. */
record HomeAssistantTopics(StoreId store, String discoveryPrefix) {
    private static final Pattern PRINTER =
            Pattern.compile("gantry/[^/]+/printers/(" + Id.PATTERN.replaceAll("[\\^$]", "") + ")/([a-z/-]+)");

    /** A command of a printer; the text is the last level of its topic. */
    enum Command {
        PAUSE("pause"),
        RESUME("resume"),
        STOP("stop"),
        BED_CLEARED("bed-cleared"),
        LIGHT("light");

        private final String level;

        Command(String level) {
            this.level = level;
        }
    }

    /** A printer and a command in a topic. */
    record CommandTarget(String printerId, Command command) {}

    private String base() {
        return "gantry/" + store;
    }

    /** Whether this installation is connected; retained. */
    String farmAvailability() {
        return base() + "/status";
    }

    String queue() {
        return base() + "/queue";
    }

    String state(String printerId) {
        return printer(printerId) + "/state";
    }

    String availability(String printerId) {
        return printer(printerId) + "/availability";
    }

    /** The topic of the camera's images: JPEG files, not retained. */
    String camera(String printerId) {
        return printer(printerId) + "/camera";
    }

    String command(String printerId, Command command) {
        return printer(printerId) + "/set/" + command.level;
    }

    private String printer(String printerId) {
        return base() + "/printers/" + printerId;
    }

    String allAvailabilities() {
        return base() + "/printers/+/availability";
    }

    String allCommands() {
        return base() + "/printers/+/set/+";
    }

    String printerDevice(String printerId) {
        return farmDevice() + "_" + printerId;
    }

    String farmDevice() {
        return "gantry_" + store;
    }

    String discovery(String device) {
        return discoveryPrefix + "/device/" + device + "/config";
    }

    /** The topic at which Home Assistant says that it has started. */
    String homeAssistantStatus() {
        return discoveryPrefix + "/status";
    }

    /** Returns the printer whose availability has the topic. */
    Optional<String> findPrinter(String topic) {
        return match(topic)
                .filter(matcher -> matcher.group(2).equals("availability"))
                .map(matcher -> matcher.group(1));
    }

    /** Returns the command that has the topic. */
    Optional<CommandTarget> findCommand(String topic) {
        return match(topic)
                .flatMap(matcher -> Arrays.stream(Command.values())
                        .filter(command -> matcher.group(2).equals("set/" + command.level))
                        .map(command -> new CommandTarget(matcher.group(1), command))
                        .findFirst());
    }

    private Optional<Matcher> match(String topic) {
        Matcher matcher = PRINTER.matcher(topic);
        return topic.startsWith(base() + "/") && matcher.matches() ? Optional.of(matcher) : Optional.empty();
    }
}
