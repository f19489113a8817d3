package farm.gantry;

import jakarta.validation.Constraint;
import jakarta.validation.Payload;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A text with a format that a pattern cannot express. */
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

    /** The format. */
    enum Kind {
        /** The name of a permission. */
        PERMISSION,
        /** An IP address or a CIDR block. */
        ADDRESS_RANGE,
        /** A name of the IANA time zone database. */
        TIME_ZONE,
        /** A code of ISO 4217. */
        CURRENCY,
        /** The URL of a webhook. */
        RECEIVER,
        /** The host name or IP address of a printer; an empty text is none. */
        PRINTER_HOST
    }
}
