package farm.gantry.ingest.threemf.archive;

import farm.gantry.ingest.reading.BadFileException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/** An element of one of the archive's small XML files, which have attributes and no text. */
public record XmlElement(String name, Map<String, String> attributes, List<XmlElement> children) {
    private static final int MAX_DEPTH = 32;
    private static final int MAX_COUNT = 500_000;

    /** An archive without that file has an empty root. */
    public static XmlElement root(ThreemfArchive archive, String name, int atMost) throws IOException {
        return archive.has(name) ? parse(archive.read(name, atMost), name) : new XmlElement("", Map.of(), List.of());
    }

    static XmlElement parse(byte[] xml, String name) throws BadFileException {
        try {
            XMLStreamReader reader = SafeXml.reader(new ByteArrayInputStream(xml));
            Deque<XmlElement> open = new ArrayDeque<>();
            open.push(new XmlElement("", Map.of(), new ArrayList<>()));
            int count = 0;
            while (reader.hasNext()) {
                int event = SafeXml.next(reader, name);
                if (event == XMLStreamConstants.START_ELEMENT) {
                    var element = new XmlElement(reader.getLocalName(), SafeXml.attributes(reader), new ArrayList<>());
                    open.element().children.add(element);
                    open.push(element);
                    if (open.size() > MAX_DEPTH || ++count > MAX_COUNT) {
                        throw new BadFileException(name + " is nested too deep or too long for a real one");
                    }
                } else if (event == XMLStreamConstants.END_ELEMENT) {
                    open.pop();
                }
            }
            return open.element().children.getFirst();
        } catch (XMLStreamException broken) {
            throw SafeXml.toBadFile(name, broken);
        }
    }

    public Stream<XmlElement> all(String child) {
        return children.stream().filter(element -> element.name.equals(child));
    }

    @Nullable
    public String attribute(String key) {
        return attributes.get(key);
    }

    /** The value of {@code <metadata key="…" value="…"/>} below this element. */
    @Nullable
    public String metadata(String key) {
        return value("metadata", key);
    }

    @Nullable
    public String value(String child, String key) {
        return all(child)
                .filter(element -> key.equals(element.attribute("key")))
                .map(element -> element.attribute("value"))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    public XmlElement with(Predicate<XmlElement> isKept) {
        return new XmlElement(name, attributes, children.stream().filter(isKept).toList());
    }

    /** Returns the element with some of its children changed. */
    public XmlElement mapChildren(Predicate<XmlElement> wanted, UnaryOperator<XmlElement> change) {
        return new XmlElement(
                name,
                attributes,
                children.stream()
                        .map(child -> wanted.test(child) ? change.apply(child) : child)
                        .toList());
    }

    /** Returns the element with these attributes instead of those of the same names. */
    public XmlElement withAttributes(Map<String, String> others) {
        Map<String, String> all = new LinkedHashMap<>(attributes);
        all.putAll(others);
        return new XmlElement(name, all, children);
    }

    /** Returns the element with another value of an existing {@code <metadata key="…" value="…"/>}. */
    public XmlElement withMetadata(String key, String value) {
        return mapChildren(
                child -> child.name.equals("metadata") && key.equals(child.attribute("key")),
                child -> child.withAttributes(Map.of("value", value)));
    }

    public byte[] toXml() {
        var xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        write(xml, "");
        return xml.toString().getBytes(StandardCharsets.UTF_8);
    }

    private void write(StringBuilder xml, String margin) {
        xml.append(margin).append('<').append(name);
        attributes.forEach((key, value) ->
                xml.append(' ').append(key).append("=\"").append(escaped(value)).append('"'));
        if (children.isEmpty()) {
            xml.append("/>\n");
            return;
        }
        xml.append(">\n");
        children.forEach(child -> child.write(xml, margin + "  "));
        xml.append(margin).append("</").append(name).append(">\n");
    }

    public static String escaped(String value) {
        return value.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("\n", "&#10;")
                .replace("\r", "&#13;")
                .replace("\t", "&#9;");
    }
}
