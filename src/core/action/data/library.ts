/**
 * What the programs of data functions have in common, for any POSIX shell: the image is the user's. Lines that begin
 * with `#headway:` are for us; everything else is what kopia or restic say.
 */
export const LIBRARY = String.raw`
say() { printf '#headway: %s\n' "$*"; }
stop() { say "error $*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

base=${'${TMPDIR:-/tmp}'}/headway-$job
for old in "$base"-*/pid; do
  # What an earlier attempt left running in this container when Headway was ended.
  if [ -s "$old" ]; then kill "$(cat "$old")" 2>/dev/null; fi
done
dir=$base-$attempt
rm -rf "$dir"
mkdir "$dir" || stop "cannot make $dir: the container needs a directory for temporary files that it may write to"
child=
trap 'rm -rf "$dir"' EXIT
trap 'if [ -n "$child" ]; then kill "$child" 2>/dev/null; fi; exit 143' TERM INT HUP

export HOME="$dir" RESTIC_CACHE_DIR="$dir/cache" RESTIC_PROGRESS_FPS=1
export KOPIA_CONFIG_PATH="$dir/kopia.config" KOPIA_LOG_DIR="$dir/log" KOPIA_CACHE_DIRECTORY="$dir/cache"
export KOPIA_LOG_DIR_MAX_SIZE_MB=10 KOPIA_CONTENT_LOG_DIR_MAX_SIZE_MB=10 KOPIA_CHECK_FOR_UPDATES=false
export KOPIA_PERSIST_CREDENTIALS_ON_CONNECT=false KOPIA_DISABLE_COLOR=true

# Runs a program in the background, so that a signal reaches us while it runs, and us to it.
attend() { child=$!; printf '%s\n' "$child" >"$dir/pid"; }
end() { wait "$child"; code=$?; child=; rm -f "$dir/pid"; return "$code"; }
run() { "$@" 2>&1 </dev/null & attend; end; }

# The same for kopia, which ends lines of progress with a carriage return only. Its result is kept in $dir/result.
run_kopia() {
  mkfifo "$dir/words" || stop "cannot make a pipe in $dir"
  kopia --file-log-level=error "$@" >"$dir/result" 2>"$dir/words" </dev/null & attend
  tell <"$dir/words"
  rm -f "$dir/words"
  end
}
# dd returns what is there, and does not wait for more, as a reader of lines would.
tell() {
  while :; do
    piece=$(dd bs=65536 count=1 2>/dev/null | tr '\r' '\n'; printf x)
    if [ "$piece" = x ]; then return 0; fi
    printf '%s\n' "${'${piece%x}'}"
  done
}

quiet_kopia() { kopia --file-log-level=error --no-auto-maintenance "$@" </dev/null; }
said() { cat "$dir/said"; }
says() { grep -q "$@" "$dir/said"; }
wrong_password() { says -e 'invalid repository password' -e 'wrong password'; }

# 0: it is there; 1: there is none; 2: nobody knows, and why is in $dir/said.
open_kopia() {
  if with_storage quiet_kopia repository connect >"$dir/said" 2>&1; then return 0; fi
  if says -e 'repository not initialized' -e 'cannot access storage path'; then return 1; fi
  return 2
}
open_restic() {
  restic $restic_flags cat config >"$dir/said" 2>&1 </dev/null && return 0
  if [ $? = 10 ]; then return 1; fi
  # Older ones ask this after every failure.
  if says 'Is there a repository at' && says -i -e 'does not exist' -e 'no such file' -e 'NoSuchKey'; then return 1; fi
  return 2
}

# Which program made the repository. The one that is wanted is the only one that is asked.
find_mover() {
  mover=
  if [ -n "$wanted" ]; then have "$wanted" || stop "the container has no $wanted, which headway.io/data-mover asks for"; fi
  have kopia || have restic || stop "the container has neither kopia nor restic"
  if [ "$wanted" != restic ] && have kopia; then
    open_kopia
    case $? in 0) mover=kopia; return 0 ;; 2) return 2 ;; esac
  fi
  if [ "$wanted" != kopia ] && have restic; then
    open_restic
    case $? in 0) mover=restic; return 0 ;; 2) return 2 ;; esac
  fi
  return 1
}
refuse() {
  said
  if wrong_password; then stop "the password of the repository at $location is wrong"; fi
  stop "the repository at $location cannot be opened"
}
need_repository() {
  find_mover
  case $? in
    0) say "mover $mover" ;;
    1) stop "there is no repository at $location" ;;
    *) refuse ;;
  esac
}
need_or_make_repository() {
  find_mover
  case $? in
    0) ;;
    1) make_repository ;;
    *) refuse ;;
  esac
  say "mover $mover"
}
make_repository() {
  if [ -n "$directory" ]; then mkdir -p "$directory" || stop "cannot make $directory"; fi
  if [ "$wanted" != restic ] && have kopia; then
    with_storage quiet_kopia repository create >"$dir/said" 2>&1 && { mover=kopia; return 0; }
    # Somebody else may have made it meanwhile.
    open_kopia && { mover=kopia; return 0; }
    if says 'found existing data'; then
      stop "what is at $location was not made by kopia; if it was restic, the container needs restic"
    fi
    said
    stop "kopia cannot make a repository at $location"
  fi
  restic $restic_flags init >"$dir/said" 2>&1 </dev/null && { mover=restic; return 0; }
  open_restic && { mover=restic; return 0; }
  said
  stop "restic cannot make a repository at $location"
}

# Sets id to the newest backup of a tag.
find_tag() {
  case $mover in
    kopia) quiet_kopia snapshot list --all --json "--tags=backupTag:$1" ;;
    restic) restic $restic_flags snapshots --json --tag "$1" </dev/null ;;
  esac >"$dir/list" 2>"$dir/said" || { said; stop "cannot look for the backup with tag $1"; }
  id=$(tr '{' '\n' <"$dir/list" | sed -n -e 's/^"id":"\([0-9a-f]*\)".*/\1/p' -e 's/.*"short_id":"\([0-9a-f]*\)".*/\1/p' | tail -n 1)
  if [ -z "$id" ]; then stop "there is no backup with tag $1 at $location"; fi
}

# Of kopia only: sets source, kind and size of the backup; fails if there is none.
read_backup() {
  quiet_kopia manifest show "$1" >"$dir/backup" 2>"$dir/said" || return 1
  grep -q '^// label type:snapshot$' "$dir/backup" || return 1
  source=$(sed -n 's|^// label path:||p' "$dir/backup")
  if [ "$source" = / ]; then source=; fi
  kind=$(tr -d ' ' <"$dir/backup" | sed -n '/^"rootEntry"/,$s/^"type":"\(.\)",*$/\1/p' | head -n 1)
  size=$(number size)
  files=$(number files)
}
number() { tr -d ' ' <"$dir/backup" | sed -n '/^"summ"/,$s/^"'"$1"'":\([0-9]*\),*$/\1/p' | head -n 1; }
`;
