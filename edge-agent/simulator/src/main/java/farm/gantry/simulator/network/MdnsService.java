package farm.gantry.simulator.network;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.PTRRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.SRVRecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.TextParseException;

/** A service of a simulated printer, announced by multicast DNS under a name given by a user. */
public record MdnsService(String kind, String name, String server, int port, Map<String, String> text)
        implements DiscoveryResponder.Reply {
    private static final int SECONDS = 120;
    /** The cache-flush bit: replaces what was announced before. */
    private static final int FLUSH = 0x8000 | DClass.IN;

    @Override
    public byte[] replyTo(byte[] question) throws IOException {
        if (question.length > 0 && question[0] == 'M') {
            return new byte[0]; // An SSDP search, not a DNS query.
        }
        Message query = new Message(question);
        Name wanted = Name.fromString(kind + ".local.");
        Record record = query.getQuestion();
        if (record == null || !record.getName().equals(wanted)) {
            return new byte[0];
        }
        Message answer = new Message(query.getHeader().getID());
        answer.getHeader().setFlag(Flags.QR);
        answer.getHeader().setFlag(Flags.AA);
        Name instance = instance(wanted);
        Name machine = Name.fromString(server + ".local.");
        answer.addRecord(record, Section.QUESTION);
        answer.addRecord(new PTRRecord(wanted, DClass.IN, SECONDS, instance), Section.ANSWER);
        answer.addRecord(new SRVRecord(instance, FLUSH, SECONDS, 0, 0, port, machine), Section.ADDITIONAL);
        answer.addRecord(new TXTRecord(instance, FLUSH, SECONDS, textPairs()), Section.ADDITIONAL);
        answer.addRecord(new ARecord(machine, FLUSH, SECONDS, InetAddress.getLoopbackAddress()), Section.ADDITIONAL);
        return answer.toWire();
    }

    private List<String> textPairs() {
        return text.entrySet().stream()
                .map(pair -> pair.getKey() + "=" + pair.getValue())
                .toList();
    }

    /**
     * Returns the name of the instance. A label may have any text; its presentation format escapes every byte by its
     * number.
     */
    private Name instance(Name wanted) throws TextParseException {
        StringBuilder label = new StringBuilder();
        for (byte letter : name.getBytes(StandardCharsets.UTF_8)) {
            label.append("\\%03d".formatted(letter & 0xFF));
        }
        return Name.fromString(label.toString(), wanted);
    }
}
