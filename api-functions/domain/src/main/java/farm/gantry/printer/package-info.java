/** Printers: their record, metadata by provider, models and printable area. */
@NullMarked
package farm.gantry.printer;

import org.jspecify.annotations.NullMarked;
