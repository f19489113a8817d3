package farm.gantry.api.webhook;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** A mail server that stores e-mails, and fails as mail servers do. */
final class MailServer implements AutoCloseable {
    /** How a server with a certificate uses it. */
    enum Tls {
        starttls,
        immediately
    }

    private final ServerSocket server;
    private final @Nullable SSLContext tls;
    private final Tls when;
    private final Map<String, String> replies = new ConcurrentHashMap<>();
    private final List<Mail> received = new CopyOnWriteArrayList<>();

    /** An accepted e-mail: how it was sent, its sender and recipients in the envelope, and its text. */
    record Mail(boolean encrypted, @Nullable String login, String sender, List<String> recipients, String text) {
        /** Returns the value of a header, without line breaks. */
        String header(String name) {
            String head = text.substring(0, text.indexOf("\n\n")).replaceAll("\n[ \t]+", " ");
            return head.lines()
                    .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name.toLowerCase(Locale.ROOT) + ": "))
                    .map(line -> line.substring(name.length() + 2))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no header " + name + " in\n" + text));
        }
    }

    private MailServer(@Nullable SSLContext tls, Tls when) throws IOException {
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.tls = tls;
        this.when = when;
        Thread.ofVirtual().start(this::accept);
    }

    static MailServer plain() throws IOException {
        return new MailServer(null, Tls.starttls);
    }

    static MailServer secure(SSLContext tls, Tls when) throws IOException {
        return new MailServer(tls, when);
    }

    int port() {
        return server.getLocalPort();
    }

    List<Mail> received() {
        return List.copyOf(received);
    }

    /**
     * Replies to a command, to the connection ({@code CONNECT}) or to the text of an e-mail ({@code .}) in this way; an
     * empty reply closes the connection, and {@code -} leaves the client without one.
     */
    void reply(String command, String reply) {
        replies.put(command, reply);
    }

    /** Accepts everything again. */
    void recover() {
        replies.clear();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void serve(Socket plain) {
        try (plain) {
            boolean encrypted = tls != null && when == Tls.immediately;
            new Session(encrypted ? encrypt(plain) : plain, encrypted).run();
        } catch (IOException e) {
            // the client closed the connection
        }
    }

    private SSLSocket encrypt(Socket plain) throws IOException {
        SSLContext context = Objects.requireNonNull(tls);
        SSLSocketFactory factory = context.getSocketFactory();
        SSLSocket socket = (SSLSocket) factory.createSocket(plain, null, plain.getPort(), true);
        socket.setUseClientMode(false);
        socket.startHandshake();
        return socket;
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    /** The conversation with one client. */
    private final class Session {
        private Socket socket;
        private BufferedReader in;
        private OutputStream out;
        private boolean encrypted;
        private @Nullable String login;
        private String sender = "";
        private final List<String> recipients = new ArrayList<>();

        Session(Socket socket, boolean encrypted) throws IOException {
            this.socket = socket;
            this.encrypted = encrypted;
            this.in = reader(socket);
            this.out = socket.getOutputStream();
        }

        private BufferedReader reader(Socket from) throws IOException {
            return new BufferedReader(new InputStreamReader(from.getInputStream(), StandardCharsets.ISO_8859_1));
        }

        void run() throws IOException {
            if (!answer("CONNECT", "220 mail.example ready")) {
                return;
            }
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (!handle(line)) {
                    return;
                }
            }
        }

        /** Handles a command; returns whether the connection stays open. */
        private boolean handle(String line) throws IOException {
            String command = line.split(" ", 2)[0].toUpperCase(Locale.ROOT);
            return switch (command) {
                case "EHLO" ->
                    answer(
                            command,
                            "250-mail.example\r\n250-AUTH PLAIN LOGIN\r\n"
                                    + (tls == null || encrypted ? "" : "250-STARTTLS\r\n") + "250 8BITMIME");
                case "STARTTLS" -> startTls();
                case "AUTH" -> {
                    byte[] plain = Base64.getDecoder().decode(line.split(" ", -1)[2]);
                    String[] identities = new String(plain, StandardCharsets.UTF_8).split("\0", -1); // RFC 4616
                    login = identities[1] + " " + identities[2];
                    yield answer(command, "235 ok");
                }
                case "MAIL" -> {
                    sender = address(line);
                    recipients.clear();
                    yield answer(command, "250 ok");
                }
                case "RCPT" -> {
                    recipients.add(address(line));
                    yield answer(replies.containsKey(address(line)) ? address(line) : command, "250 ok");
                }
                case "DATA" -> data();
                case "QUIT" -> {
                    write("221 bye");
                    yield false;
                }
                default -> answer(command, "250 ok");
            };
        }

        private boolean startTls() throws IOException {
            write("220 ready for TLS");
            socket = encrypt(socket);
            encrypted = true;
            in = reader(socket);
            out = socket.getOutputStream();
            return true;
        }

        private boolean data() throws IOException {
            if (replies.containsKey("DATA")) {
                return answer("DATA", "");
            }
            write("354 end with a dot");
            StringBuilder text = new StringBuilder();
            for (String line = in.readLine(); line != null && !line.equals("."); line = in.readLine()) {
                text.append(line).append('\n');
            }
            String reply = replies.getOrDefault(".", "250 queued");
            if (!reply.matches("[45].*")) {
                received.add(new Mail(encrypted, login, sender, List.copyOf(recipients), text.toString()));
            }
            return answer(".", "250 queued");
        }

        private static String address(String line) {
            return line.substring(line.indexOf('<') + 1, line.indexOf('>'));
        }

        /** Replies as configured, or else by default; returns whether the connection stays open. */
        private boolean answer(String command, String byDefault) throws IOException {
            String reply = replies.getOrDefault(command, byDefault);
            if (reply.equals("-")) {
                return in.readLine() != null; // until the client closes the connection
            }
            if (reply.isEmpty()) {
                return false;
            }
            write(reply);
            return !reply.startsWith("421");
        }

        private void write(String reply) throws IOException {
            out.write((reply + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
        }
    }
}
