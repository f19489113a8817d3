package farm.gantry.simulator.bambu;

import farm.gantry.simulator.network.DeviceCertificate;
import farm.gantry.simulator.printer.GcodeFile;
import farm.gantry.simulator.printer.RpcException;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * One FTP session of a simulated printer. A data connection must resume the TLS session of the control connection, or
 * be unencrypted.
 */
final class BambuFtpSession {
    private static final int READ_TIMEOUT_MILLIS = 10_000;
    private static final int CHUNK = 64;
    /** The length of an endless reply, which tests that the client limits replies. */
    private static final int ENDLESS = 1 << 24;

    private final BambuSimulator simulator;
    private final SSLContext context;
    private final SSLSocket control;
    private final OutputStream out;
    private volatile String user = "";
    private volatile boolean welcome;
    private volatile boolean secret;
    private volatile @Nullable ServerSocket passive;

    BambuFtpSession(BambuSimulator simulator, Socket accepted) throws IOException {
        this.simulator = simulator;
        this.context = simulator.certificate().sslContext();
        this.control = startTls(accepted);
        this.out = control.getOutputStream();
    }

    private SSLSocket startTls(Socket plain) throws IOException {
        SSLSocket socket = DeviceCertificate.accept(context, plain);
        socket.startHandshake();
        return socket;
    }

    void run() throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(control.getInputStream(), StandardCharsets.UTF_8));
        reply("220 printer" + (simulator.has("endless-reply") ? "s".repeat(ENDLESS) : ""));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            int space = line.indexOf(' ');
            String command = space < 0 ? line : line.substring(0, space);
            String argument = space < 0 ? "" : line.substring(space + 1);
            if (!isAllowed(command)) {
                reply("530 Please login with USER and PASS.");
            } else if (command.equals("QUIT")) {
                reply("221 Goodbye.");
                return;
            } else {
                execute(command, argument);
            }
        }
    }

    private boolean isAllowed(String command) {
        return welcome || command.equals("USER") || command.equals("PASS") || command.equals("QUIT");
    }

    private void execute(String command, String argument) throws IOException {
        switch (command) {
            case "USER" -> {
                user = argument;
                reply("331 Please specify the password.");
            }
            case "PASS" -> {
                welcome = simulator.accepts(user, argument);
                reply(welcome ? "230 Login successful." : "530 Login incorrect.");
            }
            case "PBSZ" -> reply("200 PBSZ set to 0.");
            case "PROT" -> {
                secret = argument.equals("P");
                reply("200 PROT now " + argument);
            }
            case "TYPE" -> reply("200 Switching mode.");
            case "PASV" -> openDataPort("227 Entering Passive Mode (127,0,0,1,%d,%d).");
            case "EPSV" -> openDataPort("229 Entering Extended Passive Mode (|||%3$d|)");
            case "SIZE" -> {
                GcodeFile file = simulator.printer().file(BambuCommands.withoutExtension(argument));
                Object size = file == null ? null : file.metadata().get("archive");
                reply(size == null ? "550 Could not get file size." : "213 " + size);
            }
            case "DELE" ->
                reply(remove(argument) ? "250 Delete operation successful." : "550 Delete operation failed.");
            case "STOR" -> store(argument);
            default -> reply("502 Command not implemented.");
        }
    }

    private boolean remove(String name) {
        try {
            return !simulator.refusesRemoval() && simulator.printer().remove(BambuCommands.withoutExtension(name));
        } catch (RpcException e) {
            return false;
        }
    }

    private void openDataPort(String answer) throws IOException {
        ServerSocket opened = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        opened.setSoTimeout(READ_TIMEOUT_MILLIS);
        passive = opened;
        int port = opened.getLocalPort();
        reply(answer.formatted(port >> 8, port & 0xFF, port));
    }

    private void store(String name) throws IOException {
        ServerSocket open = passive;
        if (open == null || (!secret && !simulator.acceptsPlainUploads())) {
            reply("521 Data connections must be encrypted.");
            return;
        }
        if (simulator.has("full")) {
            reply("452 Error writing file.");
            return;
        }
        reply("150 Ok to send data.");
        try (open;
                Socket plain = open.accept()) {
            if (!secret) {
                store(name, plain.getInputStream().readAllBytes());
            } else if (simulator.rejectsTlsUploads()) {
                reply("426 Failure reading network stream.");
            } else {
                storeOverTls(name, plain);
            }
        }
    }

    private void storeOverTls(String name, Socket plain) throws IOException {
        try (SSLSocket data = startTls(plain)) {
            if (!isSameSession(control.getSession(), data.getSession())) {
                reply("522 SSL connection failed: session reuse required");
            } else if (simulator.stallsUpload()) {
                control.getInputStream().transferTo(OutputStream.nullOutputStream());
            } else if (simulator.cutsUpload()) {
                data.getInputStream().readNBytes(CHUNK);
                control.close();
            } else if (simulator.acceptsPlainUploads()) {
                data.getInputStream().readAllBytes();
            } else {
                store(name, data.getInputStream().readAllBytes());
            }
        }
    }

    /** Returns whether the session was resumed: it keeps its id, or its creation time. */
    private static boolean isSameSession(SSLSession commands, SSLSession data) {
        return Arrays.equals(commands.getId(), data.getId()) || commands.getCreationTime() == data.getCreationTime();
    }

    private void store(String name, byte[] archive) throws IOException {
        byte[] plate = firstPlate(archive);
        if (plate == null) {
            reply("553 no sliced 3MF");
            return;
        }
        try {
            GcodeFile file = GcodeFile.of(BambuCommands.withoutExtension(name), plate);
            file.metadata().put("archive", archive.length);
            simulator.printer().upload(file);
            if (!simulator.dropsUploadReply()) {
                reply("226 Transfer complete.");
            }
        } catch (RpcException e) {
            reply("550 " + e.getMessage());
        }
    }

    /** Returns the G-code of the first plate. */
    private static byte @Nullable [] firstPlate(byte[] archive) throws IOException {
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(archive))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                if (entry.getName().matches("Metadata/plate_\\d+\\.gcode")) {
                    return zip.readAllBytes();
                }
            }
        }
        return null;
    }

    private void reply(String line) throws IOException {
        out.write((line + "\r\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
