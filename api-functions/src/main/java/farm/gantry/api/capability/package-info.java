/** Capabilities of printers, by provider and with each printer's own patch. */
@NullMarked
package farm.gantry.api.capability;

import org.jspecify.annotations.NullMarked;
