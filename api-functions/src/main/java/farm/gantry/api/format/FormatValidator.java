package farm.gantry.api.format;

import farm.gantry.Permission;
import farm.gantry.annotation.Format;
import farm.gantry.api.error.SimilarName;
import farm.gantry.api.http.address.AddressRange;
import farm.gantry.api.webhook.ReceiverPolicy;
import io.micronaut.core.annotation.AnnotationValue;
import io.micronaut.validation.validator.constraints.ConstraintValidator;
import io.micronaut.validation.validator.constraints.ConstraintValidatorContext;
import jakarta.inject.Singleton;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Currency;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Validates texts by their {@link Format}, so that their faults are reported together with all others of a body. */
@Singleton
final class FormatValidator implements ConstraintValidator<Format, String> {
    private final ReceiverPolicy receivers;

    FormatValidator(ReceiverPolicy receivers) {
        this.receivers = receivers;
    }

    @Override
    public boolean isValid(@Nullable String text, AnnotationValue<Format> format, ConstraintValidatorContext context) {
        Optional<String> fault = text == null
                ? Optional.empty()
                : fault(format.enumValue("value", Format.Kind.class).orElseThrow(), text);
        fault.ifPresent(context::messageTemplate);
        return fault.isEmpty();
    }

    private Optional<String> fault(Format.Kind kind, String text) {
        return switch (kind) {
            case PERMISSION ->
                faultUnless(Permission.parse(text).isPresent(), "is not a permission" + similarPermission(text));
            case ADDRESS_RANGE ->
                faultUnless(AddressRange.parse(text).isPresent(), "must be an IP address or a CIDR block");
            case TIME_ZONE ->
                faultUnless(
                        ZoneId.getAvailableZoneIds().contains(text), "must be a name of the IANA time zone database");
            case CURRENCY ->
                faultUnless(
                        Currency.getAvailableCurrencies().stream()
                                .anyMatch(currency -> currency.getCurrencyCode().equals(text)),
                        "must be a code of ISO 4217");
            case RECEIVER -> receivers.fault(text);
            case PRINTER_HOST -> PrinterHosts.fault(text);
        };
    }

    private static String similarPermission(String text) {
        List<String> known =
                Arrays.stream(Permission.values()).map(Permission::wireName).toList();
        return SimilarName.suggest(text, known);
    }

    private static Optional<String> faultUnless(boolean isValid, String fault) {
        return isValid ? Optional.empty() : Optional.of(fault);
    }
}
