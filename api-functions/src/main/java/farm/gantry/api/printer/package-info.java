/** Printers: routes, configuration, slots, throttle groups and statistics. */
@NullMarked
package farm.gantry.api.printer;

import org.jspecify.annotations.NullMarked;
