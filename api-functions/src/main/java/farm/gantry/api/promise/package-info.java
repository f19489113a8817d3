/** Keeps the estimates of when jobs and orders finish up to date. */
@NullMarked
package farm.gantry.api.promise;

import org.jspecify.annotations.NullMarked;
