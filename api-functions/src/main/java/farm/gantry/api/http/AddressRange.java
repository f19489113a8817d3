package farm.gantry.api.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Pattern;

/** An IPv4 or IPv6 address, or a block of them ({@code 10.0.0.0/8}). */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record AddressRange(byte[] address, int bits) {
    private static final Pattern LITERAL = Pattern.compile("[0-9a-fA-F:.]+(/\\d{1,3})?");

    public static Optional<AddressRange> parse(String text) {
        if (!LITERAL.matcher(text).matches() || !(text.contains(".") || text.contains(":"))) {
            return Optional.empty();
        }
        int slash = text.indexOf('/');
        try {
            byte[] address = InetAddress.getByName(slash < 0 ? text : text.substring(0, slash))
                    .getAddress();
            int bits = slash < 0 ? address.length * 8 : Integer.parseInt(text.substring(slash + 1));
            return bits <= address.length * 8 ? Optional.of(new AddressRange(address, bits)) : Optional.empty();
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }

    public boolean contains(InetAddress other) {
        byte[] bytes = other.getAddress();
        if (bytes.length != address.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit++) {
            int mask = 0x80 >> (bit & 7);
            if ((bytes[bit >> 3] & mask) != (address[bit >> 3] & mask)) {
                return false;
            }
        }
        return true;
    }
}
