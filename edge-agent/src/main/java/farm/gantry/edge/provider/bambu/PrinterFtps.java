package farm.gantry.edge.provider.bambu;

import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.trust.Trust;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.apache.commons.net.ftp.FTP;
import org.apache.commons.net.ftp.FTPSClient;
import org.jspecify.annotations.Nullable;

/** FTPS to a printer, which takes a file only in the TLS session in which it was asked to, or without any. */
final class PrinterFtps extends FTPSClient implements AutoCloseable {
    private static final Duration SOON = Duration.ofSeconds(20);
    /** In bytes, of one session. */
    private static final int MAX_REPLIES = 1 << 16;

    private static final String[] PROTOCOLS = {"TLSv1.2"};

    private final SSLContext context;
    private final boolean clear;
    /** On which the last file goes. */
    private volatile @Nullable Socket line;

    private PrinterFtps(SSLContext context, boolean clear) {
        super(true, context);
        this.context = context;
        this.clear = clear;
        setEnabledProtocols(PROTOCOLS);
        setEndpointCheckingEnabled(false);
    }

    /** The line to the printer is good, but where the files go, one in TLS does not arrive. */
    static final class NotTakenInTls extends IOException {
        NotTakenInTls(String message, @Nullable IOException cause) {
            super(message, cause);
        }
    }

    /** {@code clear}: what is said stays in TLS, files go without it. {@code most}: how long a file may take. */
    static PrinterFtps open(BambuLabAddress address, Trust trust, boolean clear, Duration most)
            throws IOException, Refusal {
        PrinterFtps ftps = new PrinterFtps(trust.context(), clear);
        ftps.setConnectTimeout((int) SOON.toMillis());
        ftps.setDefaultTimeout((int) SOON.toMillis());
        ftps.setDataTimeout(most);
        try {
            ftps.connect(address.host(), address.filePort());
            if (!ftps.login(BambuLabAddress.USER, address.accessCode())) {
                throw new Refusal("the printer does not accept the access code");
            }
            ftps.protect();
            ftps.enterLocalPassiveMode();
            ftps.setFileType(FTP.BINARY_FILE_TYPE);
            return ftps;
        } catch (IOException | Refusal e) {
            ftps.close();
            throw e;
        }
    }

    private void protect() throws IOException {
        execPBSZ(0);
        execPROT(clear ? "C" : "P");
        if (!clear) {
            setSocketFactory(new DataSockets(session().getPeerPort()));
        }
    }

    /** What the printer says of its files is a few lines; whoever has more to say is not listened to. */
    @Override
    protected void _connectAction_(@Nullable Reader reader) throws IOException {
        InputStream bounded = new BoundedReplies(_socket_.getInputStream());
        super._connectAction_(new InputStreamReader(bounded, Charset.forName(getControlEncoding())));
    }

    private static final class BoundedReplies extends FilterInputStream {
        private final AtomicInteger left = new AtomicInteger(MAX_REPLIES);

        BoundedReplies(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            return counted(super.read(), 1);
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int read = super.read(buffer, offset, length);
            return counted(read, read);
        }

        private int counted(int result, int bytes) throws IOException {
            if (left.addAndGet(-Math.max(0, bytes)) < 0) {
                throw new IOException("the printer's answers have no end");
            }
            return result;
        }
    }

    private SSLSession session() {
        return ((SSLSocket) _socket_).getSession();
    }

    @Override
    protected @Nullable Socket _openDataConnection_(String command, String argument) throws IOException {
        Socket plain = super._openDataConnection_(command, argument);
        line = plain;
        return plain == null || clear ? plain : protectedBy(plain);
    }

    private Socket protectedBy(Socket plain) throws IOException {
        int most = plain.getSoTimeout();
        plain.setSoTimeout((int) SOON.toMillis());
        try {
            SSLSocket data = (SSLSocket) context.getSocketFactory()
                    .createSocket(plain, session().getPeerHost(), session().getPeerPort(), true);
            data.setEnabledProtocols(PROTOCOLS);
            data.startHandshake();
            data.setSoTimeout(most);
            return data;
        } catch (IOException e) {
            plain.close();
            throw new NotTakenInTls("the printer does no TLS for its files: " + e.getMessage(), e);
        }
    }

    /** Ends the file that is on its way: who writes it would wait without end for a printer that takes no more of it. */
    void cut() throws IOException {
        Socket open = line;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void close() throws IOException {
        disconnect();
    }

    /** Java resumes a session by the port it was made at: the data's sockets name that of the commands. */
    private static final class DataSockets extends SocketFactory {
        private final int port;

        DataSockets(int port) {
            this.port = port;
        }

        @Override
        public Socket createSocket() {
            return new Socket() {
                @Override
                public int getPort() {
                    return port;
                }
            };
        }

        @Override
        public Socket createSocket(String host, int number) throws IOException {
            return new Socket(host, number);
        }

        @Override
        public Socket createSocket(String host, int number, InetAddress local, int localPort) throws IOException {
            return new Socket(host, number, local, localPort);
        }

        @Override
        public Socket createSocket(InetAddress host, int number) throws IOException {
            return new Socket(host, number);
        }

        @Override
        public Socket createSocket(InetAddress host, int number, InetAddress local, int localPort) throws IOException {
            return new Socket(host, number, local, localPort);
        }
    }
}
