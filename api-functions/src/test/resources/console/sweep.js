// What of a page a person cannot reach, hit or tell: one line each.
() => {
  const MIN = 24;
  const faults = [];
  const name = (node) =>
    `${node.tagName.toLowerCase()} "${(node.getAttribute("aria-label") || node.innerText || node.value || node.name || "").trim().slice(0, 40)}" of ${node.closest("li, section, form, header, fieldset, main")?.className || "page"}`;
  const isShown = (node) =>
    node.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    !node.closest("[inert], .hidden, .skip, .tiles[data-size=small] .picture");
  const isInline = (node) =>
    getComputedStyle(node).display === "inline" && node.parentElement.innerText.trim().length > node.innerText.trim().length + 3;
  for (const node of document.querySelectorAll("a[href], button, input, select, textarea, summary")) {
    if (!isShown(node) || (node.tagName === "INPUT" && node.type === "file")) {
      continue;
    }
    const box = node.getBoundingClientRect();
    let seen = { left: Math.max(0, box.left), right: Math.min(innerWidth, box.right) };
    let scrolls = false;
    for (let at = node.parentElement; at; at = at.parentElement) {
      const { overflowX } = getComputedStyle(at);
      scrolls ||= overflowX === "auto" || overflowX === "scroll";
      if (overflowX !== "visible" && !scrolls) {
        const outer = at.getBoundingClientRect();
        seen = { left: Math.max(seen.left, outer.left), right: Math.min(seen.right, outer.right) };
      }
    }
    if (!scrolls && !isInline(node) && (seen.left > box.left + 1 || seen.right < box.right - 1)) {
      faults.push(
        `cut off: ${name(node)}: ${Math.round(box.left)}–${Math.round(box.right)} is seen ${Math.round(seen.left)}–${Math.round(seen.right)}`,
      );
    }
    const label = node.closest("label");
    const target = label && /checkbox|radio/.test(node.type) ? label.getBoundingClientRect() : box;
    const after = getComputedStyle(node, "::after");
    const covers = after.content !== "none" && after.position === "absolute"; // a card's link covers the card
    if (!isInline(node) && !covers && (Math.max(target.width, box.width) < MIN - 0.5 || Math.max(target.height, box.height) < MIN - 0.5)) {
      faults.push(`small: ${name(node)}: ${Math.round(target.width)} × ${Math.round(target.height)}`);
    }
  }
  if (!document.title || document.title === "Gantry") {
    faults.push(`no title: ${location.pathname}`);
  }
  if (document.documentElement.scrollWidth > innerWidth) {
    faults.push(`scrolls sideways: ${location.pathname}`);
  }
  return faults;
};
