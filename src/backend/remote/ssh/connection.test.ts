import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Host, hostSchema } from '#core/plan/schema/hosts.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { hasSshServer, makeKey, type SshServer, startSshServer } from '../testing/sshServer.ts';
import { readConfigText } from './configFile.ts';
import { connectThrough, type SshConnection } from './connection.ts';
import { hopsTo } from './hostSettings.ts';
import { trustKey } from './hostKeys.ts';
import { type Question, type SshSurroundings, makeSurroundings } from './surroundings.ts';

let surroundings: SshSurroundings;
let askedQuestions: Question[];
let forgottenQuestions: Question[];
let reply: (question: Question) => string | null;
const open = new Set<SshConnection>();

beforeEach(() => {
  const home = temporaryDirectory();
  mkdirSync(join(home, '.ssh'), { mode: 0o700 });
  surroundings = makeSurroundings(home, { home, agentSocket: null, userName: 'root', systemKnownHosts: join(home, 'none') });
  askedQuestions = [];
  forgottenQuestions = [];
  reply = () => null;
});
afterEach(() => {
  for (const connection of open) connection.close();
  open.clear();
});

async function connect(port: number, host: Partial<Host> = {}): Promise<SshConnection> {
  const ways = { config: readConfigText(surroundings), surroundings, findHost: () => null };
  const hops = hopsTo(hostSchema.parse({ name: 'there', address: '127.0.0.1', port, ...host }), ways);
  const replies = {
    ask: async (question: Question) => {
      askedQuestions.push(question);
      return reply(question);
    },
    forget: (question: Question) => void forgottenQuestions.push(question),
  };
  const connection = await connectThrough(hops, { surroundings, replies });
  open.add(connection);
  return connection;
}

async function refusal(work: Promise<unknown>): Promise<HoldfastError> {
  const thrown: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(thrown instanceof HoldfastError)) throw new Error(`not refused as it should be: ${String(thrown)}`);
  return thrown;
}

const addKnownHost = (text: string): void => appendFileSync(join(surroundings.home, '.ssh', 'known_hosts'), text);
const whoAmI = async (connection: SshConnection): Promise<string> => (await connection.run('id -un')).out.trim();

describe.skipIf(!hasSshServer)('a connection to a real OpenSSH server', () => {
  let server: SshServer;
  beforeAll(async () => {
    server = await startSshServer({ hostKeys: ['ed25519', 'rsa'] });
  });
  afterAll(() => server.stop());

  it('authenticates with a key and runs commands', async () => {
    addKnownHost(server.knownHosts);
    const connection = await connect(server.port, { keyPath: server.clientKey });
    expect(await connection.run('cat; echo there >&2; exit 7', { input: 'hello' })).toEqual({ code: 7, out: 'hello', error: 'there\n' });
    expect(askedQuestions).toEqual([]);
  });

  it('reports the exit code even if all messages of a command arrive in one event loop turn', async () => {
    addKnownHost(server.knownHosts);
    const connection = await connect(server.port, { keyPath: server.clientKey });
    const busyTimeout = setInterval(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60), 0);
    try {
      for (let turn = 0; turn < 10; turn += 1)
        expect(await connection.run('echo out; exit 3')).toEqual({ code: 3, out: 'out\n', error: '' });
    } finally {
      clearInterval(busyTimeout);
    }
  });

  it('asks for the passphrase of a locked key', async () => {
    addKnownHost(server.knownHosts);
    const locked = join(surroundings.home, 'locked');
    execFileSync('cp', [server.clientKey, locked]);
    execFileSync('ssh-keygen', ['-q', '-p', '-a', '1', '-P', '', '-N', 'open sesame', '-f', locked]);
    reply = () => 'open sesame';
    expect(await whoAmI(await connect(server.port, { keyPath: locked }))).toBe('root');
    expect(askedQuestions).toEqual([{ kind: 'passphrase', host: 'there', label: `passphrase of the key ${locked}` }]);
    reply = () => 'wrong';
    expect((await refusal(connect(server.port, { keyPath: locked }))).message).toMatch(/its passphrase was wrong/);
    expect(forgottenQuestions).toHaveLength(1);
    reply = () => null;
    expect(await refusal(connect(server.port, { keyPath: locked }))).toMatchObject({
      code: 'HOST_SECRET_NEEDED',
      data: { question: askedQuestions[0] },
    });
  });

  it('authenticates with a key of an ssh-agent', async () => {
    addKnownHost(server.knownHosts);
    const socket = join(surroundings.home, 'agent');
    const agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: ['ignore', 'pipe', 'ignore'] });
    await once(agent.stdout, 'data');
    execFileSync('ssh-add', ['-q', server.clientKey], { env: { ...process.env, SSH_AUTH_SOCK: socket }, stdio: 'ignore' });
    surroundings = { ...surroundings, agentSocket: socket };
    expect(await whoAmI(await connect(server.port))).toBe('root');
    agent.kill();
    await once(agent, 'exit');
    expect((await refusal(connect(server.port))).code).toBe('HOST_AUTHENTICATION');
  });

  it('refuses a key file that other users can read', async () => {
    addKnownHost(server.knownHosts);
    const loose = join(surroundings.home, 'loose');
    execFileSync('cp', [server.clientKey, loose]);
    chmodSync(loose, 0o644);
    const refusedError = await refusal(connect(server.port, { keyPath: loose }));
    expect(refusedError.code).toBe('HOST_AUTHENTICATION');
    expect(refusedError.hint).toContain(`chmod 600 ${loose}`);
  });

  it('lists the tried methods when the host refuses the key', async () => {
    addKnownHost(server.knownHosts);
    const other = makeKey(join(surroundings.home, 'other'), 'ed25519');
    expect(await refusal(connect(server.port, { keyPath: other }))).toMatchObject({
      code: 'HOST_AUTHENTICATION',
      message: `there refuses root. Tried: the key ${other}; it accepts publickey.`,
    });
  });

  it('asks about an unknown host key, and connects after confirmation', async () => {
    const refusedError = await refusal(connect(server.port, { keyPath: server.clientKey }));
    const fingerprint = execFileSync('ssh-keygen', ['-l', '-f', join(server.clientKey, '..', 'host_ed25519.pub')], { encoding: 'utf8' });
    expect(refusedError).toMatchObject({ code: 'HOST_KEY_UNKNOWN', data: { fingerprint: fingerprint.split(' ')[1], type: 'ssh-ed25519' } });
    const { name, type, key } = refusedError.data as { name: string; type: string; key: string };
    trustKey({ name, type, key, fingerprint: '' }, surroundings);
    expect(await whoAmI(await connect(server.port, { keyPath: server.clientKey }))).toBe('root');
    expect(readFileSync(surroundings.ownKnownHosts, 'utf8')).toBe(server.knownHosts.split('\n')[0]?.replace(/ holdfast-test$/, '\n'));
  });

  it('accepts a hashed entry of known_hosts, and requests the key type in that entry', async () => {
    addKnownHost(server.knownHosts.split('\n')[1] ?? '');
    execFileSync('ssh-keygen', ['-H', '-f', join(surroundings.home, '.ssh', 'known_hosts')], { stdio: 'ignore' });
    expect(readFileSync(join(surroundings.home, '.ssh', 'known_hosts'), 'utf8')).toMatch(/^\|1\|.* ssh-rsa /);
    expect(await whoAmI(await connect(server.port, { keyPath: server.clientKey }))).toBe('root');
  });

  it('refuses a changed host key', async () => {
    const other = readFileSync(`${makeKey(join(surroundings.home, 'other'), 'ed25519')}.pub`, 'utf8');
    addKnownHost(`[127.0.0.1]:${server.port} ${other}`);
    const refusedError = await refusal(connect(server.port, { keyPath: server.clientKey }));
    expect(refusedError.code).toBe('HOST_KEY_CHANGED');
    expect(refusedError.hint).toContain('known_hosts:1');
  });

  it('refuses a revoked host key', async () => {
    addKnownHost(server.knownHosts);
    for (const line of server.knownHosts.trim().split('\n')) addKnownHost(`@revoked * ${line.split(' ').slice(1).join(' ')}\n`);
    expect((await refusal(connect(server.port, { keyPath: server.clientKey }))).code).toBe('HOST_KEY_REVOKED');
  });

  it('ends a command that prints without end', async () => {
    addKnownHost(server.knownHosts);
    const connection = await connect(server.port, { keyPath: server.clientKey });
    expect((await refusal(connection.run('yes'))).code).toBe('HOST_SAYS_TOO_MUCH');
    expect((await refusal(connection.run('sleep 60', { limitSeconds: 0.2 }))).code).toBe('HOST_TIMEOUT');
    expect(await whoAmI(connection)).toBe('root');
  });

  it('applies a configuration without running the command of its Match exec', async () => {
    addKnownHost(server.knownHosts);
    const trap = join(surroundings.home, 'trap');
    const config = `Match exec "touch ${trap}"\n  Port 1\nHost alias\n  HostName 127.0.0.1\n  Port ${server.port}\n  IdentityFile ${server.clientKey}\n`;
    writeFileSync(join(surroundings.home, '.ssh', 'config'), config, { mode: 0o600 });
    expect(await whoAmI(await connect(server.port, { address: 'alias', port: null }))).toBe('root');
    expect(() => readFileSync(trap)).toThrow(/ENOENT/);
  });
});

describe.skipIf(!hasSshServer)('connections to other OpenSSH servers', () => {
  let server: SshServer | null = null;
  afterEach(async () => {
    await server?.stop();
    server = null;
  });

  it.each([
    ['a password', false, { kind: 'password', host: 'there', label: 'password of root on 127.0.0.1' }],
    ['an answer to its prompt', true, { kind: 'prompt', host: 'there', label: '(root@127.0.0.1) Password' }],
  ])('authenticate with %s', async (_, asksByPrompts, question) => {
    server = await startSshServer({ password: 'correct horse', asksByPrompts });
    addKnownHost(server.knownHosts);
    reply = () => 'correct horse';
    expect(await whoAmI(await connect(server.port))).toBe('root');
    expect(askedQuestions.map(({ kind }) => kind)).toEqual([question.kind]);
    expect(askedQuestions[0]?.label).toMatch(/[Pp]assword/);
    reply = () => 'wrong';
    expect((await refusal(connect(server.port))).code).toBe('HOST_AUTHENTICATION');
    expect(forgottenQuestions.map(({ kind }) => kind)).toEqual([question.kind]);
  });

  it('send both a key and a password to a host that requires both', async () => {
    server = await startSshServer({ password: 'correct horse', config: ['AuthenticationMethods publickey,password'] });
    addKnownHost(server.knownHosts);
    reply = () => 'correct horse';
    expect(await whoAmI(await connect(server.port, { keyPath: server.clientKey }))).toBe('root');
    expect(forgottenQuestions).toEqual([]);
  });

  it('go through a jump host and verify its key too', async () => {
    const inner = await startSshServer();
    try {
      server = await startSshServer();
      const through = { jump: `root@127.0.0.1:${server.port}` };
      const config = `Host *\n  IdentityFile ${inner.clientKey}\n  IdentityFile ${server.clientKey}\n`;
      writeFileSync(join(surroundings.home, '.ssh', 'config'), config, { mode: 0o600 });
      addKnownHost(inner.knownHosts);
      expect(await refusal(connect(inner.port, through))).toMatchObject({
        code: 'HOST_KEY_UNKNOWN',
        data: { name: `[127.0.0.1]:${server.port}` },
      });
      addKnownHost(server.knownHosts);
      expect((await (await connect(inner.port, through)).run('echo $HOME')).out.trim()).toBe(inner.home);
    } finally {
      await inner.stop();
    }
  });

  it('report a jump host that forbids forwarding', async () => {
    server = await startSshServer({ config: ['AllowTcpForwarding no'] });
    addKnownHost(server.knownHosts);
    const through = { jump: `127.0.0.1:${server.port}`, keyPath: null };
    writeFileSync(join(surroundings.home, '.ssh', 'config'), `Host *\n  IdentityFile ${server.clientKey}\n`, { mode: 0o600 });
    expect((await refusal(connect(1, through))).code).toBe('HOST_JUMP');
  });

  it('notice a dropped connection, also in channels over it', async () => {
    server = await startSshServer();
    addKnownHost(server.knownHosts);
    const connection = await connect(server.port, { keyPath: server.clientKey });
    const lost = new Promise<HoldfastError>((resolve) => connection.onLost(resolve));
    const going = refusal(connection.run('sleep 60'));
    await connection.run('true');
    await server.stop();
    expect([(await lost).code, (await going).code]).toEqual(['HOST_LOST', 'HOST_LOST']);
    expect((await refusal(connection.run('true'))).code).toBe('HOST_LOST');
  });

  it.each([
    ['long', 20_000, null],
    ['too long for a packet', 200_000, /NOT_SSH|CLOSED/],
    ['of almost a megabyte', 1_000_000, /NOT_SSH|CLOSED/],
  ])('accept or reject a banner that is %s', async (_, length, refusedPattern) => {
    const banner = join(surroundings.home, 'banner');
    writeFileSync(banner, 'x'.repeat(length));
    server = await startSshServer({ config: [`Banner ${banner}`] });
    addKnownHost(server.knownHosts);
    const connecting = connect(server.port, { keyPath: server.clientKey });
    if (refusedPattern === null) expect(await whoAmI(await connecting)).toBe('root');
    else expect((await refusal(connecting)).code).toMatch(refusedPattern);
  });
});

describe('a peer that is not an SSH server', () => {
  let server: Server | null = null;
  const sockets = new Set<Socket>();
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    server?.close();
  });

  async function portOf(behave: (socket: Socket) => void): Promise<number> {
    server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      behave(socket);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return address.port;
  }

  const sendEndlessly = (text: string) => (socket: Socket) => {
    const chunk = text.repeat(1_000);
    const write = (): void => {
      while (socket.writable && socket.write(chunk));
    };
    socket.on('drain', write);
    write();
  };

  it.each([
    [
      'sends garbage',
      (socket: Socket) => void socket.end(Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 7_919) % 256))),
      /NOT_SSH|CLOSED/,
    ],
    ['speaks HTTP', (socket: Socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), /NOT_SSH|CLOSED/],
    ['greets without end', sendEndlessly('welcome\r\n'), /NOT_SSH/],
    ['sends one line without end', sendEndlessly('x'), /NOT_SSH/],
    [
      'says garbage after its greeting',
      (socket: Socket) => sendEndlessly('\u0000\u00ff garbage')((socket.write('SSH-2.0-OpenSSH_9.9\r\n'), socket)),
      /NOT_SSH/,
    ],
    ['closes at once', (socket: Socket) => void socket.destroy(), /NOT_SSH|CLOSED|UNREACHABLE/],
  ])('is rejected: %s', async (_, behave, code) => {
    const port = await portOf(behave);
    expect((await refusal(connect(port))).code).toMatch(code);
  });

  it('is rejected if nothing listens at its port', async () => {
    const port = await portOf(() => {});
    server?.close();
    expect(await refusal(connect(port))).toMatchObject({
      code: 'HOST_UNREACHABLE',
      message: `Cannot connect to there (127.0.0.1:${port}) (ECONNREFUSED).`,
    });
  });
});
