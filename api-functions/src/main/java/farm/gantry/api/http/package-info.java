/** HTTP filters, body readers and writers, rate limits and proxies. */
@NullMarked
package farm.gantry.api.http;

import org.jspecify.annotations.NullMarked;
