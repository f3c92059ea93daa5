import { SOCKET_GROUPS_SCRIPT } from '#core/machines/hosts/sockets.ts';

/** Line with which the output of the script begins. Output of shell start-up files may precede it. */
export const MACHINE_BEGIN_LINE = 'holdfast monitor 1';
/** Last line of each reply. */
export const MACHINE_END_LINE = 'holdfast end';

/** Files that are read every second. They have a few kB and are in memory. */
const READ_FILES = [
  '/proc/uptime',
  '/proc/stat',
  '/proc/loadavg',
  '/proc/meminfo',
  '/proc/net/dev',
  '/proc/net/sockstat',
  '/proc/net/sockstat6',
  '/proc/net/snmp',
  '/proc/net/netstat',
];

/** Control groups of Docker, Podman, containerd and LXC, with and without systemd. */
const CGROUP_PATTERNS = [
  'system.slice/docker-*.scope',
  'docker/*',
  'machine.slice/libpod-*.scope',
  'user.slice/*/*/user.slice/libpod-*.scope',
  'libpod_parent/libpod-*',
  'system.slice/nerdctl-*.scope',
  'kubepods.slice/*/cri-containerd-*.scope',
  'kubepods.slice/*/*/cri-containerd-*.scope',
  'lxc.payload.*',
];
/** Hierarchies of cgroup v1 with processor time. Engines use them if both versions are mounted. */
const CGROUP_V1_ROOTS = '/sys/fs/cgroup/cpuacct /sys/fs/cgroup/cpu,cpuacct';
const MAX_GROUPS = 40;

/** Returns the patterns of all engines below the folder in shell variable `root`. */
function cgroupPattern(root: string): string {
  return CGROUP_PATTERNS.map((group) => `"$${root}"/${group}`).join(' ');
}
const MAX_PIDS = 200;

/**
 * Replies on standard output to requests on standard input, one letter per line, and exits at the end of its input. Nothing runs between
 * requests, and nothing stays on the host. `r` reads the machine (one `cat`), `p` finds programs, links and containers, `l` does the same
 * without containers, `n` lists container names, and `s` lists sockets. The arguments are program names. Written in plain POSIX sh.
 */
export const MACHINE_SCRIPT = `
LC_ALL=C; export LC_ALL
echo '${MACHINE_BEGIN_LINE}'
echo "system $(uname -s 2>/dev/null)"
echo "tick $(getconf CLK_TCK 2>/dev/null)"
echo "page $(getconf PAGESIZE 2>/dev/null)"
echo "ports $(cat /proc/sys/net/ipv4/ip_local_port_range 2>/dev/null)"
echo '${MACHINE_END_LINE}'
pids=; groups=; older=
programs=; for name in "$@"; do programs="$programs -e $name"; done
look() {
  pids=
  if [ -n "$programs" ]; then
    for file in $(grep -l -x -F $programs /proc/[0-9]*/comm 2>/dev/null | head -n ${MAX_PIDS}); do pids="$pids \${file%comm}stat"; done
  fi
  groups=; older=; count=0
  [ "$1" = containers ] && for old in ${CGROUP_V1_ROOTS}; do
    [ -z "$older" ] && for group in ${cgroupPattern('old')}; do
      [ -f "$group/cpuacct.usage" ] && [ $count -lt ${MAX_GROUPS} ] && older="$older \${group#"$old"/}" && from=$old && count=$((count + 1))
    done
  done
  [ "$1" = containers ] && [ -z "$older" ] && for root in /sys/fs/cgroup /sys/fs/cgroup/unified; do
    [ -f "$root/cgroup.controllers" ] || continue
    for group in ${cgroupPattern('root')}; do
      [ -f "$group/cpu.stat" ] && [ $count -lt ${MAX_GROUPS} ] && groups="$groups $group" && count=$((count + 1))
    done
  done
  for link in /sys/class/net/*; do
    speed=; read -r speed <"$link/speed"
    echo "link \${link##*/} $speed"
  done
}
while read -r ask; do
  case $ask in
  r) cat ${READ_FILES.join(' ')} $pids
    for group in $groups; do
      used=; memory=
      read -r _ used <"$group/cpu.stat"; read -r memory <"$group/memory.current"
      echo "container \${group##*/} \${used:--} \${memory:--}"
    done
    for group in $older; do
      used=; memory=
      read -r used <"$from/$group/cpuacct.usage"; read -r memory <"/sys/fs/cgroup/memory/$group/memory.usage_in_bytes"
      [ -n "$used" ] && used=$((used / 1000))
      echo "container \${group##*/} \${used:--} \${memory:--}"
    done ;;
  p) look containers ;;
  l) look ;;
  n) docker ps --no-trunc --format 'named {{.ID}} {{.Names}}'
    podman ps --no-trunc --format 'named {{.ID}} {{.Names}}' ;;
  s) ${SOCKET_GROUPS_SCRIPT.trim()} ;;
  esac
  echo '${MACHINE_END_LINE}'
done 2>/dev/null
`;
