package farm.gantry.edge.command;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;

/**
 * Notifies systemd that the agent is ready and alive, by datagrams to the socket that systemd names in {@code
 * NOTIFY_SOCKET}. Calls the C library, because Java has no API for Unix datagram sockets.
 */
record SystemdNotifier(String socket) {
    private static final int UNIX = 1;
    private static final int DATAGRAMS = 2;
    private static final int FAMILY_BYTES = 2;

    private record NativeCalls(MethodHandle socket, MethodHandle sendto, MethodHandle close) {
        private static final NativeCalls C = new NativeCalls(
                bindFunction("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT)),
                bindFunction(
                        "sendto",
                        FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT)),
                bindFunction("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT)));

        @SuppressWarnings("restricted") // The signatures above are those of the C library.
        private static MethodHandle bindFunction(String name, FunctionDescriptor signature) {
            Linker linker = Linker.nativeLinker();
            return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), signature);
        }
    }

    /** Sends a state to systemd. Does nothing if {@code NOTIFY_SOCKET} is not set; a failure to send is ignored. */
    void notifyState(String state) {
        if (socket.isEmpty()) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = bytes(arena, state);
            MemorySegment address = address(arena);
            int descriptor = (int) NativeCalls.C.socket().invokeExact(UNIX, DATAGRAMS, 0);
            long _ = (long) NativeCalls.C.sendto().invokeExact(descriptor, text, text.byteSize(), 0, address, (int)
                    address.byteSize());
            int _ = (int) NativeCalls.C.close().invokeExact(descriptor);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Returns the socket address: the address family followed by the path. An {@code @} at the beginning, which marks
     * the abstract namespace, becomes a zero byte.
     */
    private MemorySegment address(Arena arena) {
        MemorySegment path = bytes(arena, socket.replaceFirst("^@", "\0"));
        MemorySegment address = arena.allocate(MemoryLayout.sequenceLayout(FAMILY_BYTES + path.byteSize(), JAVA_BYTE)
                .withByteAlignment(FAMILY_BYTES));
        address.set(JAVA_SHORT, 0, (short) UNIX);
        address.asSlice(FAMILY_BYTES).copyFrom(path);
        return address;
    }

    private static MemorySegment bytes(Arena arena, String text) {
        return arena.allocateFrom(JAVA_BYTE, text.getBytes(StandardCharsets.UTF_8));
    }
}
