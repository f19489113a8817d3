package farm.gantry.ingest.mesh;

import farm.gantry.ingest.reading.BadFileException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;

/** The text form of STL, word by word, whatever its lines end in. */
final class StlTextParser {
    private static final int MAX_WORD = 128;
    private static final int END = -1;
    private static final int CORNERS = 3;

    private final InputStream in;
    private final Mesh.Builder mesh;
    private final StringBuilder word = new StringBuilder();
    private int last = '\n';
    private boolean beginsLine;

    private StlTextParser(InputStream in, int maxTriangles) {
        this.in = in;
        this.mesh = new Mesh.Builder(maxTriangles);
    }

    static Mesh read(InputStream in, int maxTriangles) throws IOException {
        return new StlTextParser(in, maxTriangles).read();
    }

    private Mesh read() throws IOException {
        boolean open = false;
        int[] facet = new int[CORNERS];
        int corners = 0;
        for (String next = nextWord(); !next.isEmpty(); next = nextWord()) {
            switch (next) {
                case "solid" -> {
                    open = true;
                    skipLine();
                }
                case "endsolid" -> {
                    open = false;
                    skipLine();
                }
                case "vertex" -> {
                    int point = mesh.joined(number(), number(), number());
                    if (corners < CORNERS) {
                        facet[corners] = point;
                    }
                    corners++;
                }
                case "endfacet" -> {
                    if (corners != CORNERS) {
                        throw new BadFileException("A facet of the STL has " + corners + " corners");
                    }
                    mesh.triangle(facet[0], facet[1], facet[2]);
                    corners = 0;
                }
                case "normal" -> {
                    nextWord();
                    nextWord();
                    nextWord();
                }
                case "facet", "outer", "loop", "endloop", "end" -> {}
                default -> {
                    if (beginsLine) {
                        throw new BadFileException("The STL contains an unknown word: " + quoted(next));
                    }
                }
            }
        }
        if (open || corners != 0) {
            throw new BadFileException("The STL is cut off: it ends inside a solid");
        }
        return mesh.build();
    }

    private static String quoted(String word) {
        return word.replaceAll("[^\\x21-\\x7e]", "?");
    }

    private float number() throws IOException {
        String text = nextWord();
        try {
            return Float.parseFloat(text);
        } catch (NumberFormatException garbage) {
            throw new BadFileException("A coordinate in the STL is not a number: " + quoted(text), garbage);
        }
    }

    /** In lower case; empty at the end. Words after a line's own are comments. */
    private String nextWord() throws IOException {
        word.setLength(0);
        beginsLine = isLineEnd(last);
        int letter = in.read();
        while (letter >= 0 && letter <= ' ') {
            beginsLine |= isLineEnd(letter);
            letter = in.read();
        }
        while (letter > ' ') {
            if (letter < 0x80 || word.length() > 0) {
                word.append((char) letter);
            }
            if (word.length() > MAX_WORD) {
                throw new BadFileException("The STL contains a word that is too long");
            }
            letter = in.read();
        }
        last = letter;
        return word.toString().toLowerCase(Locale.ROOT);
    }

    private static boolean isLineEnd(int letter) {
        return letter == '\n' || letter == '\r';
    }

    /** The rest of a line is the solid's name, which may be anything. */
    private void skipLine() throws IOException {
        while (last != END && !isLineEnd(last)) {
            last = in.read();
        }
    }
}
