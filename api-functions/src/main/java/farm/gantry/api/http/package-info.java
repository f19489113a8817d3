/** HTTP filters, the readers and writers of bodies, conditional requests and error responses. */
@NullMarked
package farm.gantry.api.http;

import org.jspecify.annotations.NullMarked;
