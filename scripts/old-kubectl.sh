#!/usr/bin/env bash
# Debian 12's kubectl (1.20) beside the current one: the oldest client that pocket promises to answer.
# It is unpacked into the bed's cache, never installed, so it cannot replace the machine's own.
set -euo pipefail
cache="${HEADWAY_BED_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/headway/bed}/old-kubectl"
[ -x "$cache/usr/bin/kubectl" ] && exit 0
# Beside its place, so that the move is one step and an interrupted run leaves nothing that looks complete.
mkdir -p "$(dirname "$cache")"
work=$(mktemp -d "$(dirname "$cache")/.old-kubectl-XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download kubernetes-client >/dev/null 2>&1 || { apt-get update -qq && apt-get download kubernetes-client >/dev/null; }
mkdir tree && dpkg -x kubernetes-client_*.deb tree
rm -rf "$cache" && mv tree "$cache"
"$cache/usr/bin/kubectl" version --client
