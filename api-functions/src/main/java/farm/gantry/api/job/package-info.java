/** Routes of print jobs and print history. */
@NullMarked
package farm.gantry.api.job;

import org.jspecify.annotations.NullMarked;
