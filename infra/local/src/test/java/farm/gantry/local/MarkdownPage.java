package farm.gantry.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The fenced code blocks of a page of the documentation. */
record MarkdownPage(Path file, List<Block> blocks) {
    private static final Pattern FENCE = Pattern.compile("(?ms)^```([^\\n`]+)\\n(.*?)^```$");

    /**
     * A fenced block.
     *
     * @param info the text after the opening fence, such as {@code sh no-run}
     * @param followsBlock whether only blank lines separate it from the block before
     */
    record Block(String info, String text, int line, boolean followsBlock) {}

    /** A shell block that runs, and the block directly after it that shows what it prints. */
    record Step(Block shell, Optional<Block> output) {}

    static MarkdownPage read(Path file) throws IOException {
        String page = Files.readString(file);
        List<Block> blocks = new ArrayList<>();
        Matcher fence = FENCE.matcher(page);
        int end = 0;
        while (fence.find()) {
            int line = 1
                    + Math.toIntExact(page.substring(0, fence.start())
                            .chars()
                            .filter(c -> c == '\n')
                            .count());
            boolean followsBlock = end > 0 && page.substring(end, fence.start()).isBlank();
            blocks.add(new Block(fence.group(1).strip(), fence.group(2), line, followsBlock));
            end = fence.end();
        }
        return new MarkdownPage(file, List.copyOf(blocks));
    }

    /** Returns the shell blocks that run. A block with the info string {@code sh no-run} needs what no test has. */
    List<Step> steps() {
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < blocks.size(); i++) {
            if (blocks.get(i).info().equals("sh")) {
                Optional<Block> output = blocks.stream()
                        .skip(i + 1)
                        .limit(1)
                        .filter(next ->
                                next.followsBlock() && List.of("json", "text").contains(next.info()))
                        .findFirst();
                steps.add(new Step(blocks.get(i), output));
            }
        }
        return steps;
    }

    /** Returns the text of the first block with that info string. */
    String text(String info) {
        return blocks.stream()
                .filter(block -> block.info().equals(info))
                .findFirst()
                .orElseThrow(() -> new AssertionError(file + " has no block '" + info + "'"))
                .text();
    }
}
