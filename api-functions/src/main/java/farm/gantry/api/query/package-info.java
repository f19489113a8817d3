/** The list language: from query parameters to known columns, operators and typed values. */
@NullMarked
package farm.gantry.api.query;

import org.jspecify.annotations.NullMarked;
