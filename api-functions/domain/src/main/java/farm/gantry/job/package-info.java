/** Print jobs: their record, states and transitions. */
@NullMarked
package farm.gantry.job;

import org.jspecify.annotations.NullMarked;
