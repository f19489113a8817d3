package farm.gantry.ingest.threemf;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/** Copies a model element by element, however large it is, with some of its elements left out or changed. */
record ModelRewrite(ThreemfArchive archive, String model, Change change) implements ArchiveRewrite.EntryContent {

    /** What becomes of an element. */
    interface Change {

        /** The attributes it is to have; null leaves it out with everything in it. */
        @Nullable
        Map<String, String> attributes(String element, Map<String, String> attributes);

        /** What it is to hold instead of what it holds; null leaves that as it is. */
        default @Nullable String content(String element, Map<String, String> attributes) {
            return null;
        }
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
        Writer writer = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
        try (InputStream in = archive.stream(model)) {
            XMLStreamReader xml = Xml.reader(in);
            writer.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
            while (xml.hasNext()) {
                copy(xml, Xml.next(xml, model), writer);
            }
        } catch (XMLStreamException broken) {
            throw Xml.broken(model, broken);
        }
        writer.flush();
    }

    private void copy(XMLStreamReader xml, int event, Writer writer) throws IOException, XMLStreamException {
        switch (event) {
            case XMLStreamConstants.START_ELEMENT -> start(xml, writer);
            case XMLStreamConstants.END_ELEMENT -> writer.write("</" + xml.getLocalName() + ">");
            case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE ->
                writer.write(XmlElement.escaped(xml.getText()));
            default -> {}
        }
    }

    private void start(XMLStreamReader xml, Writer writer) throws IOException, XMLStreamException {
        String name = xml.getLocalName();
        Map<String, String> own = new LinkedHashMap<>();
        for (int index = 0; index < xml.getAttributeCount(); index++) {
            own.put(xml.getAttributeLocalName(index), xml.getAttributeValue(index));
        }
        Map<String, String> attributes = change.attributes(name, own);
        if (attributes == null) {
            skip(xml);
            return;
        }
        writer.write("<" + name);
        for (var attribute : attributes.entrySet()) {
            writer.write(" " + attribute.getKey() + "=\"" + XmlElement.escaped(attribute.getValue()) + "\"");
        }
        writer.write(">");
        String content = change.content(name, attributes);
        if (content != null) {
            writer.write(content + "</" + name + ">");
            skip(xml);
        }
    }

    private void skip(XMLStreamReader xml) throws IOException, XMLStreamException {
        for (int depth = 1; depth > 0; ) {
            int event = Xml.next(xml, model);
            depth += event == XMLStreamConstants.START_ELEMENT ? 1 : 0;
            depth -= event == XMLStreamConstants.END_ELEMENT ? 1 : 0;
        }
    }
}
