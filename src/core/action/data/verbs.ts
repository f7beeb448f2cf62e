/** What is done to one repository, in words of the shell; see the library. */
export const VERBS = String.raw`
# path tag
backup() {
  need_or_make_repository
  case $mover in
    kopia)
      # What kopia says of uploads is late: the last packs are stored when it has told everything.
      before=$(stored)
      run_kopia snapshot create --progress --progress-update-interval=1s --json --pin=kanister "--tags=backupTag:$2" "$1"
      code=$?
      cat "$dir/result"
      after=$(stored)
      if [ -n "$before" ] && [ -n "$after" ] && [ "$after" -ge "$before" ]; then say "stored $((after - before))"; fi
      ;;
    restic)
      run restic $restic_flags backup --json --tag "$2" "$1"
      code=$?
      ;;
  esac
  if [ "$code" != 0 ]; then say "exit $code"; exit "$code"; fi
}

# how what target path: the backup with an id or a tag, all of it or one directory
restore() {
  need_repository
  if [ "$1" = tag ]; then find_tag "$2"; else id=$2; fi
  if [ "$mover" = restic ]; then
    run restic $restic_flags restore --json "$id${'${4:+:$4}'}" --target "$3" || { code=$?; say "exit $code"; exit "$code"; }
    return 0
  fi
  read_backup "$id" || { said; stop "there is no backup $id at $location"; }
  if [ -n "$4" ]; then
    path=${'${4%/}'}
    case $path/ in
      "$source"/*) ;;
      *) stop "the backup $id has no $4: it is of ${'${source:-/}'}" ;;
    esac
    from=$id${'${path#"$source"}'}
    to=$3
    kind=d
  else
    from=$id
    to=${'${3%/}'}$source
    if [ -n "$size" ]; then say "total $size"; fi
  fi
  if [ "$kind" = d ]; then folder=${'${to:-/}'}; else folder=$(dirname "$to"); fi
  mkdir -p "$folder" || stop "cannot make $folder"
  run_kopia --no-auto-maintenance restore --progress --progress-update-interval=1s "$from" "${'${to:-/}'}" || { code=$?; say "exit $code"; exit "$code"; }
}

# how what reclaim: what is not there is deleted already
forget() {
  find_mover
  case $? in
    0) say "mover $mover" ;;
    1) say "note there is no repository at $location"; return 0 ;;
    *) refuse ;;
  esac
  if [ "$1" = tag ]; then find_tag "$2"; else id=$2; fi
  if [ "$mover" = restic ]; then
    run restic $restic_flags forget "$id" || { code=$?; say "exit $code"; exit "$code"; }
    if [ "$3" = yes ]; then run restic $restic_flags prune || { code=$?; say "exit $code"; exit "$code"; }; fi
    return 0
  fi
  if read_backup "$id"; then
    run_kopia --no-auto-maintenance snapshot delete --delete "$id" || { code=$?; say "exit $code"; exit "$code"; }
  elif says 'not found'; then
    say "note there is no backup $id at $location"
  else
    said
    stop "cannot look for the backup $id"
  fi
  if [ "$3" = yes ]; then
    before=$(stored)
    run_kopia maintenance run --full || { code=$?; say "exit $code"; exit "$code"; }
    after=$(stored)
    if [ -n "$before" ] && [ -n "$after" ] && [ "$before" -gt "$after" ]; then say "freed $((before - after))"; fi
  fi
}
stored() { quiet_kopia blob stats --raw 2>/dev/null | sed -n 's/^Total: \([0-9]*\)$/\1/p'; }

# id mode
measure() {
  need_repository
  if [ "$mover" = restic ]; then
    run restic $restic_flags stats --json --mode "$2" "$1" || { code=$?; say "exit $code"; exit "$code"; }
    return 0
  fi
  if [ "$2" != restore-size ]; then stop "kopia counts a backup as restore-size only, not as $2"; fi
  read_backup "$1" || { said; stop "there is no backup $1 at $location"; }
  say "measured $size $files"
}

check() {
  find_mover
  case $? in
    0) say "mover $mover"; say 'state there' ;;
    1) say 'state missing' ;;
    *) if wrong_password; then say 'state locked'; else refuse; fi ;;
  esac
}
`;
