package farm.gantry.printer;

import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The catalogue of printer models. Slicers, firmware and people write the name of a model in several ways; all names of a model have the
 * same key. A name that is not in the catalogue has no key.
 */
public final class PrinterModelCatalog {
    /** One model per line, with its names in slicers, firmware and common use; the first is the vendor's own. */
    private static final String MODELS = """
            Bambu Lab X1 Carbon | X1C | X1-Carbon | BL-P001
            Bambu Lab X1 | BL-P002
            Bambu Lab X1E | C13
            Bambu Lab P1P | C11
            Bambu Lab P1S | C12
            Bambu Lab P2S | N7
            Bambu Lab A1 | N2S
            Bambu Lab A1 mini | A1M | N1
            Bambu Lab H2D | O1D
            Bambu Lab H2D Pro | O1E
            Bambu Lab H2S | O1S
            Bambu Lab H2C | O1C
            Original Prusa MK2.5S | MK2.5 | Original Prusa i3 MK2.5 | Original Prusa i3 MK2.5S
            Original Prusa MK3 | Original Prusa i3 MK3
            Original Prusa MK3S | MK3S+ | Original Prusa i3 MK3S | Original Prusa i3 MK3S & MK3S+ | Original Prusa i3 MK3S+
            Original Prusa MK3.5 | MK3.5S | MK35
            Original Prusa MK3.9 | MK3.9S | MK39
            Original Prusa MK4 | MK4IS | MK4 Input Shaper
            Original Prusa MK4S
            Original Prusa MINI | MINI+ | MINIIS | Original Prusa MINI & MINI+ | Original Prusa MINI+ Input Shaper
            Original Prusa XL | XLIS | XL5 | XL5IS | XL2 | XL2IS | Original Prusa XL 5T | Original Prusa XL 2T
            Prusa CORE One | COREONE | CORE One+
            Prusa CORE One L | COREONEL
            Prusa HT90
            Creality Ender-3
            Creality Ender-3 V2 | Ender 3 V2
            Creality Ender-3 V2 Neo
            Creality Ender-3 S1
            Creality Ender-3 S1 Pro
            Creality Ender-3 V3
            Creality Ender-3 V3 SE
            Creality Ender-3 V3 KE
            Creality Ender-3 V3 Plus
            Creality Ender-5 Plus
            Creality CR-10
            Creality K1
            Creality K1C
            Creality K1 Max
            Creality K1 SE
            Creality K2 Plus
            Creality Hi
            Elegoo Centauri
            Elegoo Centauri Carbon | ECC
            Elegoo Neptune 4
            Elegoo Neptune 4 Pro
            Elegoo Neptune 4 Plus
            Elegoo Neptune 4 Max
            Anycubic Kobra 2
            Anycubic Kobra 2 Pro
            Anycubic Kobra 2 Max
            Anycubic Kobra 3
            Anycubic Kobra 3 Max
            Anycubic Kobra S1 | KS1
            Anycubic Vyper
            Flashforge Adventurer 5M | AD5M
            Flashforge Adventurer 5M Pro | AD5M Pro
            Flashforge AD5X | Adventurer 5X
            Flashforge Creator Pro
            Flashforge Guider 2s
            Qidi X-Max 3
            Qidi X-Plus 3
            Qidi Q1 Pro
            Qidi Q2
            Qidi Plus 4 | Qidi X-Plus 4
            Sovol SV06
            Sovol SV06 Plus
            Sovol SV07
            Sovol SV08
            Snapmaker U1
            Snapmaker A350
            Snapmaker J1
            Artillery Sidewinder X4 Pro
            Voron 0.1
            Voron 2.4 250 | Voron_v2_250_afterburner
            Voron 2.4 300 | Voron_v2_300_afterburner | Voron_v2_300_aferburner
            Voron 2.4 350 | Voron_v2_350_afterburner
            Voron Trident 250
            Voron Trident 300
            Voron Trident 350
            """;

    private static final Pattern NO_NAME = Pattern.compile("[^a-z0-9]+");
    private static final Pattern MAKER = Pattern.compile(
            "^(bambulab|originalprusai3|originalprusa|prusai3|prusa|creality|elegoo|anycubic|flashforge|qiditech|qidi|sovol|artillery)(?=.)");

    /** The catalogue that is part of the program. */
    public static final PrinterModelCatalog BUILT_IN = new PrinterModelCatalog(loadBuiltIn());

    private final Map<String, String> keys;

    private PrinterModelCatalog(Map<String, String> keys) {
        this.keys = keys;
    }

    private static Map<String, String> loadBuiltIn() {
        Map<String, String> keys = new HashMap<>();
        MODELS.lines().forEach(line -> {
            String[] names = line.split(" \\| ", -1);
            for (String name : names) {
                keys.put(normalized(name), normalized(names[0]));
            }
        });
        return keys;
    }

    /** Returns this catalogue with additional models, each with a single name. */
    public PrinterModelCatalog with(Collection<String> modelNames) {
        Map<String, String> all = new HashMap<>(keys);
        modelNames.forEach(name -> all.putIfAbsent(normalized(name), normalized(name)));
        return new PrinterModelCatalog(all);
    }

    /** Returns the key of the model with that name; null if the catalogue does not have the name. */
    public @Nullable String key(@Nullable String modelName) {
        return modelName == null ? null : keys.get(normalized(modelName));
    }

    /** Returns whether two names are equal or stand for the same model. */
    public boolean isSameModel(String one, String other) {
        String key = key(one);
        return key == null ? normalized(one).equals(normalized(other)) : key.equals(key(other));
    }

    /** Returns whether the model is made by the vendor, according to its name or the catalogue. */
    public boolean isOf(String vendor, String modelName) {
        return withoutPunctuation(modelName).startsWith(withoutPunctuation(vendor))
                || VENDORS_NAMES
                        .getOrDefault(String.valueOf(key(modelName)), "")
                        .startsWith(withoutPunctuation(vendor));
    }

    /** Returns whether the makers of both models are known, by a prefix of the name or by the catalogue, and differ. */
    public boolean haveDifferentMakers(String one, String other) {
        String maker = maker(one);
        String otherMaker = maker(other);
        return maker != null && otherMaker != null && !maker.equals(otherMaker);
    }

    private @Nullable String maker(String modelName) {
        Matcher maker = MAKER.matcher(
                VENDORS_NAMES.getOrDefault(String.valueOf(key(modelName)), withoutPunctuation(modelName)));
        return maker.find() ? maker.group().replaceFirst("^original", "").replaceFirst("^(prusa|qidi).*", "$1") : null;
    }

    private static final Map<String, String> VENDORS_NAMES = MODELS.lines()
            .map(line -> line.split(" \\| ", -1)[0])
            .collect(Collectors.toUnmodifiableMap(
                    PrinterModelCatalog::normalized, PrinterModelCatalog::withoutPunctuation));

    /** Returns the name in lower case, without spaces, punctuation and, unless nothing would be left, its maker. */
    private static String normalized(String name) {
        return MAKER.matcher(withoutPunctuation(name)).replaceFirst("");
    }

    private static String withoutPunctuation(String name) {
        return NO_NAME.matcher(name.toLowerCase(Locale.ROOT).replace("+", "plus"))
                .replaceAll("");
    }
}
