/** The record of a slicer profile. */
@NullMarked
package farm.gantry.profile;

import org.jspecify.annotations.NullMarked;
