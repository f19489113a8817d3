package farm.gantry.api.webhook;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;

/** Streams the body of a response. */
final class ResponseStream extends InputStream {
    private final EmbeddedChannel decoder;
    private final Socket socket;
    private ByteBuf piece = Unpooled.EMPTY_BUFFER;
    private boolean isLast;

    ResponseStream(EmbeddedChannel decoder, Socket socket) {
        this.decoder = decoder;
        this.socket = socket;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int most) throws IOException {
        while (!piece.isReadable()) {
            if (isLast) {
                return -1;
            }
            Object message = PinnedHttpClient.next(decoder, socket);
            if (!(message instanceof HttpContent content)) {
                throw new PinnedHttpClient.DownloadFailedException("the connection closed before the end of the file");
            }
            piece = Unpooled.copiedBuffer(content.content());
            isLast = message instanceof LastHttpContent;
            boolean isBroken = content.decoderResult().isFailure();
            ReferenceCountUtil.release(message);
            if (isBroken) {
                throw new PinnedHttpClient.DownloadFailedException("the response is not HTTP/1.1");
            }
        }
        int read = Math.min(most, piece.readableBytes());
        piece.readBytes(into, from, read);
        return read;
    }
}
