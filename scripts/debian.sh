#!/usr/bin/env bash
# scripts/debian.sh NAME…: unpacks the Debian packages that test/bed/debian/NAME lists into the bed's cache. Nothing is
# installed, so nothing of the machine's own is replaced: neither its kubectl nor a containerd that runs containers here.
set -euo pipefail
cd "$(dirname "$0")/.."
cache="${HEADWAY_BED_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/headway/bed}"

unpack() (
  list="$PWD/test/bed/debian/$1"
  [ -f "$list" ] || { echo "scripts/debian.sh: there is no list of packages test/bed/debian/$1" >&2; exit 2; }
  # As in test/bed/cache.ts: another list is another tree.
  target="$cache/debian-$1-$(sha256sum "$list" | cut -c1-12)"
  [ -d "$target" ] && exit
  # Beside its place, so that the move is one step and an interrupted run leaves nothing that looks complete.
  mkdir -p "$cache"
  work=$(mktemp -d "$cache/.debian-XXXXXX")
  trap 'rm -rf "$work"' EXIT
  cd "$work"
  download() { xargs apt-get download <"$list" >said 2>&1; }
  download || { apt-get update -qq && download; } || { cat said >&2; exit 1; }
  # The links of a machine with one /usr, which some packages still go around.
  mkdir -p tree/usr/{bin,sbin,lib,lib64}
  for directory in bin sbin lib lib64; do ln -s "usr/$directory" "tree/$directory"; done
  for package in *.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -x --keep-directory-symlink -C tree
    echo "$package" >>tree/packages
  done
  chmod 755 tree
  # Whoever came first has unpacked the same.
  mv -T tree "$target" 2>/dev/null || [ -d "$target" ]
  echo "unpacked $(wc -l <"$target/packages") Debian packages for $1"
)

for name in "$@"; do unpack "$name"; done
