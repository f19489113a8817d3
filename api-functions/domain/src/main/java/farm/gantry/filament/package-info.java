/** How much filament the farm needs, and which spools to load. */
@NullMarked
package farm.gantry.filament;

import org.jspecify.annotations.NullMarked;
