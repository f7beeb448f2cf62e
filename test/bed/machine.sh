#!/usr/bin/env bash
# A machine made of namespaces, for the node of one cluster: own processes, mounts and network. When its first process
# ends, all of that ends with it, so nothing of a node can be left behind. Only cgroups must be removed by hand.
#   machine.sh BED DIRECTORY TREE CACHE CGROUP LINK NETWORK HOST NODE SERVICE ENDPOINT
set -euo pipefail
bed=$1 directory=$2 tree=$3 cache=$4 cgroup=$5 link=$6 network=$7 host=$8 node=$9 service=${10} endpoint=${11}

if [ "${MACHINE_INSIDE-}" = '' ]; then
  # The other end of the link belongs into the network we are leaving.
  exec 9</proc/self/ns/net
  MACHINE_INSIDE=1 exec unshare --mount --net --pid --fork --kill-child --mount-proc bash "$0" "$@"
fi

mounts() {
  mkdir -p "$directory"/{var/lib,var/log,var/tmp,volumes,sysctl}
  # Kept at hand, in case that they lie below a folder that is about to be replaced.
  mount -t tmpfs tmpfs /mnt
  mkdir /mnt/bed /mnt/cache
  mount --bind "$bed" /mnt/bed
  mount --bind "$cache" /mnt/cache
  # Debian's programs over the machine's own, and nothing of the machine's own can be written.
  mount -t overlay -o "lowerdir=$tree/usr:/usr" overlay /usr
  mount -t tmpfs tmpfs /run
  mount --bind "$directory/var" /var
  mount -t tmpfs tmpfs /tmp
  mkdir -p "$bed" "$cache" /tmp/hostpath_pv
  mount --bind /mnt/bed "$bed"
  mount --bind /mnt/cache "$cache"
  # Where kube-controller-manager makes its volumes, always.
  mount --bind "$directory/volumes" /tmp/hostpath_pv
  # A name that is asked for is refused at once, instead of after half a minute: there are no names and no internet.
  echo 'nameserver 127.0.0.1' >/run/resolv.conf
  mount --bind /run/resolv.conf "$(realpath /etc/resolv.conf)"
  mount --make-rshared /
}

# A kubelet sets these of the kernel, which we share with everybody: it gets files of its own to write them into.
tunables() {
  local name copy
  for name in vm/overcommit_memory vm/panic_on_oom kernel/panic kernel/panic_on_oops kernel/keys/root_maxkeys kernel/keys/root_maxbytes; do
    [ -f "/proc/sys/$name" ] || continue
    copy="$directory/sysctl/${name//\//.}"
    cat "/proc/sys/$name" >"$copy"
    mount --bind "$copy" "/proc/sys/$name"
  done
}

cgroups() {
  local controller
  if [ -f /sys/fs/cgroup/cgroup.controllers ]; then
    mkdir -p "/sys/fs/cgroup/$cgroup"
    for controller in $(cat /sys/fs/cgroup/cgroup.controllers); do
      echo "+$controller" >/sys/fs/cgroup/cgroup.subtree_control 2>/dev/null || true
      echo "+$controller" >"/sys/fs/cgroup/$cgroup/cgroup.subtree_control" 2>/dev/null || true
    done
    return
  fi
  for controller in /sys/fs/cgroup/*/; do
    # Processors and memory nodes are inherited only if asked for.
    [ ! -f "$controller/cgroup.clone_children" ] || mkdir -p "$controller/$cgroup"
    [ ! -f "$controller/cpuset.cpus" ] || for name in cpus mems; do cat "$controller/cpuset.$name" >"$controller/$cgroup/cpuset.$name"; done
  done
}

network() {
  ip link set lo up
  ip link add eth0 type veth peer name "$link" netns /proc/self/fd/9
  ip addr add "$node/30" dev eth0
  ip link set eth0 up
  # The host is where the stores and the other clusters' servers are; nothing else is reachable.
  ip route add 10.0.0.0/8 via "$host"
  nsenter --net=/proc/self/fd/9 ip addr add "$host/30" dev "$link"
  nsenter --net=/proc/self/fd/9 ip link set "$link" up
  nsenter --net=/proc/self/fd/9 ip route add "$network" via "$node"
  exec 9<&-
  echo 1 >/proc/sys/net/ipv4/ip_forward
  # In place of kube-proxy: the one Service that pods cannot do without.
  for chain in PREROUTING OUTPUT; do
    iptables-nft -t nat -A "$chain" -d "$service" -p tcp --dport 443 -j DNAT --to-destination "$endpoint"
  done
}

mounts
tunables
cgroups
network
touch "$directory/ready"
# The first process of the machine: it outlives all others, and reaps what loses its parent.
while :; do
  sleep infinity &
  wait $!
done
