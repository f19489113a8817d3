package farm.gantry.ingest.threemf.archive;

import com.fasterxml.aalto.stax.InputFactoryImpl;
import farm.gantry.ingest.reading.BadFileException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/** Readers for untrusted XML: no DTDs, no entities, no namespaces (slicers use undeclared prefixes). */
public final class SafeXml {
    private SafeXml() {}

    public static XMLStreamReader reader(InputStream in) throws XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, false);
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        return factory.createXMLStreamReader(in);
    }

    /** Returns a faster reader for large models, which requires declared namespace prefixes. */
    public static XMLStreamReader fastReader(InputStream in) throws XMLStreamException {
        XMLInputFactory factory = new InputFactoryImpl();
        factory.setProperty(XMLInputFactory.IS_COALESCING, false);
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        return factory.createXMLStreamReader(in);
    }

    /** The next event; a document type is refused. */
    public static int next(XMLStreamReader reader, String name) throws XMLStreamException, BadFileException {
        int event = reader.next();
        if (event == XMLStreamConstants.DTD) {
            throw new BadFileException(name + " declares a document type, which 3MF forbids");
        }
        return event;
    }

    /** Without its prefix. */
    public static String localName(String name) {
        int colon = name.indexOf(':');
        return colon < 0 ? name : name.substring(colon + 1);
    }

    /** The prefix of a name; empty where it has none. */
    public static String prefix(String name) {
        return name.substring(0, Math.max(0, name.indexOf(':')));
    }

    /** The attributes under their whole names: the reader gives a name without its prefix. */
    public static Map<String, String> attributes(XMLStreamReader reader) {
        Map<String, String> attributes = new LinkedHashMap<>();
        for (int index = 0; index < reader.getAttributeCount(); index++) {
            String prefix = Objects.requireNonNullElse(reader.getAttributePrefix(index), "");
            String local = reader.getAttributeLocalName(index);
            attributes.put(prefix.isEmpty() ? local : prefix + ":" + local, reader.getAttributeValue(index));
        }
        return attributes;
    }

    /** The attribute of that name, whatever its prefix. */
    public static @Nullable String attribute(XMLStreamReader reader, String local) {
        for (int index = 0; index < reader.getAttributeCount(); index++) {
            if (localName(reader.getAttributeLocalName(index)).equals(local)) {
                return reader.getAttributeValue(index);
            }
        }
        return null;
    }

    public static BadFileException toBadFile(String name, Exception cause) {
        return new BadFileException(name + " is not well-formed XML", cause);
    }
}
