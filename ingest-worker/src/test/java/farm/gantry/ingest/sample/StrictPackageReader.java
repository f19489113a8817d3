package farm.gantry.ingest.sample;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Lists the faults of a 3MF. It reads the package with the namespace-aware parser of the JDK, independently of the
 * worker's readers.
 */
public final class StrictPackageReader {
    private static final String CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02";
    private static final String PRODUCTION = "http://schemas.microsoft.com/3dmanufacturing/production/2015/06";

    private final Map<String, byte[]> entries = new HashMap<>();
    private final List<String> faults = new ArrayList<>();

    private StrictPackageReader(Path file) throws IOException {
        try (ZipFile zip = new ZipFile(file.toFile())) {
            for (ZipEntry entry : zip.stream().toList()) {
                try (InputStream in = zip.getInputStream(entry)) {
                    entries.put(entry.getName(), in.readAllBytes());
                }
            }
        }
    }

    public static List<String> faults(Path file) throws IOException {
        var reader = new StrictPackageReader(file);
        for (String name : reader.entries.keySet()) {
            if (name.endsWith(".model")) {
                reader.model(name);
            } else if (name.endsWith(".rels")) {
                reader.relationships(name);
            }
        }
        return reader.faults;
    }

    private void model(String name) {
        Element root = root(name);
        if (root == null) {
            return;
        }
        if (!CORE.equals(root.getNamespaceURI()) || !"model".equals(root.getLocalName())) {
            faults.add(name + " is no model of the core namespace");
        }
        for (String prefix : root.getAttribute("requiredextensions").strip().split("\\s+", -1)) {
            if (!prefix.isEmpty() && root.lookupNamespaceURI(prefix) == null) {
                faults.add(name + " requires an extension under an undeclared prefix: " + prefix);
            }
        }
        for (Element metadata : elements(root, CORE, "metadata")) {
            String key = metadata.getAttribute("name");
            int colon = key.indexOf(':');
            if (colon > 0 && root.lookupNamespaceURI(key.substring(0, colon)) == null) {
                faults.add(name + " has metadata under an undeclared prefix: " + key);
            }
        }
        for (String placed : List.of("component", "item")) {
            for (Element element : elements(root, CORE, placed)) {
                String path = element.getAttributeNS(PRODUCTION, "path");
                Element other = path.isEmpty() ? root : root(path.substring(1));
                String id = element.getAttribute("objectid");
                if (other == null
                        || elements(other, CORE, "object").stream()
                                .noneMatch(object -> object.getAttribute("id").equals(id))) {
                    faults.add(name + " has a " + placed + " of an object that is not there: " + path + " " + id);
                }
            }
        }
    }

    private void relationships(String name) {
        Element root = root(name);
        String folder = name.substring(0, name.indexOf("_rels/"));
        for (Element relationship : root == null ? List.<Element>of() : elements(root, "*", "Relationship")) {
            String target = relationship.getAttribute("Target");
            String entry = target.startsWith("/") ? target.substring(1) : folder + target;
            if (!entries.containsKey(entry)) {
                faults.add(name + " points to an entry that is not there: " + target);
            }
        }
    }

    private static List<Element> elements(Element root, String namespace, String name) {
        NodeList found = root.getElementsByTagNameNS(namespace, name);
        return IntStream.range(0, found.getLength())
                .mapToObj(at -> (Element) found.item(at))
                .toList();
    }

    private @Nullable Element root(String name) {
        byte[] xml = entries.get(name);
        if (xml == null) {
            faults.add("There is no " + name);
            return null;
        }
        try {
            var factory = DocumentBuilderFactory.newDefaultNSInstance();
            var builder = factory.newDocumentBuilder();
            builder.setErrorHandler(null);
            Document document = builder.parse(new ByteArrayInputStream(xml));
            return document.getDocumentElement();
        } catch (SAXException | IOException broken) {
            faults.add(name + " cannot be parsed: " + broken.getMessage());
            return null;
        } catch (ParserConfigurationException everyJdkHasIt) {
            throw new IllegalStateException(everyJdkHasIt);
        }
    }
}
