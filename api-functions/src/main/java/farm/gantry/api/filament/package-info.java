/** Filament plans: what to buy and what to load. */
@NullMarked
package farm.gantry.api.filament;

import org.jspecify.annotations.NullMarked;
