#!/bin/sh
# Installs nginx if it is missing, for root only, as in a container. Without it the tests that need it fail, and the others run.
command -v nginx >/dev/null && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  { apt-get -qq install -y --no-install-recommends nginx-light || {
    apt-get -qq update && apt-get -qq install -y --no-install-recommends nginx-light
  }; } >/dev/null 2>&1
fi
command -v nginx >/dev/null || echo "NGINX IS MISSING: tests with replicas will fail. Install it (apt, dnf, brew) and run this again." >&2
