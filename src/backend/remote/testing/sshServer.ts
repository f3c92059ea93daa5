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

/** Whether a server can be started. A server with its own accounts needs a mount namespace, which requires root. */
export const hasSshServer = existsSync(SSHD) && process.getuid?.() === 0;

/** Whether sudo works. sudo becomes root by its setuid bit, which a container may forbid. */
export const hasSudo = hasSshServer && existsSync('/usr/bin/sudo') && !/^NoNewPrivs:\s*1/m.test(readFileSync('/proc/self/status', 'utf8'));

/** Id of the user who is not root, higher than the number of users of any machine. */
const USER_ID = 47_001;

export type KeyType = 'ed25519' | 'ecdsa' | 'rsa';

export interface SshServerOptions {
  /** Name of the user who may log in; default: root. */
  readonly user?: string;
  /** Lines of /etc/sudoers. sudo exists only with this option. */
  readonly sudoers?: readonly string[];
  /** Password of the user. Without it, only keys are accepted. */
  readonly password?: string;
  /** Whether the server asks for the password by keyboard-interactive (PAM) instead of the password method. */
  readonly asksByPrompts?: boolean;
  readonly hostKeys?: readonly KeyType[];
  /** Additional lines of sshd_config. */
  readonly config?: readonly string[];
  /** Whether the server offers SFTP; default: true. */
  readonly hasSftp?: boolean;
  readonly hasNode?: boolean;
  readonly hasBrowser?: boolean;
  /** Path of the browser on the server; default: that of this machine. */
  readonly browser?: string | undefined;
  /** Name of the home directory. */
  readonly homeName?: string;
  /**
   * Commands that set up a network namespace for the server's processes. SSH still connects from the test's network. The commands can refer
   * to that network as the network of process 1.
   */
  readonly ownNetwork?: readonly string[];
  /** Disk size of the home directory; default: that of this machine. */
  readonly diskBytes?: number;
}

/** A real OpenSSH server on loopback, with its own files, keys and accounts. */
export interface SshServer {
  readonly port: number;
  /** Home directory of the user as seen on the server. */
  readonly home: string;
  /** Private key that the server accepts. */
  readonly clientKey: string;
  readonly knownHosts: string;
  changePassword(password: string): void;
  /** Runs a command on the server without SSH, in the server's own network if it has one. */
  inside(command: string): string;
  /** Returns the ids of the server's processes whose command line contains this text. */
  pidsOf(text: string): number[];
  /** Kills all processes whose command line contains this text. Some of them may end by themselves once another process has ended. */
  killAll(text: string): void;
  /** Suspends the server's processes, like a network that fails silently. */
  freeze(): void;
  /** Resets all connections. The server's processes continue, and it accepts new connections. */
  cut(): void;
  /** Ends the server and all its processes at once. */
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
    // Written in place, because a bind mount shows one inode only.
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

/** Creates a key pair and returns the path of the private key. */
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
    // A forced command needs the full path of the SFTP program: only sshd knows `internal-sftp`.
    ...(options.hasSftp === false ? [] : [`Subsystem sftp ${options.ownNetwork === undefined ? 'internal-sftp' : SFTP_SERVER}`]),
    // TMPDIR is in the server's folder, so that the temporary folders of killed agents are removed with that folder.
    `SetEnv PATH=${directory}/bin:/usr/bin:/bin TMPDIR=${directory}`,
    ...(options.ownNetwork === undefined ? [] : [`ForceCommand exec ${networkCommand(directory, options)}`]),
    ...(options.config ?? []),
    '',
  ].join('\n');
}

/** Returns the command that runs a session in the network of the server. */
function networkCommand(directory: string, { user }: SshServerOptions): string {
  const net = `--net='${directory}/network'`;
  // Only root may enter a network namespace. Other users become root by means of a setuid file that exists only on this server.
  if (user !== undefined) return `'${directory}/nsenter' ${net} --setgid=${USER_ID} --setuid=${USER_ID} sh -c "$SSH_ORIGINAL_COMMAND"`;
  // /sys lists the links of the network in which /sys was mounted, so it is mounted again.
  return `nsenter ${net} unshare --mount sh -c 'mount -t sysfs sysfs /sys; exec sh -c "$SSH_ORIGINAL_COMMAND"'`;
}

/** Bind-mounts the files of this server over those of the machine, in a mount namespace that ends with the server. */
function startScript(directory: string, home: string, options: SshServerOptions): string {
  const bindMount = (from: string, onto: string): string => `mount --bind '${from}' '${onto}'`;
  const hidePaths = (paths: readonly string[]): string[] =>
    paths.filter((path) => existsSync(path)).map((path) => bindMount('/dev/null', path));
  return [
    'set -e',
    bindMount(join(directory, 'passwd'), '/etc/passwd'),
    bindMount(join(directory, 'shadow'), '/etc/shadow'),
    ...(options.asksByPrompts === true ? [bindMount(join(directory, 'pam'), '/etc/pam.d/sshd')] : []),
    ...(options.sudoers === undefined ? [] : isolateSudo(directory, bindMount)),
    ...(options.hasNode === false ? hidePaths(NODE_PLACES) : []),
    ...(options.hasBrowser === false ? hidePaths(BROWSER_PLACES) : []),
    ...(options.diskBytes === undefined ? [] : [`mount -t tmpfs -o size=${options.diskBytes} tmpfs '${home}'`]),
    ...(options.ownNetwork === undefined ? [] : createNetwork(join(directory, 'network'), options.ownNetwork)),
    `exec ${SSHD} -D -e -f '${directory}/sshd_config'`,
  ].join('\n');
}

/** Creates a network namespace that exists as long as its file is mounted, so that no process has to stay in it. */
function createNetwork(file: string, commands: readonly string[]): string[] {
  const script = ['set -e', 'ip link set lo up', ...commands].join('\n');
  writeFileSync(`${file}.sh`, `${script}\n`);
  return [`touch '${file}'`, `unshare --net='${file}' sh '${file}.sh'`];
}

/** Mounts the server's own sudoers and PAM files, and empty folders for sudo's records. */
function isolateSudo(directory: string, over: (from: string, onto: string) => string): string[] {
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
  // Only the user of this server may execute it.
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
  while (!(await responses(port))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`sshd does not listen: ${log.text}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

function responses(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const settle = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('data', () => settle(true));
    socket.once('error', () => settle(false));
    // The port may belong to another program that waits for input.
    socket.setTimeout(5_000, () => settle(false));
  });
}

/** Returns whether a process is an OpenSSH session, not a child of one. */
function isSession(pid: number, listener: number): boolean {
  try {
    const [, name = '', parent] = /^\d+ \((.*)\) \S+ (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return name.startsWith('sshd') && Number(parent) === listener;
  } catch {
    // The process has ended in the meantime.
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
      // The process has ended in the meantime.
    }
  }
  const found = [parent];
  for (const pid of found) found.push(...[...parents].flatMap(([child, ppid]) => (ppid === pid ? [child] : [])));
  return found.slice(1);
}

/** Finds the server's processes whose command line contains the text. They have the server's folder in their arguments or environment. */
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
