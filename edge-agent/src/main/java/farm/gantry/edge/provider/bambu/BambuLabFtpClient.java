package farm.gantry.edge.provider.bambu;

import farm.gantry.edge.refusal.Refusal;
import farm.gantry.edge.trust.PrinterTrust;
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

/**
 * An FTPS client for a printer, which accepts a file only in the TLS session of the control connection, or without TLS.
 */
final class BambuLabFtpClient extends FTPSClient implements AutoCloseable {
    private static final Duration REPLY_TIMEOUT = Duration.ofSeconds(20);
    /** The maximum size of the replies in one session, in bytes. */
    private static final int MAX_REPLIES = 1 << 16;

    private static final String[] PROTOCOLS = {"TLSv1.2"};

    private final SSLContext context;
    private final boolean clear;
    /** The data connection of the last file. */
    private volatile @Nullable Socket dataConnection;

    private BambuLabFtpClient(SSLContext context, boolean clear) {
        super(true, context);
        this.context = context;
        this.clear = clear;
        setEnabledProtocols(PROTOCOLS);
        setEndpointCheckingEnabled(false);
    }

    /** Thrown when the control connection works, but the data connection fails with TLS. */
    static final class TlsNotSupportedException extends IOException {
        TlsNotSupportedException(String message, @Nullable IOException cause) {
            super(message, cause);
        }
    }

    /**
     * Opens a session. {@code clear} is whether files are sent without TLS; commands always use TLS. {@code timeout} is
     * the time limit for a file.
     */
    static BambuLabFtpClient open(BambuLabAddress address, PrinterTrust trust, boolean clear, Duration timeout)
            throws IOException, Refusal {
        BambuLabFtpClient ftps = new BambuLabFtpClient(trust.sslContext(), clear);
        ftps.setConnectTimeout((int) REPLY_TIMEOUT.toMillis());
        ftps.setDefaultTimeout((int) REPLY_TIMEOUT.toMillis());
        ftps.setDataTimeout(timeout);
        try {
            ftps.connect(address.host(), address.filePort());
            if (!ftps.login(BambuLabAddress.USER, address.accessCode())) {
                throw new Refusal("the printer rejects the access code");
            }
            ftps.enableTls();
            ftps.enterLocalPassiveMode();
            ftps.setFileType(FTP.BINARY_FILE_TYPE);
            return ftps;
        } catch (IOException | Refusal e) {
            ftps.close();
            throw e;
        }
    }

    private void enableTls() throws IOException {
        execPBSZ(0);
        execPROT(clear ? "C" : "P");
        if (!clear) {
            setSocketFactory(new DataSockets(session().getPeerPort()));
        }
    }

    /** Limits the total size of the replies, because a printer needs only a few lines. */
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
                throw new IOException("the printer's replies exceed the size limit");
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
        dataConnection = plain;
        return plain == null || clear ? plain : wrapInTls(plain);
    }

    private Socket wrapInTls(Socket plain) throws IOException {
        int timeout = plain.getSoTimeout();
        plain.setSoTimeout((int) REPLY_TIMEOUT.toMillis());
        try {
            SSLSocket data = (SSLSocket) context.getSocketFactory()
                    .createSocket(plain, session().getPeerHost(), session().getPeerPort(), true);
            data.setEnabledProtocols(PROTOCOLS);
            data.startHandshake();
            data.setSoTimeout(timeout);
            return data;
        } catch (IOException e) {
            plain.close();
            throw new TlsNotSupportedException("the printer does not support TLS for its files: " + e.getMessage(), e);
        }
    }

    /** Ends the upload in progress, because a write to a printer that accepts no more bytes would block forever. */
    void closeDataConnection() throws IOException {
        Socket open = dataConnection;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public void close() throws IOException {
        disconnect();
    }

    /** Gives data connections the port of the control connection, because Java resumes a TLS session by its port. */
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
