/** Slice requests for jobs, and their answers. */
@NullMarked
package farm.gantry.api.job.slicing;

import org.jspecify.annotations.NullMarked;
