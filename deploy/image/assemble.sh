#!/bin/sh
# Copies what runs in production to a folder: built code and the packages it needs, without development packages, sources and the
# parts of packages that no service loads. Run it in a built project: deploy/image/assemble.sh FOLDER
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
target=${1:?usage: deploy/image/assemble.sh FOLDER}
mkdir -p "$target"
target=$(cd "$target" && pwd)

cd "$root"
set -- package.json package-lock.json deploy/start.sh
# Without console and scripts, whose packages build and serve the page.
for folder in packages/* services/* cli; do
  [ -f "$folder/package.json" ] || continue
  set -- "$@" "$folder/package.json"
  [ "$folder" = packages/testing ] || set -- "$@" "$folder/dist"
done
tar -cf - --exclude='*.tsbuildinfo' --exclude='*.map' --exclude='*.d.ts' --exclude='*.test.js' "$@" | tar -xf - -C "$target"

cd "$target"
npm ci --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error
cd node_modules
# All of the reference page's package but the file that is served.
find @scalar/api-reference/dist -type f ! -name standalone.js -delete
find . -type f \( -name '*.map' -o -name '*.md' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete
