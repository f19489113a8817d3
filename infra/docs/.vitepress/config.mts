// The documentation's site; its pages and their order are in pages.txt, which the farm's own /docs uses too.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type DefaultTheme } from "vitepress";

const pages = dirname(dirname(fileURLToPath(import.meta.url)));

function item(path: string): DefaultTheme.SidebarItem[] {
  const file = join(pages, `${path}.md`);
  if (!existsSync(file)) {
    return [];
  }
  const title = /^# (.*)$/m.exec(readFileSync(file, "utf8"))?.[1] ?? path;
  return [{ text: title, link: `/${path.replace(/(^|\/)index$/, "$1")}` }];
}

function sidebar(): DefaultTheme.SidebarItem[] {
  const sections: DefaultTheme.SidebarItem[] = [];
  for (const line of readFileSync(join(pages, "pages.txt"), "utf8").split("\n").filter(Boolean)) {
    if (line.startsWith("# ")) {
      sections.push({ text: line.slice(2), items: [] });
    } else {
      sections.at(-1)?.items?.push(...item(line));
    }
  }
  return sections.filter(({ items }) => items?.length);
}

export default defineConfig({
  title: "Gantry",
  description: "Documentation of Gantry, which runs a 3D-print farm",
  lang: "en",
  cleanUrls: true,
  lastUpdated: false,
  ignoreDeadLinks: false,
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      { text: "Printers", link: "/printers/", activeMatch: "^/printers/" },
      { text: "API", link: "/api/", activeMatch: "^/api/" },
      { text: "Operate", link: "/operate/install", activeMatch: "^/operate/" },
      { text: "Configuration", link: "/reference/configuration" },
    ].filter(({ link }) => existsSync(join(pages, `${link.replace(/\/$/, "/index")}.md`))),
    sidebar: sidebar(),
  },
  markdown: {
    config(md) {
      // A link to a file outside the documentation, such as a decision, becomes plain text: the site does not have it.
      md.core.ruler.push("outside", (state) => {
        const folder = dirname(state.env.relativePath ?? "");
        for (const block of state.tokens) {
          let inside = true;
          block.children = block.children?.filter((token) => {
            if (token.type === "link_open") {
              const href = token.attrGet("href") ?? "";
              inside = /^([a-z]+:|#|\/)/.test(href) || !normalize(join(folder, href)).startsWith("..");
              return inside;
            }
            return token.type !== "link_close" || inside;
          }) ?? null;
        }
      });
      // A diagram is drawn in the browser.
      const fence = md.renderer.rules.fence!;
      md.renderer.rules.fence = (tokens, index, ...rest) =>
        tokens[index].info.trim() === "mermaid"
          ? `<Diagram text="${encodeURIComponent(tokens[index].content)}" />`
          : fence(tokens, index, ...rest);
    },
  },
});
