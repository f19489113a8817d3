// Which part of a long list is near the screen.

/**
 * Which rows of these heights lie between two edges, as the first one and the one after the last.
 * @param {any} heights
 * @param {number} top
 * @param {number} bottom
 */
export function between(heights, top, bottom) {
  let y = 0;
  let from = 0;
  while (from < heights.length && y + heights[from] < top) {
    y += heights[from++];
  }
  let to = from;
  while (to < heights.length && y < bottom) {
    y += heights[to++];
  }
  return [from, to];
}
