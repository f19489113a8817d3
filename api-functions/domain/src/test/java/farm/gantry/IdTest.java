package farm.gantry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class IdTest {
    @Test
    void idHasWireFormat() {
        assertThat(Id.next()).matches(Id.PATTERN);
        assertThat(Id.isValid(Id.next())).isTrue();
        assertThat(Id.isValid("ABC")).isFalse();
        assertThat(Id.isValid(Id.next() + "0")).isFalse();
    }

    @Test
    void laterIdSortsLaterWithinTheSameMillisecond() {
        List<String> ids = Stream.generate(Id::next).limit(10_000).toList();
        assertThat(ids).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void idsAreUniqueAcrossThreads() {
        assertThat(Stream.generate(Id::next).parallel().limit(10_000)).doesNotHaveDuplicates();
    }
}
