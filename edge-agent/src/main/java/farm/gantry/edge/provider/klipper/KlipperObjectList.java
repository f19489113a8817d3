package farm.gantry.edge.provider.klipper;

import farm.gantry.edge.refusal.Refusal;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Some of a printer's objects, each with a kind and a name. */
record KlipperObjectList(List<KlipperObject> all) {

    record KlipperObject(String kind, String name) {
        private boolean isNamed(String wanted) {
            return name.equals(wanted) || wanted.equals(kind + " " + name);
        }

        private boolean nameContains(String word) {
            return name.toLowerCase(Locale.ROOT).contains(word.toLowerCase(Locale.ROOT));
        }
    }

    /** Returns the objects of these kinds, ordered by kind. */
    static KlipperObjectList of(List<String> objects, String... kinds) {
        return new KlipperObjectList(Arrays.stream(kinds)
                .flatMap(kind -> objects.stream()
                        .filter(object -> object.startsWith(kind + " "))
                        .map(object -> new KlipperObject(kind, object.substring(kind.length() + 1))))
                .toList());
    }

    /** Returns the objects with this word in their names; empty for an empty word. */
    KlipperObjectList containing(String word) {
        return where(part -> !word.isEmpty() && part.nameContains(word));
    }

    KlipperObjectList named(String name) {
        return where(part -> part.isNamed(name));
    }

    private KlipperObjectList where(Predicate<KlipperObject> test) {
        return new KlipperObjectList(all.stream().filter(test).toList());
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /**
     * Returns the only object in the list. Refuses if there is none or several, because a command to the wrong object
     * is worse than none.
     */
    KlipperObject requireOnly(String what) throws Refusal {
        if (isEmpty()) {
            throw new Refusal("the printer has no " + what);
        }
        if (all.size() > 1) {
            throw new Refusal("the printer has more than one %s: %s"
                    .formatted(what, all.stream().map(KlipperObject::name).collect(Collectors.joining(", "))));
        }
        return all.getFirst();
    }
}
