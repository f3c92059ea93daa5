import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { countByState, groupSockets, parsePortRange, parseSocketGroups, parseSocketList, SOCKET_GROUPS_SCRIPT } from './sockets.ts';

const RANGE = { from: 32_768, to: 60_999 };

describe('socket lists', () => {
  it('are parsed from the Linux kernel for IPv4, IPv6 and IPv4-mapped addresses', () => {
    const groups = parseSocketGroups(
      [
        'sockets 0A listening - 0100007F 1F90 1',
        'sockets 06 connecting 00000000000000000000000001000000 00000000000000000000000001000000 9C40 12',
        'sockets 01 accepting - 0000000000000000FFFF00000100007F 1F90 3',
        'sockets 01 unclear - B80D0120000000000000000002000000 01BB 4',
        'sockets 63 unclear - 0100007F 01BB 5',
        'some sockets 01 unclear - 0100007F 01BB 6',
      ].join('\n'),
    );
    const lines = groups.map(
      ({ state, end, source, service, count }) => `${count} ${state} ${end} from ${source} at ${service.address} ${service.port}`,
    );
    expect(lines).toEqual([
      '1 listen listening from null at 127.0.0.1 8080',
      '12 timeWait connecting from ::1 at ::1 40000',
      '3 established accepting from null at 127.0.0.1 8080',
      '4 established unclear from null at 2001:db8::2 443',
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
    'contain listeners: %s',
    (text) => {
      expect(parseSocketList(text)).toMatchObject([{ state: 'listen', local: { port: 22 } }]);
    },
  );
});

describe('groupSockets', () => {
  const at = (port: number, remote: number, state = 'TIME-WAIT'): string => `${state} 0 0 10.0.0.1:${port} 10.0.0.2:${remote}\n`;
  const endOf = (text: string): string[] => groupSockets(parseSocketList(text), RANGE).map(({ end }) => end);

  it('finds the end of a connection by its listener', () => {
    expect(endOf(`LISTEN 0 128 0.0.0.0:40000 0.0.0.0:*\n${at(40_000, 50_000)}${at(50_001, 40_000)}`)).toEqual([
      'listening',
      'accepting',
      'connecting',
    ]);
  });

  it('finds the end of a connection by the outgoing port range if there is no listener', () => {
    expect(endOf(at(50_000, 80))).toEqual(['connecting']);
    expect(endOf(at(80, 50_000))).toEqual(['accepting']);
    expect(endOf(at(50_000, 50_001))).toEqual(['unclear']);
    expect(endOf(at(80, 81))).toEqual(['unclear']);
  });

  it('groups connecting sockets by destination and accepting sockets by their own port', () => {
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

it('parsePortRange: returns two numbers or null', () => {
  expect(parsePortRange('32768\t60999\n')).toEqual(RANGE);
  expect(parsePortRange('')).toBeNull();
});

describe.skipIf(!existsSync('/proc/net/tcp'))('SOCKET_GROUPS_SCRIPT', () => {
  it('prints a bounded number of lines for sockets of a server that no longer listens, and counts each of them', () => {
    const hex = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0');
    const waiting = Array.from(
      { length: 9_000 },
      (_, index) => `${index}: 0100007F:${hex(33_000 + index)} 0100007F:${hex(45_000)} 06 00000000:00000000`,
    );
    const list = join(temporaryDirectory(), 'tcp');
    writeFileSync(list, ['  sl  local_address rem_address   st', ...waiting, ''].join('\n'));
    const script = SOCKET_GROUPS_SCRIPT.replaceAll('/proc/net/tcp6', '/nonexistent').replaceAll('/proc/net/tcp', list);
    const printed = execFileSync('sh', { input: script, encoding: 'utf8' });
    expect(printed.length).toBeLessThan(200_000);
    expect(countByState(parseSocketGroups(printed))).toEqual({ timeWait: 9_000 });
  });

  it('groups the sockets of this computer by end', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const clients: Socket[] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    await Promise.all([once(server, 'connection'), ...clients.map((client) => once(client, 'connect'))]);
    try {
      const stated = parseSocketGroups(execFileSync('sh', { input: SOCKET_GROUPS_SCRIPT, encoding: 'utf8' }));
      const service = { address: '127.0.0.1', port };
      const ours = stated.filter((group) => group.service.port === port).toSorted((one, other) => (one.end < other.end ? -1 : 1));
      expect(ours).toEqual([
        { state: 'established', end: 'accepting', source: null, service, count: 2 },
        { state: 'established', end: 'connecting', source: '127.0.0.1', service, count: 2 },
        { state: 'listen', end: 'listening', source: null, service, count: 1 },
      ]);
    } finally {
      for (const client of clients) client.destroy();
      server.close();
    }
  });
});
