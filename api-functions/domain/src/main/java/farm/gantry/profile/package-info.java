/** What a slicer is told of machines, filaments and processes. */
@NullMarked
package farm.gantry.profile;

import org.jspecify.annotations.NullMarked;
