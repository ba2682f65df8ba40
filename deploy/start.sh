#!/bin/sh
# Runs one service of a built project as this process, with the flags that it needs: deploy/start.sh NAME
# Any other command runs as it is, such as `node cli/dist/main.js keys list`. Images and systemd units start services with this.
set -eu
cd "$(dirname "$0")/.."
# systemd names a folder that only the service writes to. Without one, Node compiles at each start.
if [ -n "${CACHE_DIRECTORY-}" ]; then export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$CACHE_DIRECTORY/compile}"; fi
case ${1-} in
# <!-- generated: start-lines -->

relay) exec node --max-semi-space-size=4 --no-allocation-site-pretenuring services/relay/dist/express/main.js ;;
relay-nest) exec node --max-semi-space-size=4 --no-allocation-site-pretenuring services/relay/dist/nest/main.js ;;
knowledge) export MALLOC_ARENA_MAX=2 && export MALLOC_MMAP_THRESHOLD_=4194304 && export MALLOC_TRIM_THRESHOLD_=16777216 && exec node --max-semi-space-size=4 --heap-growing-percent=40 services/knowledge/dist/main.js ;;
listing) exec node --max-semi-space-size=4 --no-allocation-site-pretenuring --heap-growing-percent=200 services/listing/dist/main.js ;;

# <!-- /start-lines -->
'') echo "Name what to run: deploy/start.sh SERVICE" >&2 && exit 64 ;;
*) exec "$@" ;;
esac
