/** Addresses of callers behind trusted proxies, and the host names and the public URL of the farm. */
@NullMarked
package farm.gantry.api.http.address;

import org.jspecify.annotations.NullMarked;
