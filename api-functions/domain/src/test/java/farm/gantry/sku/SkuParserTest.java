package farm.gantry.sku;

import static org.assertj.core.api.Assertions.assertThat;

import farm.gantry.sku.SkuParser.Suffix;
import farm.gantry.sku.SkuParser.SuffixedSku;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/** Tests how the SKU texts of marketplaces are parsed into a SKU and options. */
final class SkuParserTest {
    /** Returns a SKU with these suffixes, each as {@code option:value:text}. */
    private static SuffixedSku sku(String sku, String... suffixes) {
        return new SuffixedSku(
                sku,
                sku,
                Stream.of(suffixes)
                        .map(each -> List.of(each.split(":", -1)))
                        .map(words -> new Suffix(words.get(0), words.get(1), words.get(2)))
                        .toList());
    }

    private static final SuffixedSku SIGN = sku(
            "SIGN",
            "size:small:-S",
            "size:medium:-M",
            "size:xl:-XL",
            "colour:red:-RED",
            "colour:blue:BLUE",
            "fit:x:-X");

    private static SkuMatch parsed(String text, SuffixedSku... skus) {
        return new SkuParser(List.of(skus)).parse(text);
    }

    private static SkuMatch.Resolved resolved(String sku, String... values) {
        return new SkuMatch.Resolved(sku, List.of(values));
    }

    @Test
    void exactSkuTakesPrecedence() {
        assertThat(parsed("SIGN-M", SIGN, sku("SIGN-M"))).isEqualTo(resolved("SIGN-M"));
        assertThat(parsed("SIGN", SIGN)).isEqualTo(resolved("SIGN"));
    }

    @Test
    void suffixesMayComeInAnyOrder() {
        assertThat(parsed("SIGN-M-RED", SIGN)).isEqualTo(resolved("SIGN", "medium", "red"));
        assertThat(parsed("SIGN-RED-M", SIGN)).isEqualTo(resolved("SIGN", "medium", "red"));
        assertThat(parsed("SIGN-RED", SIGN)).isEqualTo(resolved("SIGN", "red"));
    }

    @Test
    void oneExtraSeparatorIsAllowedBetweenSuffixes() {
        for (String text : List.of("SIGNBLUE", "SIGN-BLUE", "SIGN_BLUE", "SIGN.BLUE", "SIGN/BLUE", "SIGN BLUE")) {
            assertThat(parsed(text, SIGN)).as(text).isEqualTo(resolved("SIGN", "blue"));
        }
        for (String text : List.of("SIGN--BLUE", "SIGN-BLUE-", "SIGNM", "SIGN-m", "LAMP-M", "")) {
            assertThat(parsed(text, SIGN)).as(text).isEqualTo(new SkuMatch.NotFound());
        }
    }

    @Test
    void optionIsChosenAtMostOnce() {
        assertThat(parsed("SIGN-M-S", SIGN)).isEqualTo(new SkuMatch.NotFound());
        assertThat(parsed("SIGN-M-M", SIGN)).isEqualTo(new SkuMatch.NotFound());
    }

    @Test
    void suffixWithTheLongestMatchIsChosen() {
        SuffixedSku lamp = sku("L", "size:xl:-XL", "fit:x:-X", "length:l:L", "colour:lime:LIME");
        assertThat(parsed("L-XL", lamp)).isEqualTo(resolved("L", "xl"));
        assertThat(parsed("L-XLIME", lamp)).as("-XL is no suffix").isEqualTo(resolved("L", "x", "lime"));
    }

    @Test
    void textWithTwoReadingsIsAmbiguous() {
        assertThat(parsed("S-R", sku("S", "colour:red:-R", "shape:round:-R"))).isInstanceOf(SkuMatch.Ambiguous.class);
        assertThat(parsed("S-M-R", sku("S", "size:m:-M", "colour:red:-R"), sku("S-M", "colour:red:-R")))
                .isEqualTo(new SkuMatch.Ambiguous(resolved("S", "m", "red"), resolved("S-M", "red")));
        assertThat(parsed("S-R-R", sku("S", "colour:red:-R", "shape:round:-R")))
                .as("both, in either order")
                .isEqualTo(resolved("S", "red", "round"));
        assertThat(parsed("S-R", sku("S", "colour:red:-R", "colour:red:R"))).isEqualTo(resolved("S", "red"));
    }

    @Test
    void adversarialTextIsParsedQuickly() {
        String[] suffixes = IntStream.range(0, 80)
                .mapToObj(i -> "option" + i % 8 + ":value" + i + ":" + "A".repeat(1 + i / 8))
                .toArray(String[]::new);
        Assertions.assertTimeoutPreemptively(Duration.ofMinutes(5), () -> {
            assertThat(parsed("S" + "A".repeat(40) + "!", sku("S", suffixes))).isEqualTo(new SkuMatch.NotFound());
            assertThat(parsed("S" + "A".repeat(40), sku("S", suffixes))).isInstanceOf(SkuMatch.Ambiguous.class);
        });
    }
}
