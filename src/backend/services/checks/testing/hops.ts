import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const MACHINES = ['generator', 'proxy', 'app', 'database'] as const;
export type Machine = (typeof MACHINES)[number];

/** Whether the hops can be built. Connecting network namespaces requires root. */
export const canBuildHops = process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/sbin/nginx');

/**
 * Four machines in a row, each in its own network: a load generator, nginx, a Node application, and a backend that listens on the port of
 * PostgreSQL.
 */
export interface Hops {
  /** Runs a command on a machine and returns its output. */
  on(machine: Machine, command: string, input?: string): Promise<string>;
  /** Limits the ports for outgoing connections. Each port can be reused only after a minute. */
  setPorts(machine: Machine, ports: number): Promise<void>;
  /** Sends requests over separate connections that the generator closes. Returns how many responses came from the application. */
  send(requests: number): Promise<number>;
  stop(): Promise<void>;
}

const APP = `
const http = require('node:http'), net = require('node:net');
http.createServer((request, response) => {
  const socket = net.connect(5432, '10.99.3.2', () => socket.end('query'));
  socket.on('data', () => {});
  socket.on('close', () => response.end('well'));
  socket.on('error', () => { response.statusCode = 503; });
}).listen(3000, '10.99.2.2');`;

/** A backend that leaves it to the application to close connections. */
const DATABASE = `
require('node:net').createServer((socket) => { socket.on('data', () => {}); socket.on('error', () => {}); }).listen(5432, '10.99.3.2');`;

const CLIENT = `
const net = require('node:net');
let left = Number(process.argv[1]), well = 0;
const next = () => {
  if (left-- <= 0) return void console.log(well);
  const socket = net.connect(80, '10.99.1.2', () => socket.write('GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n'));
  socket.on('data', (chunk) => { if (chunk.includes('200 OK')) well += 1; socket.end(); });
  socket.on('error', () => {});
  socket.on('close', next);
};
next();`;

/**
 * An nginx configuration with a common mistake: with an empty Connection header, the application keeps its side open, and without keepalive
 * in the upstream, nginx closes first.
 */
const NGINX = (directory: string): string => `daemon off; pid ${directory}/nginx.pid; error_log ${directory}/nginx.log; user root;
events { worker_connections 1024; }
http { access_log off; client_body_temp_path ${directory}/b; proxy_temp_path ${directory}/p; fastcgi_temp_path ${directory}/f; uwsgi_temp_path ${directory}/u; scgi_temp_path ${directory}/s;
  server { listen 10.99.1.2:80; location / { proxy_pass http://10.99.2.2:3000; proxy_http_version 1.1; proxy_set_header Connection ""; } } }`;

export async function buildHops(): Promise<Hops> {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-hops-'));
  const network = (machine: Machine): string => join(directory, machine);
  const enterNetwork = (machine: Machine): string => `nsenter --net='${network(machine)}'`;
  const linkCommands = (near: Machine, far: Machine, number: number): string[] => [
    `${enterNetwork(near)} ip link add to-${far} type veth peer name eth0 netns '${network(far)}'`,
    `${enterNetwork(near)} ip addr add 10.99.${number}.1/24 dev to-${far}`,
    `${enterNetwork(far)} ip addr add 10.99.${number}.2/24 dev eth0`,
    `${enterNetwork(near)} ip link set to-${far} up`,
    `${enterNetwork(far)} ip link set eth0 up`,
  ];
  writeFileSync(join(directory, 'app.cjs'), APP);
  writeFileSync(join(directory, 'database.cjs'), DATABASE);
  writeFileSync(join(directory, 'client.cjs'), CLIENT.replace('process.argv[1]', 'process.argv[2]'));
  writeFileSync(join(directory, 'nginx.conf'), NGINX(directory));
  const script = [
    'set -e',
    ...MACHINES.flatMap((machine) => [
      `touch '${network(machine)}'`,
      `unshare --net='${network(machine)}' sh -c 'ip link set lo up; echo 0 > /proc/sys/net/ipv4/tcp_tw_reuse'`,
    ]),
    ...linkCommands('generator', 'proxy', 1),
    ...linkCommands('proxy', 'app', 2),
    ...linkCommands('app', 'database', 3),
    `${enterNetwork('database')} '${process.execPath}' '${directory}/database.cjs' &`,
    `${enterNetwork('app')} '${process.execPath}' '${directory}/app.cjs' &`,
    `${enterNetwork('proxy')} nginx -c '${directory}/nginx.conf' &`,
    'echo built',
    'wait',
  ].join('\n');
  const child = spawn('unshare', ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc', 'sh', '-c', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let failure = '';
  child.stderr.on('data', (chunk: Buffer) => {
    failure += chunk.toString('utf8');
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    rmSync(directory, { recursive: true, force: true });
  };
  const runOn = (machine: Machine, command: string, input = ''): Promise<string> => {
    const processes = `--pid=/proc/${child.pid}/ns/pid_for_children`;
    const words = [`--target=${child.pid}`, '--mount', processes, 'nsenter', `--net=${network(machine)}`, 'sh', '-c', command];
    return new Promise((resolve, reject) => {
      const runningProcess = execFile('nsenter', words, { encoding: 'utf8' }, (error, out) =>
        error === null ? resolve(out) : reject(error),
      );
      // A command that does not read its input may have ended before this write.
      runningProcess.stdin?.on('error', () => {}).end(input);
    });
  };
  const send = async (requests: number): Promise<number> =>
    Number(await runOn('generator', `'${process.execPath}' '${directory}/client.cjs' ${requests}`));
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  const deadline = Date.now() + 20_000;
  while (child.exitCode !== null || (await send(1)) !== 1) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`The machines do not answer: ${failure.slice(0, 2_000)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    on: runOn,
    send,
    stop,
    setPorts: async (machine, ports) =>
      void (await runOn(machine, `echo "20000 ${20_000 + ports - 1}" > /proc/sys/net/ipv4/ip_local_port_range`)),
  };
}
