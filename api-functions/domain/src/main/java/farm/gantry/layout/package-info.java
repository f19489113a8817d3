/** The record of a dashboard layout. */
@NullMarked
package farm.gantry.layout;

import org.jspecify.annotations.NullMarked;
