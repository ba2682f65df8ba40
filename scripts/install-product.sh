# The same as install.sh for scripts that run the product: it leaves out what only development takes.
node scripts/install.mjs --omit=dev && hash -r
