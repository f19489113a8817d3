package farm.gantry.ingest.threemf;

import farm.gantry.ingest.threemf.archive.ArchiveRewrite;
import farm.gantry.ingest.threemf.archive.SafeXml;
import farm.gantry.ingest.threemf.archive.ThreemfArchive;
import farm.gantry.ingest.threemf.archive.XmlElement;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * Copies a model element by element, however large it is, with some of its elements left out or changed. Prefixes stay as
 * they are, since the values of other attributes name them.
 */
record ModelRewrite(ThreemfArchive archive, String model, ElementChange change) implements ArchiveRewrite.EntryContent {

    /** Decides on an element, which is named without its prefix. */
    interface ElementChange {

        /** Whether elements of every prefix are changed, or those of the root's alone, which is the core namespace. */
        default boolean isOfEveryPrefix() {
            return false;
        }

        /** The attributes it is to have; null leaves it out with everything in it. */
        @Nullable
        Map<String, String> attributes(String element, Map<String, String> attributes);

        /**
         * What it is to hold instead of what it holds; null leaves that as it is. {@code prefix} is that of the core
         * namespace, with its colon.
         */
        default @Nullable String content(String element, Map<String, String> attributes, String prefix) {
            return null;
        }
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
        Writer writer = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
        try (InputStream in = archive.stream(model)) {
            XMLStreamReader xml = SafeXml.reader(in);
            String core = null;
            writer.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
            while (xml.hasNext()) {
                int event = SafeXml.next(xml, model);
                if (core == null && event == XMLStreamConstants.START_ELEMENT) {
                    core = SafeXml.prefix(xml.getLocalName());
                }
                copy(xml, event, Objects.requireNonNullElse(core, ""), writer);
            }
        } catch (XMLStreamException broken) {
            throw SafeXml.toBadFile(model, broken);
        }
        writer.flush();
    }

    private void copy(XMLStreamReader xml, int event, String core, Writer writer)
            throws IOException, XMLStreamException {
        switch (event) {
            case XMLStreamConstants.START_ELEMENT -> startElement(xml, core, writer);
            case XMLStreamConstants.END_ELEMENT -> writer.write("</" + xml.getLocalName() + ">");
            case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE ->
                writer.write(XmlElement.escaped(xml.getText()));
            default -> {}
        }
    }

    private void startElement(XMLStreamReader xml, String core, Writer writer) throws IOException, XMLStreamException {
        String name = xml.getLocalName();
        boolean isCore = change.isOfEveryPrefix() || SafeXml.prefix(name).equals(core);
        Map<String, String> own = SafeXml.attributes(xml);
        Map<String, String> attributes = isCore ? change.attributes(SafeXml.localName(name), own) : own;
        if (attributes == null) {
            skip(xml);
            return;
        }
        writer.write("<" + name);
        for (var attribute : attributes.entrySet()) {
            writer.write(" " + attribute.getKey() + "=\"" + XmlElement.escaped(attribute.getValue()) + "\"");
        }
        writer.write(">");
        String prefix = core.isEmpty() ? "" : core + ":";
        String content = isCore ? change.content(SafeXml.localName(name), attributes, prefix) : null;
        if (content != null) {
            writer.write(content + "</" + name + ">");
            skip(xml);
        }
    }

    private void skip(XMLStreamReader xml) throws IOException, XMLStreamException {
        for (int depth = 1; depth > 0; ) {
            int event = SafeXml.next(xml, model);
            depth += event == XMLStreamConstants.START_ELEMENT ? 1 : 0;
            depth -= event == XMLStreamConstants.END_ELEMENT ? 1 : 0;
        }
    }
}
