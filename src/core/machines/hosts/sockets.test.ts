import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  countByState,
  groupSockets,
  parsePortRange,
  parseProcNetTcp,
  parseSocketGroups,
  parseSocketList,
  SOCKET_GROUPS_SCRIPT,
} from './sockets.ts';

const RANGE = { from: 32_768, to: 60_999 };
const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
const line = (local: string, remote: string, state: string): string =>
  `   0: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000     0        0 1 1 0 100 0 0 10 0\n`;

describe('Lists of sockets', () => {
  it("of Linux' kernel are read, IPv4, IPv6 and IPv4 within IPv6", () => {
    const sockets = parseProcNetTcp(
      HEAD +
        line('0100007F:1F90', '00000000:0000', '0A') +
        line('00000000000000000000000001000000:1F90', '00000000000000000000000001000000:9C40', '06') +
        line('0000000000000000FFFF00000100007F:1F90', '0000000000000000FFFF00000100007F:9C41', '01') +
        line('B80D0120000000000000000001000000:01BB', 'B80D0120000000000000000002000000:9C42', '01'),
    );
    expect(sockets.map(({ state, local, remote }) => `${state} ${local.address} ${local.port} ${remote.address} ${remote.port}`)).toEqual([
      'listen 127.0.0.1 8080 0.0.0.0 0',
      'timeWait ::1 8080 ::1 40000',
      'established 127.0.0.1 8080 127.0.0.1 40001',
      'established 2001:db8::1 443 2001:db8::2 40002',
    ]);
  });

  it.each([
    ['ss', 'TIME-WAIT 0      0          127.0.0.1:40000    127.0.0.1:80'],
    ['ss with IPv4 within IPv6', 'TIME-WAIT 0 0 [::ffff:127.0.0.1]:40000 [::ffff:127.0.0.1]:80'],
    ['netstat of Linux', 'tcp        0      0 127.0.0.1:40000         127.0.0.1:80            TIME_WAIT'],
    ['netstat of macOS', 'tcp4       0      0  127.0.0.1.40000        127.0.0.1.80           TIME_WAIT'],
    ['netstat of Windows', '  TCP    127.0.0.1:40000        127.0.0.1:80           TIME_WAIT       0'],
  ])('of %s are read', (_, text) => {
    expect(
      parseSocketList(`Proto Recv-Q Send-Q Local Address Foreign Address State\n${text}\nudp 0 0 127.0.0.1:53 0.0.0.0:* LISTEN\n`),
    ).toEqual([{ state: 'timeWait', local: { address: '127.0.0.1', port: 40_000 }, remote: { address: '127.0.0.1', port: 80 } }]);
  });

  it.each(['tcp46 0 0 *.22 *.* LISTEN', 'LISTEN 0 128 *:22 *:*', 'tcp6 0 0 :::22 :::* LISTEN', '  TCP    [::]:22   [::]:*  LISTENING  4'])(
    'tell who listens: %s',
    (text) => {
      expect(parseSocketList(text)).toMatchObject([{ state: 'listen', local: { port: 22 } }]);
    },
  );
});

describe('The end of a socket', () => {
  const at = (port: number, remote: number, state = 'TIME-WAIT'): string => `${state} 0 0 10.0.0.1:${port} 10.0.0.2:${remote}\n`;
  const endOf = (text: string): string[] => groupSockets(parseSocketList(text), RANGE).map(({ end }) => end);

  it('is told by who listens', () => {
    expect(endOf(`LISTEN 0 128 0.0.0.0:40000 0.0.0.0:*\n${at(40_000, 50_000)}${at(50_001, 40_000)}`)).toEqual([
      'listening',
      'accepting',
      'connecting',
    ]);
  });

  it('is told by the port that systems give to outgoing connections where nobody listens', () => {
    expect(endOf(at(50_000, 80))).toEqual(['connecting']);
    expect(endOf(at(80, 50_000))).toEqual(['accepting']);
    expect(endOf(at(50_000, 50_001))).toEqual(['unclear']);
    expect(endOf(at(80, 81))).toEqual(['unclear']);
  });

  it('puts alike sockets into one group: those that connect by where to, those that accepted by their own port', () => {
    const groups = groupSockets(
      parseSocketList(at(50_000, 80) + at(50_001, 80) + at(50_002, 81) + at(443, 50_000) + at(443, 50_001)),
      RANGE,
    );
    expect(groups.map(({ end, source, service, count }) => [end, source, `${service.address}:${service.port}`, count])).toEqual([
      ['connecting', '10.0.0.1', '10.0.0.2:80', 2],
      ['connecting', '10.0.0.1', '10.0.0.2:81', 1],
      ['accepting', null, '10.0.0.1:443', 2],
    ]);
    expect(countByState(groups)).toEqual({ timeWait: 5 });
    expect(countByState(groups, 'accepting')).toEqual({ timeWait: 2 });
  });
});

it('The range of ports is two numbers, or not known', () => {
  expect(parsePortRange('32768\t60999\n')).toEqual(RANGE);
  expect(parsePortRange('')).toBeNull();
});

describe.skipIf(!existsSync('/proc/net/tcp'))('The script', () => {
  it('puts the sockets of this machine into the same groups as a full list does', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const clients: Socket[] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    await Promise.all([once(server, 'connection'), ...clients.map((client) => once(client, 'connect'))]);
    try {
      const said = parseSocketGroups(execFileSync('sh', { input: SOCKET_GROUPS_SCRIPT, encoding: 'utf8' }));
      const range = parsePortRange(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8'));
      if (range === null) throw new Error('no range');
      const list = groupSockets(parseProcNetTcp(readFileSync('/proc/net/tcp', 'utf8')), range);
      const ours = (groups: typeof said): string[] =>
        groups
          .filter(({ service }) => service.port === port)
          .map((group) => JSON.stringify(group))
          .sort();
      expect(ours(said)).toEqual(ours(list));
      expect(ours(said)).toHaveLength(3);
    } finally {
      for (const client of clients) client.destroy();
      server.close();
    }
  });
});
