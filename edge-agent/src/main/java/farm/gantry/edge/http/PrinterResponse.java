package farm.gantry.edge.http;

import farm.gantry.edge.refusal.Refusal;
import farm.gantry.json.Json;
import farm.gantry.json.Tree;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Stream;

/** A printer's HTTP response. */
public record PrinterResponse(int status, String body) {

    public boolean isSuccess() {
        return status >= 200 && status < 300;
    }

    public Map<String, Object> parseJson() throws IOException {
        if (!isSuccess()) {
            throw new IOException("the printer answered with " + errorText());
        }
        return Json.tree(body);
    }

    /**
     * Returns the refusal for a 4xx status; a 5xx status leaves open whether the request was carried out, and throws.
     */
    public Refusal toRefusal(String what) throws IOException {
        if (status >= 500) {
            throw new IOException(what + errorText());
        }
        return Refusal.byPrinter(what + errorText());
    }

    /** Checks the response to the removal of a file. */
    public void requireRemoved() throws IOException, Refusal {
        if (!isSuccess() && status != 404) {
            throw toRefusal("the printer does not remove the file: ");
        }
    }

    /** Returns the error message in the body, or else the status. */
    public String errorText() {
        try {
            Map<String, Object> tree = Json.tree(body);
            return Stream.of(Tree.text(tree, "message"), Tree.text(tree, "error"), Tree.text(tree, "error", "message"))
                    .filter(words -> words != null && !words.isBlank())
                    .findFirst()
                    .orElse("status " + status);
        } catch (IOException e) {
            return "status " + status;
        }
    }
}
