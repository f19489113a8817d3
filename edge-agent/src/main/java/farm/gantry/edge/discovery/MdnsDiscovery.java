package farm.gantry.edge.discovery;

import farm.gantry.printer.Printer;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.PTRRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.SRVRecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.Type;

/** Discovers printers that announce services by multicast DNS. */
public final class MdnsDiscovery {
    private static final InetSocketAddress ALL = new InetSocketAddress("224.0.0.251", 5353);

    private MdnsDiscovery() {}

    /**
     * Returns a discovery that treats every service of this kind, such as {@code _http._tcp}, as one of the provider's
     * printers.
     */
    public static Discovery forServices(Printer.Provider provider, String kind) {
        return forServices(provider, kind, "");
    }

    /**
     * Returns a discovery that treats the services of this kind whose names contain this word as the provider's
     * printers.
     */
    public static Discovery forServices(Printer.Provider provider, String kind, String word) {
        Name name = Name.fromConstantString(kind + ".local.");
        Message query = Message.newQuery(Record.newRecord(name, Type.PTR, DClass.IN));
        query.getHeader().unsetFlag(Flags.RD);
        return Discovery.byQuery(
                query.toWire(),
                List.of(ALL),
                answer -> parseServices(name, answer)
                        .filter(service -> service.nameContains(word))
                        .map(service -> service.toDiscoveredPrinter(provider)));
    }

    /**
     * An announced service. {@code name} is its display name, {@code server} the name of its machine, {@code host} the
     * address from which the response came.
     */
    private record AnnouncedService(String name, String server, String host, int port, Map<String, String> text) {

        boolean nameContains(String word) {
            return (name + " " + server).toLowerCase(Locale.ROOT).contains(word);
        }

        DiscoveredPrinter toDiscoveredPrinter(Printer.Provider provider) {
            return DiscoveredPrinter.of(
                    provider, name, host, port, text.getOrDefault("uuid", server), text.get("model"));
        }
    }

    /** Returns the services in a response, which contains all records of each service. */
    private static Stream<AnnouncedService> parseServices(Name kind, DatagramPacket answer) throws IOException {
        Message message = new Message(Arrays.copyOf(answer.getData(), answer.getLength()));
        List<Record> records = Stream.of(Section.ANSWER, Section.AUTHORITY, Section.ADDITIONAL)
                .flatMap(section -> message.getSection(section).stream())
                .toList();
        return forServices(records, PTRRecord.class, kind)
                .flatMap(pointer -> forServices(records, SRVRecord.class, pointer.getTarget())
                        .limit(1)
                        .map(server -> new AnnouncedService(
                                firstLabel(pointer.getTarget()),
                                firstLabel(server.getTarget()),
                                answer.getAddress().getHostAddress(),
                                server.getPort(),
                                text(forServices(records, TXTRecord.class, pointer.getTarget())))));
    }

    private static <R extends Record> Stream<R> forServices(List<Record> records, Class<R> type, Name name) {
        return records.stream()
                .filter(record -> record.getName().equals(name))
                .filter(type::isInstance)
                .map(type::cast);
    }

    /** Returns the first label of a DNS name, which may contain spaces and punctuation. */
    private static String firstLabel(Name name) {
        byte[] label = name.getLabel(0);
        return new String(label, 1, label.length - 1, StandardCharsets.UTF_8);
    }

    private static Map<String, String> text(Stream<TXTRecord> records) {
        Map<String, String> text = new HashMap<>();
        records.flatMap(record -> record.getStringsAsByteArrays().stream())
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                .filter(pair -> pair.indexOf('=') > 0)
                .forEach(pair -> text.put(
                        pair.substring(0, pair.indexOf('=')).toLowerCase(Locale.ROOT),
                        pair.substring(pair.indexOf('=') + 1)));
        return text;
    }
}
