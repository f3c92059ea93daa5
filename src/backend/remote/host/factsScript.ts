/** First line of what the script says. What start-up files of the user print comes before it and is not looked at. */
export const FACTS_MARK = 'holdfast facts 1';

/** Where Node's version managers and installers put it, beside the search path. */
const NODE_PLACES = [
  '"$(command -v node)"',
  '/usr/local/bin/node',
  '/usr/bin/node',
  '/opt/homebrew/bin/node',
  '"$HOME"/.nvm/versions/node/*/bin/node',
  '"$HOME"/.volta/bin/node',
  '"$HOME"/.local/share/fnm/node-versions/*/installation/bin/node',
  '"$HOME"/.cache/holdfast/node-*',
];

/** Asks a host about itself with what every POSIX system has. It is read from standard input, so that no shell has to quote it. */
export const FACTS_SCRIPT = `
echo '${FACTS_MARK}'
say() { printf '%s %s\\n' "$1" "$2"; }
say user "$(id -un 2>/dev/null)"
say hostname "$(uname -n 2>/dev/null)"
say system "$(uname -s 2>/dev/null)"
say release "$(uname -r 2>/dev/null)"
say machine "$(uname -m 2>/dev/null)"
say cores "$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null)"
say memoryKb "$(sed -n 's/^MemTotal: *\\([0-9]*\\) kB$/\\1/p' /proc/meminfo 2>/dev/null)"
say memoryBytes "$(sysctl -n hw.memsize 2>/dev/null)"
say name "$(sed -n 's/^PRETTY_NAME="\\{0,1\\}\\([^"]*\\)"\\{0,1\\}$/\\1/p' /etc/os-release 2>/dev/null || sw_vers -productVersion 2>/dev/null)"
say libc "$(ldd --version 2>&1 | head -n 1)"
for node in ${NODE_PLACES.join(' ')}; do
  if [ -f "$node" ] && [ -x "$node" ]; then printf 'node %s %s\\n' "$("$node" --version 2>/dev/null </dev/null)" "$node"; fi
done
`;
