import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BROWSER_NAMES } from '#backend/browser/findBrowser.ts';
import { codeOf } from '#core/base/errors.ts';
import { freePort } from '#lab/freePort.ts';

const SSHD = '/usr/sbin/sshd';
const SFTP_SERVER = '/usr/lib/openssh/sftp-server';
const BROWSER_PLACES = BROWSER_NAMES.flatMap((name) =>
  ['/usr/bin', '/usr/local/bin', '/bin', '/snap/bin'].map((folder) => join(folder, name)),
);
const NODE_PLACES = ['/usr/bin/node', '/usr/local/bin/node', '/opt/homebrew/bin/node'];

/** An OpenSSH server with accounts of its own needs a mount namespace, which takes the rights of root. */
export const hasSshServer = existsSync(SSHD) && process.getuid?.() === 0;

/** sudo becomes root by the mode of its file, which a container may forbid. */
export const hasSudo = hasSshServer && existsSync('/usr/bin/sudo') && !/^NoNewPrivs:\s*1/m.test(readFileSync('/proc/self/status', 'utf8'));

/** Id of a user that is not root; no machine has so many. */
const USER_ID = 47_001;

export type KeyType = 'ed25519' | 'ecdsa' | 'rsa';

export interface SshServerOptions {
  /** Name of the user who may enter; left out, root. */
  readonly user?: string;
  /** Lines of /etc/sudoers, where there is one. */
  readonly sudoers?: readonly string[];
  /** Password of the user; left out, only keys are taken. */
  readonly password?: string;
  /** The password is asked for by prompts (PAM) instead of taken as one. */
  readonly asksByPrompts?: boolean;
  readonly hostKeys?: readonly KeyType[];
  /** Further lines of sshd_config. */
  readonly config?: readonly string[];
  /** Whether a Node is there. */
  readonly hasNode?: boolean;
  /** Whether a browser is there. */
  readonly hasBrowser?: boolean;
  /** The one that it has; left out, that of this machine. */
  readonly browser?: string | undefined;
  /** Name of the home directory. */
  readonly homeName?: string;
  /** What is run on it runs in a network of its own, set up by these commands; it is still reached from here. To them, process 1 is in the network from which the server was started. */
  readonly ownNetwork?: readonly string[];
  /** Size of the disk on which the home directory lies; left out, that of this machine. */
  readonly diskBytes?: number;
}

/** A real OpenSSH server on loopback, with files, keys and accounts that only it sees. */
export interface SshServer {
  readonly port: number;
  /** Home directory of the user as it is seen on the server. */
  readonly home: string;
  /** A key that the user may enter with. */
  readonly clientKey: string;
  /** Lines for a known_hosts file. */
  readonly knownHosts: string;
  /** Gives the user another password from now on. */
  changePassword(password: string): void;
  /** Runs a command there without SSH, in its own network if it has one. */
  inside(command: string): string;
  /** Ids of the processes on it whose command line has this text in it. */
  pidsOf(text: string): number[];
  /** Kills them all. Some may end by themselves as soon as another is gone. */
  killAll(text: string): void;
  /** Stops its processes where they are, as a network does that is cut without a word. */
  freeze(): void;
  /** Breaks all its connections off. What runs on it is not told, and it takes new ones. */
  cut(): void;
  /** Ends it, and everything that runs on it, at once. */
  stop(): Promise<void>;
}

export async function startSshServer(options: SshServerOptions = {}): Promise<SshServer> {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-sshd-'));
  const home = join(directory, options.homeName ?? 'home');
  mkdirSync(home);
  mkdirSync(join(directory, 'bin'));
  mkdirSync('/run/sshd', { recursive: true });
  if (options.browser !== undefined) symlinkSync(options.browser, join(directory, 'bin', BROWSER_NAMES[0]));
  if (options.hasNode !== false) symlinkSync(process.execPath, join(directory, 'bin', 'node'));
  const hostKeys = (options.hostKeys ?? ['ed25519']).map((type) => makeKey(join(directory, `host_${type}`), type));
  const clientKey = makeKey(join(directory, 'client'), 'ed25519');
  writeFileSync(join(directory, 'authorized_keys'), readFileSync(`${clientKey}.pub`));
  writeAccounts(directory, home, options);
  const port = await freePort();
  writeFileSync(join(directory, 'sshd_config'), configText(directory, port, hostKeys, options));
  writeFileSync(join(directory, 'start.sh'), startScript(directory, home, options));
  const child = spawn('unshare', ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc', 'sh', join(directory, 'start.sh')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const log = collect(child);
  await untilListening(port, child, log);
  return {
    port,
    home,
    clientKey,
    knownHosts: hostKeys.map((key) => `[127.0.0.1]:${port} ${readFileSync(`${key}.pub`, 'utf8')}`).join(''),
    // In place: a file that is laid over another stays the same one.
    changePassword: (password) => writePasswords(directory, { ...options, password }),
    inside(command) {
      const network = options.ownNetwork === undefined ? [] : ['nsenter', `--net=${join(directory, 'network')}`];
      const words = [`--target=${child.pid}`, '--mount', ...network, 'sh', '-c', command];
      return execFileSync('nsenter', words, { encoding: 'utf8' });
    },
    pidsOf: (text) => pidsOf(directory, text),
    killAll(text) {
      for (const pid of pidsOf(directory, text)) killIfThere(pid);
    },
    freeze() {
      for (const pid of descendantsOf(child.pid ?? 0)) process.kill(pid, 'SIGSTOP');
    },
    cut() {
      const [listener = 0] = descendantsOf(child.pid ?? 0);
      for (const pid of descendantsOf(listener)) if (isSession(pid, listener)) process.kill(pid, 'SIGKILL');
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Makes a pair of keys and returns the path of the private one. */
export function makeKey(path: string, type: KeyType, passphrase = ''): string {
  execFileSync('ssh-keygen', [
    '-q',
    '-t',
    type,
    '-N',
    passphrase,
    '-C',
    'holdfast-test',
    '-f',
    path,
    ...(type === 'rsa' ? ['-b', '2048'] : []),
  ]);
  return path;
}

function configText(directory: string, port: number, hostKeys: readonly string[], options: SshServerOptions): string {
  const takesPassword = options.password !== undefined && options.asksByPrompts !== true;
  return [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    ...hostKeys.map((key) => `HostKey ${key}`),
    `AuthorizedKeysFile ${directory}/authorized_keys`,
    'StrictModes no',
    'PermitRootLogin yes',
    `PasswordAuthentication ${takesPassword ? 'yes' : 'no'}`,
    `KbdInteractiveAuthentication ${options.asksByPrompts === true ? 'yes' : 'no'}`,
    `UsePAM ${options.asksByPrompts === true ? 'yes' : 'no'}`,
    'PidFile none',
    // A forced command is told the whole name of a program, and not one that only sshd knows.
    `Subsystem sftp ${options.ownNetwork === undefined ? 'internal-sftp' : SFTP_SERVER}`,
    // What agents leave that are killed with their whole host is removed with it.
    `SetEnv PATH=${directory}/bin:/usr/bin:/bin TMPDIR=${directory}`,
    ...(options.ownNetwork === undefined ? [] : [`ForceCommand exec ${inNetwork(directory, options)}`]),
    ...(options.config ?? []),
    '',
  ].join('\n');
}

/** What runs the command of a session in the network of the server. */
function inNetwork(directory: string, { user }: SshServerOptions): string {
  const net = `--net='${directory}/network'`;
  // Only root may enter a network; who is not becomes root for that, by a file that only this server has.
  if (user !== undefined) return `'${directory}/nsenter' ${net} --setgid=${USER_ID} --setuid=${USER_ID} sh -c "$SSH_ORIGINAL_COMMAND"`;
  // The links of a network are listed in the /sys that was mounted in it.
  return `nsenter ${net} unshare --mount sh -c 'mount -t sysfs sysfs /sys; exec sh -c "$SSH_ORIGINAL_COMMAND"'`;
}

/** What only this server shall see is laid over the files of the machine, in a namespace that ends with it. */
function startScript(directory: string, home: string, options: SshServerOptions): string {
  const over = (from: string, onto: string): string => `mount --bind '${from}' '${onto}'`;
  const without = (paths: readonly string[]): string[] => paths.filter((path) => existsSync(path)).map((path) => over('/dev/null', path));
  return [
    'set -e',
    over(join(directory, 'passwd'), '/etc/passwd'),
    over(join(directory, 'shadow'), '/etc/shadow'),
    ...(options.asksByPrompts === true ? [over(join(directory, 'pam'), '/etc/pam.d/sshd')] : []),
    ...(options.sudoers === undefined ? [] : ownSudo(directory, over)),
    ...(options.hasNode === false ? without(NODE_PLACES) : []),
    ...(options.hasBrowser === false ? without(BROWSER_PLACES) : []),
    ...(options.diskBytes === undefined ? [] : [`mount -t tmpfs -o size=${options.diskBytes} tmpfs '${home}'`]),
    ...(options.ownNetwork === undefined ? [] : ownNetwork(join(directory, 'network'), options.ownNetwork)),
    `exec ${SSHD} -D -e -f '${directory}/sshd_config'`,
  ].join('\n');
}

/** A network that stays while its file is mounted: no process has to wait in it. */
function ownNetwork(file: string, commands: readonly string[]): string[] {
  const script = ['set -e', 'ip link set lo up', ...commands].join('\n');
  writeFileSync(`${file}.sh`, `${script}\n`);
  return [`touch '${file}'`, `unshare --net='${file}' sh '${file}.sh'`];
}

/** With what it writes down of its users where nobody else sees it. */
function ownSudo(directory: string, over: (from: string, onto: string) => string): string[] {
  return [
    over(join(directory, 'sudoers'), '/etc/sudoers'),
    over(join(directory, 'pam'), '/etc/pam.d/sudo'),
    ...['/run/sudo', '/var/lib/sudo'].map((path) => `mkdir -p '${path}'; mount -t tmpfs -o mode=711 tmpfs '${path}'`),
  ];
}

function writeAccounts(directory: string, home: string, options: SshServerOptions): void {
  const accounts = readFileSync('/etc/passwd', 'utf8');
  const { user } = options;
  const own = user === undefined ? `root:x:0:0:root:${home}:/bin/sh` : `${user}:x:${USER_ID}:${USER_ID}::${home}:/bin/sh`;
  writeFileSync(join(directory, 'passwd'), `${own}\n${user === undefined ? accounts.replace(/^root:.*\n/m, '') : accounts}`);
  writePasswords(directory, options);
  writeFileSync(
    join(directory, 'pam'),
    'auth required pam_unix.so nodelay\naccount required pam_permit.so\nsession required pam_permit.so\n',
  );
  writeFileSync(join(directory, 'sudoers'), `${(options.sudoers ?? []).join('\n')}\n`, { mode: 0o440 });
  if (user === undefined) return;
  chmodSync(directory, 0o711);
  chownSync(home, USER_ID, USER_ID);
  const nsenter = join(directory, 'nsenter');
  copyFileSync('/usr/bin/nsenter', nsenter);
  // For nobody else on this machine.
  chownSync(nsenter, 0, USER_ID);
  chmodSync(nsenter, 0o4750);
}

function writePasswords(directory: string, { user = 'root', password }: SshServerOptions): void {
  const hash = password === undefined ? '*' : execFileSync('openssl', ['passwd', '-6', password], { encoding: 'utf8' }).trim();
  writeFileSync(join(directory, 'shadow'), `${user}:${hash}:19000:0:99999:7:::\n`, { mode: 0o640 });
}

function collect(child: ChildProcess): { text: string } {
  const log = { text: '' };
  child.stderr?.on('data', (chunk: Buffer) => {
    if (log.text.length < 100_000) log.text += chunk.toString('utf8');
  });
  return log;
}

async function untilListening(port: number, child: ChildProcess, log: { text: string }): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await answers(port))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`sshd does not listen: ${log.text}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const settle = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('data', () => settle(true));
    socket.once('error', () => settle(false));
    // Somebody else may have taken the port, who says nothing first.
    socket.setTimeout(5_000, () => settle(false));
  });
}

/** A process of OpenSSH that serves a connection, and not what that has started. */
function isSession(pid: number, listener: number): boolean {
  try {
    const [, name = '', parent] = /^\d+ \((.*)\) \S+ (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return name.startsWith('sshd') && Number(parent) === listener;
  } catch {
    // It has ended meanwhile.
    return false;
  }
}

function descendantsOf(parent: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const [, ppid] = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${name}/status`, 'utf8')) ?? [];
      parents.set(Number(name), Number(ppid));
    } catch {
      // It has ended meanwhile.
    }
  }
  const found = [parent];
  for (const pid of found) found.push(...[...parents].flatMap(([child, ppid]) => (ppid === pid ? [child] : [])));
  return found.slice(1);
}

/** By their environment or arguments: whatever was started on the server has its folder in one of them. */
function pidsOf(directory: string, text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const [command, environment] = ['cmdline', 'environ'].map((file) => readFileSync(`/proc/${pid}/${file}`, 'utf8'));
        return command?.includes(text) === true && `${command}${environment}`.includes(directory);
      } catch {
        return false;
      }
    })
    .map(Number);
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}
