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
import org.jspecify.annotations.Nullable;

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
            Object message = next(decoder, socket);
            if (!(message instanceof HttpContent content)) {
                throw new DownloadFailedException("the connection closed before the end of the file");
            }
            piece = Unpooled.copiedBuffer(content.content());
            isLast = message instanceof LastHttpContent;
            boolean isBroken = content.decoderResult().isFailure();
            ReferenceCountUtil.release(message);
            if (isBroken) {
                throw new DownloadFailedException("the response is not HTTP/1.1");
            }
        }
        int read = Math.min(most, piece.readableBytes());
        piece.readBytes(into, from, read);
        return read;
    }

    /** Returns the next part of the response, or null at its end. */
    static @Nullable Object next(EmbeddedChannel decoder, Socket socket) throws IOException {
        byte[] buffer = new byte[8192];
        Object message = decoder.readInbound();
        while (message == null && decoder.isOpen()) {
            int read = socket.getInputStream().read(buffer);
            if (read < 0) {
                decoder.finish();
            } else {
                decoder.writeInbound(Unpooled.copiedBuffer(buffer, 0, read));
            }
            message = decoder.readInbound();
        }
        return message;
    }
}
