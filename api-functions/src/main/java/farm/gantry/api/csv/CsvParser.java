package farm.gantry.api.csv;

import farm.gantry.api.error.ProblemException;
import java.util.ArrayList;
import java.util.List;

/**
 * Parses CSV (RFC 4180). Semicolons and tabs separate cells, too, if the first line has them and no comma; spreadsheets
 * write the first where the comma is the decimal sign.
 */
final class CsvParser {
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    /** A line with the number at which it begins in the file; the first is 1. */
    record Line(int number, List<String> cells) {
        boolean isBlank() {
            return cells.stream().allMatch(String::isBlank);
        }
    }

    /** The lines of a file that are not blank, and the character that separates their cells. */
    record Table(char separator, List<Line> lines) {}

    private final String text;
    private final char separator;
    private final List<Line> lines = new ArrayList<>();
    private List<String> cells = new ArrayList<>();
    private int at;
    private int number = 1;

    private CsvParser(String text) {
        this.text = text;
        this.separator = separatorOf(text.lines().findFirst().orElse(""));
    }

    static Table parse(String text) {
        boolean isMarked = !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK;
        CsvParser parser = new CsvParser(isMarked ? text.substring(1) : text);
        parser.parse();
        return new Table(parser.separator, parser.lines);
    }

    private static char separatorOf(String header) {
        if (header.indexOf(',') >= 0) {
            return ',';
        }
        return header.indexOf(';') >= 0 ? ';' : header.indexOf('\t') >= 0 ? '\t' : ',';
    }

    private void parse() {
        int start = number;
        while (at < text.length()) {
            cells.add(text.charAt(at) == '"' ? parseQuoted() : parsePlain());
            if (at < text.length() && text.charAt(at) == separator) {
                at++;
                if (at < text.length()) {
                    continue;
                }
                cells.add("");
            }
            skipLineEnd();
            Line line = new Line(start, cells);
            if (!line.isBlank()) {
                lines.add(line);
            }
            cells = new ArrayList<>();
            start = number;
        }
    }

    private String parsePlain() {
        int start = at;
        while (at < text.length() && !endsCell(text.charAt(at))) {
            at++;
        }
        return text.substring(start, at);
    }

    private String parseQuoted() {
        int start = number;
        StringBuilder cell = new StringBuilder();
        for (at++; at < text.length(); at++) {
            char next = text.charAt(at);
            if (next == '"') {
                at++;
                if (at == text.length() || text.charAt(at) != '"') {
                    return cell.append(parsePlain()).toString();
                }
            } else if (next == '\n') {
                number++;
            }
            cell.append(next);
        }
        throw ProblemException.invalid(
                "line " + start, "invalid", "line " + start + ": a quotation mark is opened and not closed");
    }

    private boolean endsCell(char next) {
        return next == separator || next == '\n' || next == '\r';
    }

    private void skipLineEnd() {
        if (at < text.length() && text.charAt(at) == '\r') {
            at++;
        }
        if (at < text.length() && text.charAt(at) == '\n') {
            at++;
        }
        number++;
    }
}
