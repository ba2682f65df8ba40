#!/bin/sh
# Installs nginx if it is missing, for root only, as in a container: `npm run test:replicas` puts it in front of several replicas.
command -v nginx >/dev/null && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  { apt-get -qq install -y --no-install-recommends nginx-light || {
    apt-get -qq update && apt-get -qq install -y --no-install-recommends nginx-light
  }; } >/dev/null 2>&1
fi
command -v nginx >/dev/null || { echo "NGINX IS MISSING: install it (apt, dnf, brew) and run this again." >&2; exit 1; }
