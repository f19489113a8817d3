package farm.gantry.ingest.cad;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The DATA section of a STEP file (ISO 10303-21). An instance is parsed where it is needed. */
final class StepFile {
    /** Maximum size of a file that is checked. */
    static final long MAX_BYTES = 32L << 20;

    /** Key of instances that have several types. */
    static final String COMPLEX = "";

    private static final Pattern START = Pattern.compile("#\\s*(\\d{1,9})\\s*=\\s*");
    private static final Pattern KEYWORD = Pattern.compile("[A-Z][A-Z0-9_]*");

    static final StepFile EMPTY = new StepFile("", Set.of());

    private final String text;
    private final Map<Integer, Integer> starts = new HashMap<>();
    private final Map<String, List<Integer>> idsByType = new HashMap<>();
    private final Set<String> types = new HashSet<>();

    /** Indexes the instances. {@code indexed} names the types whose instances are listed by {@link #ids}. */
    private StepFile(String text, Set<String> indexed) {
        this.text = text;
        Matcher start = START.matcher(text);
        Matcher keyword = KEYWORD.matcher(text);
        for (int at = 0; at < text.length(); ) {
            int begin = StepValueParser.skipSpace(text, at);
            int end = StepValueParser.statementEnd(text, begin);
            if (start.region(begin, end).lookingAt()) {
                int id = Integer.parseInt(start.group(1));
                starts.put(id, start.end());
                if (keyword.region(start.end(), end).lookingAt()) {
                    String type = keyword.group();
                    types.add(type);
                    if (indexed.contains(type)) {
                        idsByType.computeIfAbsent(type, _ -> new ArrayList<>()).add(id);
                    }
                } else {
                    idsByType.computeIfAbsent(COMPLEX, _ -> new ArrayList<>()).add(id);
                    keyword.region(start.end(), end);
                    while (keyword.find()) {
                        types.add(keyword.group());
                    }
                }
            }
            at = end + 1;
        }
    }

    static StepFile read(Path file, Set<String> indexed) throws IOException {
        String text = Files.size(file) > MAX_BYTES ? "" : Files.readString(file, StandardCharsets.ISO_8859_1);
        return new StepFile(text, indexed);
    }

    /** Returns whether any instance of the file has the type. */
    boolean has(String type) {
        return types.contains(type);
    }

    /** The instances of a type that was given to {@link #read}. */
    List<Integer> ids(String type) {
        return idsByType.getOrDefault(type, List.of());
    }

    /** The arguments of an instance by its types, most often one. */
    StepInstance instance(int id) throws UnsupportedStepException {
        Integer start = starts.get(id);
        if (start == null) {
            throw new UnsupportedStepException("#" + id + " is not in the file");
        }
        return new StepValueParser(text, start).instance();
    }

    /** The instance that an argument refers to. */
    StepInstance instance(Object reference) throws UnsupportedStepException {
        if (reference instanceof StepInstance.Reference(int id)) {
            return instance(id);
        }
        throw new UnsupportedStepException("a reference is missing");
    }
}
