// The texts that people read. Each is written in English where it is shown; a translation has the English text as its key.

const PLACEHOLDER = /\{(\w+)\}/;
const PLURALS = new Intl.PluralRules("en"); // of the language of the texts, which is not that of the reader's numbers
const COUNTS = new Intl.NumberFormat();

/**
 * Returns a text with its values in place of the names in braces, such as `t("{name} is deleted", { name })`.
 * @template {string} T
 * @param {T} text
 * @param {Values<T>} values
 */
export function t(text, ...values) {
  return rich(text, ...values).join("");
}

/**
 * Returns a text whose values may be elements, such as links, as the children of an element.
 * @template {string} T
 * @param {T} text
 * @param {Values<T>} values
 */
export function rich(text, ...[values]) {
  return text.split(PLACEHOLDER).map((part, i) => (i % 2 ? /** @type {Record<string, any>} */ (values)[part] : part));
}

/**
 * Returns a text about a count in its singular or plural, such as `many(2, "{count} job", "{count} jobs")`.
 * @param {number} count
 * @param {string} one
 * @param {string} other
 * @param {Record<string, unknown>} [values]
 */
export function many(count, one, other, values) {
  return t(PLURALS.select(count) === "one" ? one : other, { count: COUNTS.format(count), ...values });
}

/**
 * Returns the first names of a list, and how many more there are.
 * @param {string[]} names
 * @param {number} limit
 */
export function firstOf(names, limit) {
  const shown = names.slice(0, limit).join(", ");
  return names.length > limit ? t("{names} and {count} more", { names: shown, count: names.length - limit }) : shown;
}
