package farm.gantry.edge.camera;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** H.264 out of RTP packets (RFC 6184), as a stream in which each unit is begun by a mark (Annex B). */
final class H264 {
    private static final byte[] BEGIN = {0, 0, 0, 1};
    private static final int LARGEST = 8 << 20;
    private static final int MOST_SINGLE = 23;
    private static final int TOGETHER = 24;
    private static final int FRAGMENT = 28;
    private static final int KIND = 0x1F;
    private static final int IMPORTANCE = 0xE0;
    private static final int FIRST = 0x80;
    private static final int LAST = 0x40;
    private static final int PADDED = 0x20;
    private static final int EXTENDED = 0x10;
    private static final int SOURCES = 0x0F;
    private static final int SOURCE = 4;

    private final ByteArrayOutputStream ready = new ByteArrayOutputStream();
    private volatile @Nullable ByteArrayOutputStream fragments;
    private volatile int next;

    /** {@code parameters}: what a decoder must know before the first picture, and is told again by some cameras. */
    H264(List<byte[]> parameters) {
        parameters.forEach(unit -> add(ByteBuffer.wrap(unit)));
    }

    /** What the packet makes whole, after all that was so before and was not taken yet. */
    byte[] unpack(byte[] packet) throws IOException {
        try {
            read(ByteBuffer.wrap(packet));
        } catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new IOException("the camera sent a broken packet", e);
        }
        byte[] stream = ready.toByteArray();
        ready.reset();
        return stream;
    }

    private void read(ByteBuffer packet) throws IOException {
        int head = packet.get();
        packet.get();
        int number = packet.getShort() & 0xFFFF;
        if (number != next) {
            fragments = null;
        }
        next = (number + 1) & 0xFFFF;
        skip(packet, 2 * SOURCE + (head & SOURCES) * SOURCE);
        if ((head & EXTENDED) != 0) {
            packet.getShort();
            skip(packet, (packet.getShort() & 0xFFFF) * SOURCE);
        }
        if ((head & PADDED) != 0) {
            packet.limit(packet.limit() - (packet.get(packet.limit() - 1) & 0xFF));
        }
        payload(packet);
    }

    private static void skip(ByteBuffer packet, int bytes) {
        packet.position(packet.position() + bytes);
    }

    private void payload(ByteBuffer payload) throws IOException {
        int kind = payload.get(payload.position()) & KIND;
        if (kind == TOGETHER) {
            payload.get();
            while (payload.hasRemaining()) {
                int size = payload.getShort() & 0xFFFF;
                add(payload.slice(payload.position(), size));
                skip(payload, size);
            }
        } else if (kind == FRAGMENT) {
            fragment(payload);
        } else if (kind <= MOST_SINGLE) {
            add(payload);
        }
    }

    /** A unit whose beginning, or a part of it, was lost is left out. */
    private void fragment(ByteBuffer payload) throws IOException {
        int indicator = payload.get();
        int head = payload.get();
        ByteArrayOutputStream unit = fragments;
        if ((head & FIRST) != 0) {
            unit = new ByteArrayOutputStream();
            unit.write((indicator & IMPORTANCE) | (head & KIND));
        }
        fragments = unit;
        if (unit == null) {
            return;
        }
        unit.write(payload.array(), payload.arrayOffset() + payload.position(), payload.remaining());
        if (unit.size() > LARGEST) {
            throw new IOException("the camera's picture is too large");
        }
        if ((head & LAST) != 0) {
            fragments = null;
            add(ByteBuffer.wrap(unit.toByteArray()));
        }
    }

    private void add(ByteBuffer unit) {
        ready.writeBytes(BEGIN);
        ready.write(unit.array(), unit.arrayOffset() + unit.position(), unit.remaining());
    }
}
