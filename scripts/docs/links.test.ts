import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { slugify } from "../../docs/site/slugify.ts";
import { pages, readPage } from "./pages.ts";

const withoutCode = (text: string) => text.replace(/^ *```.*?^ *```/gms, "");

function findAnchors(page: string): Set<string> {
  const headings = withoutCode(readPage(page)).matchAll(/^#+ (.*)$/gm);
  return new Set([...headings].map(([, heading = ""]) => slugify(heading)));
}

test.each(pages)("%s links to files and headings that exist", (page) => {
  const text = withoutCode(readPage(page)).replace(/`[^`\n]*`/g, "");
  const broken = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = ""]) => link)
    .filter((link) => !/^(https?:|mailto:)/.test(link))
    .filter((link) => {
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? page : normalize(join(dirname(page), path));
      if (!existsSync(target)) return true;
      return anchor !== undefined && target.endsWith(".md") && !findAnchors(target).has(anchor);
    });
  expect(broken).toEqual([]);
});

test("every page can be reached from the README", () => {
  const reached = new Set(["README.md"]);
  for (const page of reached) {
    for (const [, link = ""] of readPage(page).matchAll(/\]\(([^)\s#]+\.md)[^)]*\)/g)) {
      const target = normalize(join(dirname(page), link));
      if (pages.includes(target)) reached.add(target);
    }
  }
  expect(pages.filter((page) => !reached.has(page) && !page.startsWith(".github/"))).toEqual([]);
});

test("the site's sidebar names every page of docs/", () => {
  const sidebar = readFileSync("docs/site/.vitepress/config.ts", "utf8");
  const missing = pages
    .filter((page) => page.startsWith("docs/") && !page.endsWith("README.md"))
    .filter((page) => !sidebar.includes(`"/${page.replace(/\.md$/, "")}"`));
  expect(missing).toEqual([]);
});
