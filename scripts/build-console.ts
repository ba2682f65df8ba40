// Builds the console's page into console/dist if its sources are newer than the build.
import { globSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";

const root = fileURLToPath(new URL("..", import.meta.url));
const built = `${root}console/dist`;
const isIgnored = (path: string) => /(^|\/)(dist|node_modules|tests)$|\.test\.ts$/.test(path);

function isFresh(): boolean {
  const builtAt = statSync(`${built}/index.html.br`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = globSync("{console,packages/client}/**/*", { cwd: root, exclude: isIgnored });
  return [...sources, "package-lock.json"].every((path) => statSync(root + path).mtimeMs <= builtAt);
}

if (!isFresh()) {
  // Loading Vite takes longer than everything else, and usually there is nothing to build.
  const { build } = await import("vite");
  // React has a slower build for development and tests. The page always uses the production build.
  process.env.NODE_ENV = "production";
  // Built in another folder and renamed, so that the page is either complete or absent, even with concurrent builds.
  const folder = `${root}node_modules/.cache/console-build-${process.pid}`;
  await build({
    configFile: `${root}console/vite.config.ts`,
    logLevel: "warn",
    build: { outDir: folder, emptyOutDir: true },
  });
  // Compress at build time: it takes a second of CPU time, which every start would need otherwise.
  for (const file of globSync("**/*.*", { cwd: folder })) {
    writeFileSync(`${folder}/${file}.br`, brotliCompressSync(readFileSync(`${folder}/${file}`)));
  }
  rmSync(built, { recursive: true, force: true });
  try {
    renameSync(folder, built);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOTEMPTY") throw error;
    rmSync(folder, { recursive: true });
  }
}
