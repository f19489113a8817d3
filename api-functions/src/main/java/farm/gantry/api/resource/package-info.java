/** Routes that every resource has: list, get, create, change, delete, search. */
@NullMarked
package farm.gantry.api.resource;

import org.jspecify.annotations.NullMarked;
