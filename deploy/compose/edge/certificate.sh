#!/bin/sh
# Makes a certificate for trying things out if the folder of certificates has none. Browsers and clients don't trust it.
set -eu
[ -f /certs/fullchain.pem ] && exit 0
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 365 -subj "/CN=$SERVER_NAME" \
  -addext "subjectAltName=DNS:$SERVER_NAME" -keyout /certs/privkey.pem -out /certs/fullchain.pem 2>/dev/null
echo "There was no certificate for $SERVER_NAME, so nginx uses one that nobody trusts: put yours into the volume \"certificates\"."
