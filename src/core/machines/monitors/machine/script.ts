import { SOCKET_GROUPS_SCRIPT } from '#core/machines/hosts/sockets.ts';

/** First line of what the script says. What start-up files of the user print comes before it. */
export const MACHINE_MARK = 'holdfast monitor 1';
/** Last line of each answer. */
export const MACHINE_END = 'holdfast end';

/** What is read every second: a few kB that the kernel has at hand. */
const FILES = [
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

/** Where the container engines put their control groups: Docker, Podman, containerd, LXC, under systemd and without. */
const GROUPS = [
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
/** Hierarchies of version 1 that count processor time; where both versions are mounted, engines use this one. */
const OLD_ROOTS = '/sys/fs/cgroup/cpuacct /sys/fs/cgroup/cpu,cpuacct';
const MOST_GROUPS = 40;

/** The patterns of all engines below the folder that a variable of the script holds. */
function groupsBelow(root: string): string {
  return GROUPS.map((group) => `"$${root}"/${group}`).join(' ');
}
const MOST_PIDS = 200;

/**
 * Answers on its standard output whatever is asked on its standard input, one letter per line, and ends with that input: nothing runs on the
 * host between questions, and nothing is left behind. `r` reads the machine (one `cat`), `p` looks for programs, links and containers, `l`
 * for all but containers, `s` lists sockets. Names of programs are its arguments. Plain POSIX sh.
 */
export const MACHINE_SCRIPT = `
LC_ALL=C; export LC_ALL
echo '${MACHINE_MARK}'
echo "system $(uname -s 2>/dev/null)"
echo "tick $(getconf CLK_TCK 2>/dev/null)"
echo "page $(getconf PAGESIZE 2>/dev/null)"
echo "ports $(cat /proc/sys/net/ipv4/ip_local_port_range 2>/dev/null)"
echo '${MACHINE_END}'
pids=; groups=; older=
programs=; for name in "$@"; do programs="$programs -e $name"; done
look() {
  pids=
  if [ -n "$programs" ]; then
    for file in $(grep -l -x -F $programs /proc/[0-9]*/comm 2>/dev/null | head -n ${MOST_PIDS}); do pids="$pids \${file%comm}stat"; done
  fi
  groups=; older=; count=0
  [ "$1" = containers ] && for old in ${OLD_ROOTS}; do
    [ -z "$older" ] && for group in ${groupsBelow('old')}; do
      [ -f "$group/cpuacct.usage" ] && [ $count -lt ${MOST_GROUPS} ] && older="$older \${group#"$old"/}" && from=$old && count=$((count + 1))
    done
  done
  [ "$1" = containers ] && [ -z "$older" ] && for root in /sys/fs/cgroup /sys/fs/cgroup/unified; do
    [ -f "$root/cgroup.controllers" ] || continue
    for group in ${groupsBelow('root')}; do
      [ -f "$group/cpu.stat" ] && [ $count -lt ${MOST_GROUPS} ] && groups="$groups $group" && count=$((count + 1))
    done
  done
  for link in /sys/class/net/*; do
    speed=; read -r speed <"$link/speed"
    echo "link \${link##*/} $speed"
  done
}
while read -r ask; do
  case $ask in
  r) cat ${FILES.join(' ')} $pids
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
  echo '${MACHINE_END}'
done 2>/dev/null
`;
