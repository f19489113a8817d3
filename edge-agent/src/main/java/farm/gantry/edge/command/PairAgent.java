package farm.gantry.edge.command;

import farm.gantry.edge.file.PrivateFile;
import farm.gantry.edge.link.ApiClient;
import farm.gantry.edge.link.ApiException;
import farm.gantry.edge.link.Credentials;
import farm.gantry.edge.log.ErrorText;
import farm.gantry.json.Json;
import farm.gantry.version.ProductVersion;
import farm.gantry.wire.Pairing;
import io.micronaut.serde.annotation.Serdeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Locale;

/** Exchanges a pairing code for the agent's token, which is stored in the data folder. */
public record PairAgent(String api, String code, String name, Path data, boolean json) {
    /** The number of characters before and after the dash of a code. */
    private static final int HALF = 4;

    public PairAgent {
        code = normalized(code);
    }

    /**
     * Returns the code as the console shows it, even if it was typed in lower case, with spaces or without the dash.
     */
    private static String normalized(String typed) {
        String plain = typed.replaceAll("[\\s-]", "").toUpperCase(Locale.ROOT);
        return plain.length() == 2 * HALF ? plain.substring(0, HALF) + "-" + plain.substring(HALF) : typed.strip();
    }

    @Serdeable
    record Paired(String agentId, String storeId, String name, String api) {}

    public int run(PrintWriter out, PrintWriter err) throws InterruptedException {
        try {
            ApiClient reached = ApiClient.at(api);
            Pairing.Response answer =
                    reached.pair(new Pairing.Request(code, name, ProductVersion.CURRENT.text(), Version.platform()));
            PrivateFile.folder(data);
            String link = answer.api();
            String address =
                    link == null ? reached.address() : ApiClient.at(link).address();
            new Credentials(address, answer.agentId(), answer.storeId(), answer.token()).keepIn(data);
            Paired paired = new Paired(answer.agentId(), answer.storeId(), name, address);
            out.println(json ? Json.write(paired) : words(paired));
            return 0;
        } catch (ApiException e) {
            err.println(
                    e.status() == 429
                            ? "Too many attempts. Wait a minute, then try again."
                            : "The API rejected the code: a code works once, for 15 minutes. Create a new one. ("
                                    + e.getMessage() + ")");
            return 1;
        } catch (IOException e) {
            err.println("Pairing with " + api + " failed: " + ErrorText.of(e));
            return 1;
        } catch (IllegalArgumentException e) {
            err.println("--api must be an address such as https://api.example.com, not " + api);
            return 2;
        }
    }

    /** Returns the name of this machine. */
    public static String machine() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "agent";
        }
    }

    private String words(Paired paired) throws InterruptedException {
        String next = new RunningAgent(data).report().isPresent()
                ? "The running agent uses the new pairing."
                : "Start it: " + AgentService.INSTALLED.startCommand(data);
        return "Paired as " + name + " (" + paired.agentId() + "). " + next;
    }
}
