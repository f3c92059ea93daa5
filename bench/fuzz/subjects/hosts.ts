import { parseKnownHosts, judgeHostKey, knownTypes } from '#backend/remote/ssh/knownHosts.ts';
import { readHopSettings } from '#backend/remote/ssh/hostSettings.ts';
import { makeSurroundings } from '#backend/remote/ssh/surroundings.ts';
import { readConnection } from '#backend/monitors/services/connection.ts';
import { parseReply } from '#backend/monitors/services/socketServices.ts';
import { parseFacts as parseHostFacts } from '#backend/remote/host/facts.ts';
import { tarEntry } from '#backend/remote/installNode.ts';
import { judgeHost } from '#core/machines/checks/host/registry.ts';
import type { HostFacts } from '#core/machines/checks/host/hostCheck.ts';
import { readLinks } from '#core/machines/checks/host/network.ts';
import { parseOtherMemory, parseOtherPorts, parseOtherSockets } from '#core/machines/checks/host/otherSystems.ts';
import { planLoad } from '#core/machines/checks/host/planLoad.ts';
import { parsePortRange, parseSocketGroups, parseSocketList } from '#core/machines/hosts/sockets.ts';
import { MachineReader, parseFacts } from '#core/machines/monitors/machine/reader.ts';
import { parseHaproxy, parseNginx, parseVarnish } from '#core/machines/monitors/services/proxies.ts';
import { MetricReader } from '#core/machines/monitors/services/prometheus.ts';
import { parseSelection } from '#core/plan/prometheusSelection.ts';
import { parseRedis } from '#core/machines/monitors/services/databases.ts';
import { planWith } from '#core/testing/plans.ts';
import { bytesOf, assertPromise, type Subject } from '../subject.ts';

const LINES = ['\n', ' ', '\t', ':', '0', '-1', '99999999999999999999', '\r\n', 'x', '/', '(', ')', '*'];
const PORT_RANGE = { from: 32_768, to: 60_999 };
const SOCKETS = [
  '  sl  local_address rem_address   st\n   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1 0 100 0 0 10 0\n',
  'TIME-WAIT 0      0          127.0.0.1:40000    127.0.0.1:80\nLISTEN 0 128 *:22 *:*\n',
  'tcp4       0      0  127.0.0.1.40000        127.0.0.1.80           TIME_WAIT\n3 tcp46 0 0 *.22 *.* LISTEN\n',
  '  TCP    [::1]:40000        127.0.0.1:80           TIME_WAIT       0\n',
];
const SAMPLE = `holdfast-monitor\nsystem Linux\ntick 100\npage 4096\n100.00 100.00\ncpu  100 0 10 900 20 0 0 5 0 0\ncpu0 100 0 10 900 20 0 0 5 0 0\n1.50 0.70 0.30 3/241 17032\nMemTotal:       1000 kB\nMemAvailable:    400 kB\n  eth0: 9 1 0 0 0 0 0 0 500 1 0 0 0 0 0 0\nTCP: inuse 4 orphan 0 tw 1130 alloc 4 mem 288\nTcp: RtoAlgorithm CurrEstab RetransSegs\nTcp: 1 66 7\nTcpExt: ListenOverflows ListenDrops\nTcpExt: 0 3\n7 (nginx) S 1 1 1 0 -1 4194304 108 0 0 0 9 0 0 0 20 0 1 0 158656 2654208 10 18446744073709551615\ncontainer docker-abab.scope 10 -\n`;
const plan = planWith({ targets: [{ url: 'http://93.184.216.34:443/' }] });
const facts: HostFacts = {
  role: 'generator',
  load: planLoad(plan, { bytes: 7_000, seconds: 0, closesFirst: 'generator' }),
  clock: null,
  isRemote: true,
};
const surroundings = makeSurroundings('/tmp/holdfast-fuzz', { home: '/home/a', userName: 'a', userId: 1, agentSocket: null });
const PROMETHEUS =
  '# HELP a b\n# TYPE http_requests_total counter\nhttp_requests_total{method="post",code="200"} 1027 1395066363000\nx NaN\ny{a="\\"\\n"} +Inf\n';
const SELECTION = ['http_requests_total{code="200"}', 'x'].flatMap((text) => parseSelection(text) ?? []);

export const HOSTS: readonly Subject[] = [
  {
    name: 'ssh configuration',
    // The result is a tree of the lines in the user's own file, so it is larger than the input.
    memoryRatio: 150,
    seeds: [
      'Host a b*\n  HostName x.example\n  Port 2222\n  IdentityFile ~/.ssh/%r_%h\n  ProxyJump j1,j2\nMatch host a user b\n  User c\nHost *\n  UserKnownHostsFile none\n',
    ],
    tokens: [
      'Host ',
      'Match ',
      'Include ',
      'Port ',
      'ProxyJump ',
      '=',
      '"',
      '*',
      '?',
      '!',
      '%h',
      '%%',
      '\n',
      ' ',
      '#',
      ',',
      'exec ',
      'IdentityFile ',
    ],
    read: (text) =>
      readHopSettings({ text, notes: [] }, { label: 'a', address: 'a', user: null, port: null, keyPath: null, jump: null }, surroundings),
  },
  {
    name: 'known hosts',
    seeds: ['a.example,!b ssh-ed25519 AAAA comment\n|1|c2FsdA==|aGFzaA== ssh-rsa BBBB\n@revoked *.example ssh-rsa CCCC\n[h]:2222 x y\n'],
    tokens: ['*', '?', '!', ',', '|1|', '|', ' ', '\n', '@revoked ', '[', ']:', '#'],
    read(input) {
      const lines = parseKnownHosts(input, 'known_hosts');
      return [judgeHostKey(lines, 'a.example', { type: 'ssh-rsa', key: 'AAAA' }), knownTypes(lines, '[h]:2222')];
    },
  },
  { name: 'facts of a host', seeds: ['system Linux\nmachine x86_64\nlibc glibc\nnode v26.0.0\n'], tokens: LINES, read: parseHostFacts },
  {
    name: 'sockets',
    seeds: SOCKETS,
    tokens: [...LINES, 'TIME-WAIT', 'LISTEN', '9999999 tcp'],
    read: (input) => [parseSocketList(input), parseSocketGroups(input), parseOtherSockets(input, PORT_RANGE), parsePortRange(input)],
  },
  {
    name: 'checks of a host',
    seeds: [
      'holdfast-check 0\n32768 60999\nholdfast-check 1\nMemAvailable: 400 kB\nholdfast-check end\n',
      ...Array.from({ length: 8 }, (_, at) => `holdfast-check ${at}\n${SAMPLE}${SOCKETS[at % 4] ?? ''}\nholdfast-check end\n`),
    ],
    tokens: [...LINES, 'holdfast-check 3\n', 'holdfast-check end\n'],
    read: (input) => judgeHost(input, facts),
  },
  {
    name: 'network links',
    seeds: ['eth0 1000 full virtio_net 10 20\n'],
    tokens: LINES,
    read: (input) => [readLinks(input), parseOtherPorts(input), parseOtherMemory(input)],
  },
  {
    name: 'machine sample',
    seeds: [SAMPLE],
    tokens: [...LINES, 'cpu ', 'Tcp: ', 'container ', '(a b)'],
    read(input) {
      const reader = new MachineReader(parseFacts(input));
      reader.takeLinks(input);
      reader.takeSockets(input);
      reader.takeNames(input);
      return [reader.take(input), reader.limits()];
    },
  },
  {
    name: 'nginx status',
    seeds: [
      'Active connections: 291 \nserver accepts handled requests\n 16630948 16630940 31070465 \nReading: 6 Writing: 179 Waiting: 106 \n',
    ],
    tokens: LINES,
    read: (input) => parseNginx(input),
  },
  {
    name: 'HAProxy status',
    seeds: ['# pxname,svname,scur,smax,slim,stot,status\napp,FRONTEND,3,9,200,3,OPEN\napp,one,1,2,3,4,UP\napp,BACKEND,3,9,200,3,UP\n'],
    tokens: [',', '"', '\n', '#', 'BACKEND', '__proto__'],
    read: parseHaproxy,
  },
  {
    name: 'Varnish status',
    seeds: ['{"counters":{"MAIN.uptime":{"value":1},"MAIN.sess_conn":{"value":2}}}', '{"MAIN.uptime":{"value":5}}'],
    tokens: ['{', '}', '"', ':', '"__proto__":', '1e999'],
    read: (input) => parseVarnish(input),
  },
  {
    name: 'Redis status',
    seeds: ['# Server\r\nredis_version:7\r\nconnected_clients:3\r\nused_cpu_sys:1.5\r\nmaxmemory:0\r\n'],
    tokens: ['\r\n', ':', '#', '__proto__'],
    read: parseRedis,
  },
  {
    name: 'Redis reply',
    seeds: ['$5\r\nhello\r\n', '+OK\r\n', '-ERR x\r\n', '$-1\r\n', '*2\r\n$1\r\na\r\n:1\r\n'],
    tokens: ['$', '*', '\r\n', '-1', '9'],
    read: (input) => parseReply(bytesOf(input)),
  },
  {
    name: 'Prometheus text',
    seeds: [PROMETHEUS],
    tokens: ['{', '}', '="', '"', ',', '\\', '\n', ' ', '# TYPE ', 'NaN', '+Inf', '__proto__'],
    read(input) {
      const parseResponse = (...pieces: readonly string[]): unknown => {
        const reader = new MetricReader(SELECTION, true);
        for (const piece of pieces) reader.take(piece);
        return reader.end();
      };
      const whole = parseResponse(input);
      const cut = input.length >> 1;
      assertPromise(
        JSON.stringify(whole) === JSON.stringify(parseResponse(input.slice(0, cut), input.slice(cut))),
        'cut in two the result differs',
      );
      return whole;
    },
  },
  {
    name: 'metric of Prometheus',
    seeds: ['http_requests_total{code="200", method=\'x\'}', 'x'],
    tokens: ['{', '}', '=', '"', ',', '\\', '~'],
    longest: 16_384,
    read: parseSelection,
  },
  {
    name: 'connection string',
    seeds: ['postgres://a:b@h:5432/d?sslmode=require', 'mysql://h/d'],
    tokens: ['@', ':', '/', '?', '%', '%zz', '&', '[::1]'],
    read: (input) =>
      readConnection(input, {
        what: 'x',
        protocols: ['postgres:', 'mysql:'],
        port: 5_432,
        tls: { option: 'sslmode', values: ['require'] },
      }),
  },
  {
    name: 'tar',
    seeds: [makeTar('a/b', 'content')],
    tokens: ['\0', '0000644\0', 'ustar', '77777777777'],
    isDocumented: (thrown) => thrown instanceof RangeError && thrown.message.startsWith('The archive is'),
    read: (input) => tarEntry(bytesOf(input), 'a/b'),
  },
];

function makeTar(name: string, content: string): string {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write(content.length.toString(8).padStart(11, '0'), 124);
  header.write('0', 156);
  header.write('ustar', 257);
  return Buffer.concat([header, Buffer.from(content.padEnd(512, '\0')), Buffer.alloc(1_024)]).toString('latin1');
}
