/** What every route is made with: who calls, what they may, what went wrong, and JSON already made. */
@NullMarked
package farm.gantry.api;

import org.jspecify.annotations.NullMarked;
