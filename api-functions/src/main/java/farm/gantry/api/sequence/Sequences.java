package farm.gantry.api.sequence;

import farm.gantry.api.database.Tx;
import farm.gantry.api.error.ProblemException;
import farm.gantry.api.resource.ResourceFactory;
import farm.gantry.api.resource.ResourceRoutes;
import farm.gantry.sequence.Sequence;
import io.micronaut.http.annotation.Controller;
import java.util.List;
import java.util.stream.Stream;

/** Sequences of serial numbers: builds draw from them, people set the next value. */
@Controller("/v1/sequences")
final class Sequences extends ResourceRoutes<Sequence> {
    Sequences(ResourceFactory factory, SequenceRows rows) {
        super(factory.of(Sequence.class, "sequence").followedBy((tx, before, _) -> check(rows, tx, before)));
    }

    /** A sequence to which parts of SKUs are bound is neither deleted nor given another name. */
    private static void check(SequenceRows rows, Tx tx, List<Sequence> before) {
        List<String> bound = rows.partsWithMissingSequence(
                tx,
                before.stream()
                        .flatMap(sequence -> Stream.of(sequence.id(), sequence.name()))
                        .toList());
        if (!bound.isEmpty()) {
            throw ProblemException.stillReferenced(bound);
        }
    }
}
