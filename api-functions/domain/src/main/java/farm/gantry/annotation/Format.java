package farm.gantry.annotation;

import jakarta.validation.Constraint;
import jakarta.validation.Payload;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a text whose format cannot be expressed as a regular expression. */
@Retention(RetentionPolicy.RUNTIME)
@Constraint(validatedBy = {})
@Target({
    ElementType.RECORD_COMPONENT,
    ElementType.FIELD,
    ElementType.PARAMETER,
    ElementType.METHOD,
    ElementType.TYPE_USE
})
public @interface Format {
    Kind value();

    String message() default "is invalid";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};

    /** The formats that can be checked. */
    enum Kind {
        /** The wire name of a permission. */
        PERMISSION,
        /** An IP address or a CIDR block. */
        ADDRESS_RANGE,
        /** The name of a time zone in the IANA time zone database. */
        TIME_ZONE,
        /** A currency code (ISO 4217). */
        CURRENCY,
        /** The URL of a webhook receiver. */
        RECEIVER,
        /** The host name or IP address of a printer, or an empty text if it has none. */
        PRINTER_HOST
    }
}
