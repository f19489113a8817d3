/** Estimates of when jobs and orders finish. */
@NullMarked
package farm.gantry.promise;

import org.jspecify.annotations.NullMarked;
