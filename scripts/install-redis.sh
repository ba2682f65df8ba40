#!/bin/sh
# Installs Redis if it is missing, for root only, as in a container. The tests start it on ports of their own. Without it the tests
# that need it fail, and the others run.
command -v redis-server >/dev/null && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  # A fresh image has no package lists.
  { apt-get -qq install -y --no-install-recommends redis-server || {
    apt-get -qq update && apt-get -qq install -y --no-install-recommends redis-server
  }; } >/dev/null 2>&1
fi
command -v redis-server >/dev/null ||
  echo "REDIS IS MISSING, so some tests will fail: install redis-server (apt, dnf, brew) and run them again." >&2
