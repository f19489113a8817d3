// What of a page a person cannot reach, hit, tell or understand: one line each.
() => {
  const MIN = 24;
  const INTERNAL = [
    /\b(slicer[1-4]|vendor[ABP]|firmwareK|gcode3mf|elegoo-(mqtt|sdcp)|sdcp)\b/, // tokens of slicers, providers and file types
    /\b(Pending|Sending-to-printer|Waiting-for-approval)\b/, // statuses that have words of their own
    /\b(user|printer)\.[a-z]+[A-Za-z]*\b/, // names of requirements
    /\b25[45]-\d\b/, // numbers of slots
    /\b[a-z]\w*\[\d+\]/, // paths of fields
    /authorization: ?ApiKey/i,
    /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-/, // ids
    /\b(undefined|NaN|null)\b/,
  ];
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
  const texts = [...document.querySelectorAll("[aria-label], [title]")].flatMap((node) => [node.getAttribute("aria-label"), node.title]);
  for (const text of [...document.body.innerText.split("\n"), ...texts]) {
    const internal = INTERNAL.map((pattern) => text?.match(pattern)?.[0]).find(Boolean);
    if (internal) {
      faults.push(`internal name "${internal}": ${text.slice(0, 80)}`);
    }
  }
  for (const cell of document.querySelectorAll("td, dd")) {
    if (/^\d+[.,]\d\d$/.test(cell.innerText.trim())) {
      faults.push(`amount without a currency: ${cell.parentElement.innerText.trim().slice(0, 80)}`);
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
