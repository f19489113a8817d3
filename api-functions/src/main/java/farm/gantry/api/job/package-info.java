/** The routes of print jobs and their history. */
@NullMarked
package farm.gantry.api.job;

import org.jspecify.annotations.NullMarked;
