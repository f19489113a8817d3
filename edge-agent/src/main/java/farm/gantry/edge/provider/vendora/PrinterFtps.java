package farm.gantry.edge.provider.vendora;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.apache.commons.net.ftp.FTPSClient;
import org.jspecify.annotations.Nullable;

/** FTPS to a printer, which takes a file only in the TLS session in which it was asked to. */
final class PrinterFtps extends FTPSClient {
    private static final String[] PROTOCOLS = {"TLSv1.2"};

    private final SSLContext context;

    PrinterFtps(SSLContext context) {
        super(true, context);
        this.context = context;
        setEnabledProtocols(PROTOCOLS);
        setEndpointCheckingEnabled(false);
    }

    void protect() throws IOException {
        execPBSZ(0);
        execPROT("P");
        setSocketFactory(new DataSockets(session().getPeerPort()));
    }

    private SSLSession session() {
        return ((SSLSocket) _socket_).getSession();
    }

    @Override
    protected @Nullable Socket _openDataConnection_(String command, String argument) throws IOException {
        Socket plain = super._openDataConnection_(command, argument);
        if (plain == null) {
            return null;
        }
        SSLSocket data = (SSLSocket) context.getSocketFactory()
                .createSocket(plain, session().getPeerHost(), session().getPeerPort(), true);
        data.setEnabledProtocols(PROTOCOLS);
        data.startHandshake();
        return data;
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
