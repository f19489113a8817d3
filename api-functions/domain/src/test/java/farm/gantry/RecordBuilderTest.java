package farm.gantry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import farm.gantry.part.PartParameter;
import farm.gantry.part.SlicingEstimate;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RecordBuilderTest {
    private static final PartParameter HEIGHT = RecordBuilder.of(PartParameter.class)
            .with(PartParameter::name, "height")
            .with(PartParameter::type, PartParameter.Type.number)
            .with(PartParameter::defaultValue, 3.5)
            .with(PartParameter::options, List.of(new PartParameter.Option(4.0, null)))
            .build();

    @Test
    void unsetComponentIsNull() {
        assertThat(HEIGHT.name()).isEqualTo("height");
        assertThat(HEIGHT.effectiveValue()).isEqualTo(3.5);
        assertThat(HEIGHT.value()).isNull();
    }

    @Test
    void copyChangesOnlyNamedComponents() {
        PartParameter changed = RecordBuilder.copyOf(HEIGHT)
                .with(PartParameter::value, 5.0)
                .with(PartParameter::options, null)
                .build();
        assertThat(changed.value()).isEqualTo(5.0);
        assertThat(changed.options()).isNull();
        assertThat(RecordBuilder.copyOf(changed)
                        .with(PartParameter::value, null)
                        .with(PartParameter::options, HEIGHT.options())
                        .build())
                .isEqualTo(HEIGHT);
    }

    @Test
    void unknownComponentIsRejected() {
        assertThatThrownBy(() -> RecordBuilder.copyOf(HEIGHT).with("hight", 5.0))
                .hasMessageContaining("hight");
    }

    @Test
    void methodThatIsNoComponentIsRejected() {
        assertThatThrownBy(() -> RecordBuilder.copyOf(HEIGHT).with(PartParameter::effectiveValue, 5.0))
                .hasMessage("PartParameter has no component effective");
        assertThatThrownBy(() -> RecordBuilder.copyOf(HEIGHT).with(parameter -> parameter.name(), "width"))
                .hasMessageContaining("has no component");
    }

    @Test
    void valueOfWrongTypeIsRejectedWhereItIsSet() {
        assertThatThrownBy(() -> RecordBuilder.copyOf(HEIGHT).with(PartParameter::label, 5))
                .hasMessage("PartParameter::label holds String, not Integer");
        assertThatThrownBy(() ->
                        RecordBuilder.of(SlicingEstimate.Material.class).with(SlicingEstimate.Material::index, 5L))
                .hasMessage("Material::index holds Integer, not Long");
    }

    @Test
    void valueOfWrongTypeIsRejected() {
        assertThatThrownBy(() -> RecordBuilder.copyOf(HEIGHT)
                        .with(PartParameter::label, new Object())
                        .build())
                .isInstanceOf(RuntimeException.class);
    }

    @Test
    void missingPrimitiveIsRejected() {
        assertThatThrownBy(() -> RecordBuilder.of(SlicingEstimate.Material.class)
                        .with(SlicingEstimate.Material::index, 0)
                        .with(SlicingEstimate.Material::materialType, "PLA")
                        .build())
                .isInstanceOf(RuntimeException.class);
    }
}
