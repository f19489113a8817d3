package farm.gantry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.part.PartParameter;
import farm.gantry.part.SlicingEstimate;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RecordBuilderTest {
    private static final PartParameter HEIGHT = RecordBuilder.of(PartParameter.class)
            .with("name", "height")
            .with("type", PartParameter.Type.number)
            .with("defaultValue", 3.5)
            .with("options", List.of(new PartParameter.Option(4.0, null)))
            .build();

    @Test
    void unsetComponentIsNull() {
        assertThat(HEIGHT.name()).isEqualTo("height");
        assertThat(HEIGHT.effective()).isEqualTo(3.5);
        assertThat(HEIGHT.value()).isNull();
    }

    @Test
    void copyChangesOnlyNamedComponents() {
        PartParameter changed = RecordBuilder.copyOf(HEIGHT)
                .with("value", 5.0)
                .with("options", null)
                .build();
        assertThat(changed.value()).isEqualTo(5.0);
        assertThat(changed.options()).isNull();
        assertThat(RecordBuilder.copyOf(changed)
                        .with("value", null)
                        .with("options", HEIGHT.options())
                        .build())
                .isEqualTo(HEIGHT);
    }

    @Test
    void unknownComponentIsRejected() {
        assertThatThrownBy(() -> RecordBuilder.copyOf(HEIGHT).with("hight", 5.0))
                .hasMessageContaining("hight");
    }

    @Test
    void valueOfWrongTypeIsRejected() {
        assertThatThrownBy(() ->
                        RecordBuilder.copyOf(HEIGHT).with("label", new Object()).build())
                .isInstanceOf(RuntimeException.class);
    }

    @Test
    void missingPrimitiveIsRejected() {
        assertThatThrownBy(() -> RecordBuilder.of(SlicingEstimate.Material.class)
                        .with("index", 0)
                        .with("materialType", "PLA")
                        .build())
                .isInstanceOf(RuntimeException.class);
    }
}
