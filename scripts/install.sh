# Every script of package.json begins by sourcing this, so that it works in a fresh clone. The installation brings Node 24 into
# node_modules/.bin, which npm puts first on PATH. Without `hash -r` the shell would go on with the Node that it found before.
node scripts/install.mjs && hash -r
