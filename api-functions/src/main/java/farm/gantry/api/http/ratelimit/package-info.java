/** Rate limits: token buckets for each caller. */
@NullMarked
package farm.gantry.api.http.ratelimit;

import org.jspecify.annotations.NullMarked;
