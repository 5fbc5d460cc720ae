#!/bin/sh
# Installs the clients that package.json names. Where that cannot be done, says why in the file that the tests read,
# and they are skipped: a machine without npm, or without its registry, can run all others.
cd "$(dirname "$0")" || exit 1
rm -f skipped.txt
if ! command -v npm > /dev/null; then
	echo "there is no npm on this machine" > skipped.txt
elif ! npm ci --ignore-scripts --no-audit --no-fund --loglevel=error --fetch-retries=1 \
	--fetch-timeout=60000 > npm.log 2>&1; then
	echo "npm could not install the clients: $(grep -v '^npm error A complete log' npm.log | tail -n 1)" > skipped.txt
fi
if [ -e skipped.txt ]; then
	echo "SKIPPED: the tests with clients from npm, because $(cat skipped.txt)"
else
	touch node_modules/.ready
fi
