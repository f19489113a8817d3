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

/**
 * The {@code pair} command: exchanges a pairing code for the agent's token, and stores the token in the data folder.
 */
public record PairCommand(String api, String code, String name, Path data, boolean json) {
    /** The number of characters before and after the dash of a code. */
    private static final int HALF_LENGTH = 4;

    public PairCommand {
        code = normalizeCode(code);
    }

    /** Converts a typed code to the form that the console shows: upper case, without spaces, with a dash. */
    private static String normalizeCode(String typed) {
        String plain = typed.replaceAll("[\\s-]", "").toUpperCase(Locale.ROOT);
        return plain.length() == 2 * HALF_LENGTH
                ? plain.substring(0, HALF_LENGTH) + "-" + plain.substring(HALF_LENGTH)
                : typed.strip();
    }

    @Serdeable
    record PairingResult(String agentId, String storeId, String name, String api) {}

    public int run(PrintWriter out, PrintWriter err) throws InterruptedException {
        try {
            ApiClient reached = ApiClient.create(api);
            Pairing.Response answer = reached.pair(
                    new Pairing.Request(code, name, ProductVersion.CURRENT.text(), VersionCommand.platform()));
            PrivateFile.createFolder(data);
            String link = answer.api();
            String address =
                    link == null ? reached.address() : ApiClient.create(link).address();
            new Credentials(address, answer.agentId(), answer.storeId(), answer.token()).writeTo(data);
            PairingResult paired = new PairingResult(answer.agentId(), answer.storeId(), name, address);
            out.println(json ? Json.write(paired) : resultText(paired));
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
    public static String machineName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "agent";
        }
    }

    private String resultText(PairingResult paired) throws InterruptedException {
        String next = new RunningAgentClient(data).fetchReport().isPresent()
                ? "The running agent uses the new pairing."
                : "Start it: " + SystemdService.INSTALLED.startCommand(data);
        return "Paired as " + name + " (" + paired.agentId() + "). " + next;
    }
}
