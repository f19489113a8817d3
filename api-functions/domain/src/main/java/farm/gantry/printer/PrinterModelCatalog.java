package farm.gantry.printer;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The catalogue of printer models. Slicers, firmware and people write the name of a model in several ways; all names of a model have the
 * same key. A name that is not in the catalogue has no key.
 */
public final class PrinterModelCatalog {
    /**
     * One model per line: its build volume in mm, and its names in slicers, firmware and common use; the first name is the
     * vendor's own.
     */
    private static final String MODELS = """
            256 256 256: Bambu Lab X1 Carbon | X1C | X1-Carbon | BL-P001
            256 256 256: Bambu Lab X1 | BL-P002
            256 256 256: Bambu Lab X1E | C13
            256 256 256: Bambu Lab P1P | C11
            256 256 256: Bambu Lab P1S | C12
            256 256 256: Bambu Lab P2S | N7
            256 256 256: Bambu Lab A1 | N2S
            180 180 180: Bambu Lab A1 mini | A1M | N1
            350 320 325: Bambu Lab H2D | O1D
            350 320 325: Bambu Lab H2D Pro | O1E
            340 320 340: Bambu Lab H2S | O1S
            330 320 325: Bambu Lab H2C | O1C
            250 210 210: Original Prusa MK2.5S | MK2.5 | Original Prusa i3 MK2.5 | Original Prusa i3 MK2.5S
            250 210 210: Original Prusa MK3 | Original Prusa i3 MK3
            250 210 210: Original Prusa MK3S | MK3S+ | Original Prusa i3 MK3S | Original Prusa i3 MK3S & MK3S+ | Original Prusa i3 MK3S+
            250 210 210: Original Prusa MK3.5 | MK3.5S | MK35
            250 210 220: Original Prusa MK3.9 | MK3.9S | MK39
            250 210 220: Original Prusa MK4 | MK4IS | MK4 Input Shaper
            250 210 220: Original Prusa MK4S
            180 180 180: Original Prusa MINI | MINI+ | MINIIS | Original Prusa MINI & MINI+ | Original Prusa MINI+ Input Shaper
            360 360 360: Original Prusa XL | XLIS | XL5 | XL5IS | XL2 | XL2IS | Original Prusa XL 5T | Original Prusa XL 2T
            250 220 270: Prusa CORE One | COREONE | CORE One+
            300 300 330: Prusa CORE One L | COREONEL
            -: Prusa HT90
            220 220 250: Creality Ender-3
            220 220 250: Creality Ender-3 V2 | Ender 3 V2
            220 220 250: Creality Ender-3 V2 Neo
            220 220 270: Creality Ender-3 S1
            220 220 270: Creality Ender-3 S1 Pro
            220 220 250: Creality Ender-3 V3
            220 220 250: Creality Ender-3 V3 SE
            220 220 240: Creality Ender-3 V3 KE
            300 300 330: Creality Ender-3 V3 Plus
            350 350 400: Creality Ender-5 Plus
            300 300 400: Creality CR-10
            220 220 250: Creality K1
            220 220 250: Creality K1C
            300 300 300: Creality K1 Max
            220 220 250: Creality K1 SE
            350 350 350: Creality K2 Plus
            260 260 300: Creality Hi
            256 256 256: Elegoo Centauri
            256 256 256: Elegoo Centauri Carbon | ECC
            225 225 265: Elegoo Neptune 4
            225 225 265: Elegoo Neptune 4 Pro
            320 320 385: Elegoo Neptune 4 Plus
            420 420 480: Elegoo Neptune 4 Max
            220 220 250: Anycubic Kobra 2
            220 220 250: Anycubic Kobra 2 Pro
            420 420 500: Anycubic Kobra 2 Max
            250 250 260: Anycubic Kobra 3
            420 420 500: Anycubic Kobra 3 Max
            250 250 250: Anycubic Kobra S1 | KS1
            245 245 260: Anycubic Vyper
            220 220 220: Flashforge Adventurer 5M | AD5M
            220 220 220: Flashforge Adventurer 5M Pro | AD5M Pro
            220 220 220: Flashforge AD5X | Adventurer 5X
            227 148 150: Flashforge Creator Pro
            280 250 300: Flashforge Guider 2s
            325 325 315: Qidi X-Max 3
            280 280 270: Qidi X-Plus 3
            245 245 240: Qidi Q1 Pro
            270 270 256: Qidi Q2
            305 305 280: Qidi Plus 4 | Qidi X-Plus 4
            220 220 250: Sovol SV06
            300 300 340: Sovol SV06 Plus
            220 220 250: Sovol SV07
            350 350 345: Sovol SV08
            270 270 270: Snapmaker U1
            320 350 330: Snapmaker A350
            300 200 200: Snapmaker J1
            240 240 260: Artillery Sidewinder X4 Pro
            120 120 120: Voron 0.1
            250 250 250: Voron 2.4 250 | Voron_v2_250_afterburner
            300 300 300: Voron 2.4 300 | Voron_v2_300_afterburner | Voron_v2_300_aferburner
            350 350 350: Voron 2.4 350 | Voron_v2_350_afterburner
            250 250 250: Voron Trident 250
            300 300 250: Voron Trident 300
            350 350 250: Voron Trident 350
            """;

    private static final Pattern NO_NAME = Pattern.compile("[^a-z0-9]+");
    private static final Pattern MAKER = Pattern.compile(
            "^(bambulab|originalprusai3|originalprusa|prusai3|prusa|creality|elegoo|anycubic|flashforge|qiditech|qidi|sovol|artillery)(?=.)");

    private static final List<String> VENDORS = List.of(
            "Bambu Lab",
            "Prusa",
            "Creality",
            "Elegoo",
            "Anycubic",
            "Flashforge",
            "Qidi",
            "Sovol",
            "Snapmaker",
            "Artillery",
            "Voron");

    private static final List<BuiltInModel> MODEL_LIST =
            MODELS.lines().map(BuiltInModel::parse).toList();

    /** The catalogue that is part of the program. */
    public static final PrinterModelCatalog BUILT_IN = new PrinterModelCatalog(loadBuiltIn());

    private final Map<String, String> keys;

    private PrinterModelCatalog(Map<String, String> keys) {
        this.keys = keys;
    }

    private static Map<String, String> loadBuiltIn() {
        Map<String, String> keys = new HashMap<>();
        for (BuiltInModel model : MODEL_LIST) {
            model.names().forEach(name -> keys.put(normalized(name), normalized(model.name())));
        }
        return keys;
    }

    /**
     * A model that is part of the program. {@code names} are all its names, the vendor's own first; {@code buildVolume} is null
     * if it is not a cuboid.
     */
    public record BuiltInModel(
            String vendorName, List<String> names, @Nullable BedSize buildVolume) {
        private static BuiltInModel parse(String line) {
            String[] parts = line.split(": ", 2);
            List<String> names = List.of(parts[1].split(" \\| ", -1));
            String vendor = VENDORS.stream()
                    .filter(names.getFirst()::contains)
                    .findFirst()
                    .orElseThrow();
            return new BuiltInModel(vendor, names, parseVolume(parts[0]));
        }

        private static @Nullable BedSize parseVolume(String text) {
            if (text.equals("-")) {
                return null;
            }
            String[] sides = text.split(" ", -1);
            return new BedSize(
                    Double.parseDouble(sides[0]), Double.parseDouble(sides[1]), Double.parseDouble(sides[2]));
        }

        /** Returns the vendor's own name of the model. */
        public String name() {
            return names.getFirst();
        }
    }

    /** Returns the models that are part of the program. */
    public static List<BuiltInModel> builtInModels() {
        return MODEL_LIST;
    }

    /** Returns the built-in model with that name, or null. */
    public static @Nullable BuiltInModel builtInModel(String name) {
        String key = BUILT_IN.key(name);
        return key == null ? null : MODELS_BY_KEY.get(key);
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

    private static final Map<String, BuiltInModel> MODELS_BY_KEY = MODEL_LIST.stream()
            .collect(Collectors.toUnmodifiableMap(model -> normalized(model.name()), Function.identity()));

    private static final Map<String, String> VENDORS_NAMES = MODEL_LIST.stream()
            .map(BuiltInModel::name)
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
