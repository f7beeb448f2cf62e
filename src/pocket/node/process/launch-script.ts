/**
 * Runs as the first process in the new namespaces of a container: mounts its root, takes its name, goes in and becomes
 * the container's program. It tells its number and how far it is on descriptor 3; what goes wrong is said there too, and
 * the container has its own errors on descriptor 4. When nobody hears that any more, whoever wanted the container was
 * killed before this process could ask the kernel to end it with him, so it ends by itself. Its words: the container's folder, the host name, where changes go,
 * `mount`, `hostname`, and the words that become the program.
 */
export const LAUNCH_SCRIPT = `
dir=$1 name=$2 layer=$3 mount=$4 hostname=$5
shift 5
read -r pid rest </proc/self/stat
echo "pid $pid" >&3
fail() { echo "failed $*" | tr '\\n' ' ' >&3; exit 128; }
said=$(
  {
    cd "$dir" && "$mount" -n --make-rprivate / || exit 1
    if [ "$layer" = memory ]; then
      "$mount" -n -t tmpfs -o mode=700 tmpfs memory && cp -a layer/. memory/ || exit 1
    fi
    "$mount" -n -T ./mounts -a
  } 2>&1
) || fail "$said"
cd "$dir/root" || fail "no root"
said=$("$mount" -n --move . / 2>&1) || fail "$said"
{ echo "$name" >/proc/sys/kernel/hostname; } 2>/dev/null || "$hostname" "$name" 2>/dev/null
echo started >&3 || exit 128
exec 3>&- 2>&4 4>&-
exec "$@"
`;
