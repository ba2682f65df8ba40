import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { slugify } from "../slugify.ts";

const site = fileURLToPath(new URL("..", import.meta.url));
const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Where the files that the site doesn't show can be read. GitHub's workflows set these variables. */
const { GITHUB_SERVER_URL = "https://github.com", GITHUB_REPOSITORY } = process.env;
const repository = GITHUB_REPOSITORY && `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`;

interface Token {
  type: string;
  tag: string;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

/**
 * A folder's README is its index on the site. Links to files that are no pages lead to the repository; where that is unknown, their
 * text stays without a link.
 */
function mendLinks(tokens: Token[], folder: string): void {
  for (const [index, token] of tokens.entries()) {
    const href = token.type === "link_open" ? token.attrGet("href") : null;
    if (!href || /^(\w+:|#)/.test(href)) continue;
    if (/\.(md|html)(#|$)/.test(href)) {
      token.attrSet("href", href.replace(/(^|\/)README\.md/, "$1index.md"));
      continue;
    }
    const file = normalize(join(folder, href));
    if (repository) {
      token.attrSet("href", `${repository}/${file.endsWith("/") ? "tree" : "blob"}/main/${file}`);
      continue;
    }
    const close = tokens.slice(index).find(({ type }) => type === "link_close");
    // A type that the site generator doesn't know is rendered as it is.
    for (const side of [token, close]) if (side) Object.assign(side, { type: "outside", tag: "span", attrs: null });
  }
}

const page = (text: string, link: string) => ({ text, link });

export default defineConfig({
  title: "agent-backends",
  description:
    "Three agent backends for a chat platform: a knowledge librarian, a launch listing analyst and a streaming relay.",
  // The same pages as on GitHub: nothing is written twice, and a page's links are the repository's.
  srcDir: root,
  srcExclude: [
    "**/node_modules/**",
    "**/dist/**",
    ".github/**",
    "bench/**",
    "console/**",
    "packages/**",
    "services/**",
    "tests/**",
  ],
  rewrites: {
    "README.md": "index.md",
    "docs/site/README.md": "docs/site/index.md",
    "examples/README.md": "examples/index.md",
    "examples/:folder/README.md": "examples/:folder/index.md",
  },
  outDir: "../../dist/docs",
  head: [["link", { rel: "icon", href: "data:," }]],
  cacheDir: join(root, "node_modules/.cache/vitepress"),
  // Works in a folder of any name, on any static server.
  base: process.env.DOCS_BASE ?? "/",
  ignoreDeadLinks: "localhostLinks",
  markdown: {
    anchor: { slugify },
    config(markdown) {
      markdown.core.ruler.push("files-outside-the-site", (state) => {
        const { relativePath = "" } = state.env as { relativePath?: string };
        for (const { children } of state.tokens) mendLinks(children ?? [], dirname(relativePath));
      });
    },
  },
  vite: {
    plugins: [
      {
        name: "vue-of-this-package",
        enforce: "pre",
        // The pages lie outside of this package, where no vue is found. While pages are rendered, Node itself loads it.
        resolveId(id, _importer, { ssr }) {
          if (!/^vue(\/|$)/.test(id)) return null;
          return ssr ? { id, external: true } : this.resolve(id, join(site, "package.json"), { skipSelf: true });
        },
      },
    ],
  },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      page("Tutorial", "/docs/tutorial"),
      page("Contract", "/docs/contract"),
      page("Variables", "/docs/configuration"),
      page("Changes", "/CHANGELOG"),
    ],
    sidebar: [
      {
        text: "Start",
        items: [page("Overview", "/"), page("Tutorial", "/docs/tutorial"), page("Console", "/docs/console")],
      },
      {
        text: "Guides",
        items: [
          page("Register at a chat platform", "/docs/guides/chat-platform"),
          page("Your own model provider", "/docs/guides/providers"),
          page("AG-UI clients, CopilotKit", "/docs/guides/ag-ui"),
          page("MCP clients", "/docs/guides/mcp"),
          page("The typed client", "/docs/guides/client"),
          page("OpenAPI", "/docs/guides/openapi"),
          page("Keys and tenants", "/docs/guides/keys-and-tenants"),
          page("Open WebUI and other chat clients", "/docs/guides/chat-clients"),
          page("Deploy it", "/docs/guides/deploy"),
          page("Behind nginx", "/docs/guides/nginx"),
          page("PostgreSQL", "/docs/guides/postgresql"),
          page("Reranker", "/docs/guides/reranker"),
          page("Scanned pages", "/docs/guides/scanned-pages"),
          page("The relay in your application", "/docs/relay"),
          page("Examples", "/examples/"),
          page("Production checklist", "/docs/guides/production"),
          page("Operations", "/docs/operations"),
          page("Scaling", "/docs/scaling"),
          page("Upgrading", "/docs/upgrading"),
        ],
      },
      {
        text: "Reference",
        items: [
          page("Routes, events and errors", "/docs/contract"),
          page("Variables", "/docs/configuration"),
          page("Command line", "/docs/cli"),
          page("Limits", "/docs/limits"),
          page("Timeframes", "/docs/timeframes"),
          page("Security", "/docs/security"),
        ],
      },
      {
        text: "Background",
        items: [
          page("Architecture", "/docs/architecture"),
          page("Benchmarks", "/docs/benchmarks"),
          page("Dependencies", "/docs/dependencies"),
          page("Contributing", "/CONTRIBUTING"),
        ],
      },
      {
        text: "Decisions",
        collapsed: true,
        items: [
          page("The provider is spoken to over plain sockets", "/docs/decisions/provider-transport"),
          page("Another provider is asked before the first byte, never after", "/docs/decisions/provider-fallback"),
          page("LanceDB, without an index on the key", "/docs/decisions/knowledge-store"),
          page("PostgreSQL: one set of tables, and an index for each large namespace", "/docs/decisions/postgresql"),
          page("New rows are indexed within seconds", "/docs/decisions/index-upkeep"),
          page("Small namespaces are searched in memory", "/docs/decisions/search-in-memory"),
          page("Large documents in parts, and an idle garbage collector", "/docs/decisions/memory"),
          page("Threads, calls and searches are shared by key", "/docs/decisions/fair-shares"),
          page("Several processes behind one port", "/docs/decisions/workers"),
          page("The first search is made in code", "/docs/decisions/first-search"),
          page("One timezone for a whole listing request", "/docs/decisions/listing-time"),
          page("Three profiles of events", "/docs/decisions/relay-profiles"),
          page("The offline provider is a real endpoint", "/docs/decisions/offline-provider"),
          page("Pages, site and changelog", "/docs/decisions/documentation"),
        ],
      },
    ],
    ...(repository ? { socialLinks: [{ icon: "github", link: repository }] } : {}),
  },
});
