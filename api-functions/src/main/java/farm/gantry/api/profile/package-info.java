/** Slicer profiles: resolution of what they inherit, and the slicers' own. */
@NullMarked
package farm.gantry.api.profile;

import org.jspecify.annotations.NullMarked;
