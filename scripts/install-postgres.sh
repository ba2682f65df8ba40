#!/bin/sh
# Installs PostgreSQL with pgvector, and PgBouncer, where they are missing: for root or with sudo, as in a container. The tests start
# clusters of their own. Without them the tests that need them fail, and the others run.
pgvector=0.8.0
pgvector_sha256=867a2c328d4928a5a9d6f052cd3bc78c7d60228a9b914ad32aa3db88e9de27b0

# The newest major version that is installed.
find_major() { ls /usr/lib/postgresql 2>/dev/null | sort -n | tail -1; }
has_pgvector() {
  version=$(sed -n "s/^default_version = '\(.*\)'/\1/p" "/usr/share/postgresql/$(find_major)/extension/vector.control" 2>/dev/null)
  [ -n "$version" ] && [ "$(printf '0.8\n%s\n' "$version" | sort -V | head -1)" = 0.8 ]
}
# Debian puts servers outside of the PATH of ordinary users.
has_pgbouncer() { PATH=$PATH:/usr/sbin command -v pgbouncer >/dev/null; }
is_complete() { [ -x "/usr/lib/postgresql/$(find_major)/bin/initdb" ] && has_pgvector && has_pgbouncer; }

is_complete && exit 0

[ "$(id -u)" = 0 ] && as_root= || as_root="sudo -n"
log=$(mktemp)
apt_install() { DEBIAN_FRONTEND=noninteractive $as_root apt-get -qq install -y --no-install-recommends "$@"; }
build_pgvector() (
  folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT && cd "$folder" || exit 1
  # Debian 12 has no package of the extension. This is the source of Debian 13's.
  curl -fsSL -m 60 -o source.tar.gz "http://deb.debian.org/debian/pool/main/p/pgvector/pgvector_$pgvector.orig.tar.gz" &&
    echo "$pgvector_sha256  source.tar.gz" | sha256sum -c - && tar xzf source.tar.gz --strip-components=1 &&
    # Portable code: the tests may run on another machine than the one that caches this.
    make -j2 OPTFLAGS="" with_llvm=no PG_CONFIG="/usr/lib/postgresql/$1/bin/pg_config" &&
    $as_root make install with_llvm=no PG_CONFIG="/usr/lib/postgresql/$1/bin/pg_config"
)
install() {
  # Otherwise Debian makes a cluster, which would take memory and a port.
  if [ ! -e /etc/postgresql-common/createcluster.conf ]; then
    $as_root mkdir -p /etc/postgresql-common
    echo "create_main_cluster = false" | $as_root tee /etc/postgresql-common/createcluster.conf
  fi
  has_pgbouncer || apt_install pgbouncer || return 1
  [ -x "/usr/lib/postgresql/$(find_major)/bin/initdb" ] || apt_install postgresql || return 1
  major=$(find_major)
  has_pgvector || apt_install "postgresql-$major-pgvector" || true
  has_pgvector || { apt_install "postgresql-server-dev-$major" gcc make libc6-dev curl ca-certificates && build_pgvector "$major"; }
}
if command -v apt-get >/dev/null && $as_root true 2>/dev/null; then
  # A fresh image has no package lists, and those of an old one name files that are gone.
  { $as_root apt-get -qq update; install; } >"$log" 2>&1 || tail -20 "$log" >&2
fi
rm -f "$log"
is_complete ||
  echo "POSTGRESQL IS MISSING, so some tests will fail: install PostgreSQL 15 or newer, pgvector 0.8 or newer and PgBouncer (apt, dnf, brew) and run them again." >&2
