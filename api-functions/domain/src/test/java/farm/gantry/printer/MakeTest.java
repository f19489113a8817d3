package farm.gantry.printer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonProperty;
import farm.gantry.annotation.Destination;
import farm.gantry.annotation.Encrypted;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MakeTest {
    @Test
    void metadataTypeBelongsToOneProvider() {
        assertThat(Stream.of(Printer.Provider.values())
                        .<Class<?>>map(provider -> provider.make().metadata()))
                .containsExactlyInAnyOrder(PrinterMetadata.class.getPermittedSubclasses());
    }

    @ParameterizedTest
    @EnumSource
    void providerHasTheJsonNameOfItsMetadata(Printer.Provider provider) throws NoSuchFieldException {
        JsonProperty renamed = Printer.Provider.class.getField(provider.name()).getAnnotation(JsonProperty.class);

        assertThat(provider.wireName()).isEqualTo(renamed == null ? provider.name() : renamed.value());
    }

    @ParameterizedTest
    @EnumSource
    void providerMarksHostAndPortAsDestinations(Printer.Provider provider) {
        assertThat(provider.make().membersAnnotatedWith(Destination.class)).contains("host", "port");
    }

    @Test
    void secretIsRecognizedByNameAndValue() {
        assertThat(Printer.Provider.vendorA.make().membersAnnotatedWith(Encrypted.class))
                .containsExactly("dev_access_code");
        assertThat(Printer.Provider.anycubic.make().membersAnnotatedWith(Encrypted.class))
                .isEmpty();
        assertThat(new PrinterMetadata.VendorP(0.4, "maker", null, "10.0.0.7", null).secrets())
                .isEqualTo(List.of("maker"));
        assertThat(new PrinterMetadata.ElegooMqtt(0.4, null, "10.0.0.8", null).secrets())
                .isEmpty();
    }
}
