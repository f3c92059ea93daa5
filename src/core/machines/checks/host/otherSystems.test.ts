import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { measureGrowth, MAX_GROWTH } from '#core/testing/growth.ts';
import { planWith } from '#core/testing/plans.ts';
import { countByState } from '#core/machines/hosts/sockets.ts';
import { CPU_PROBE, type HostFacts, MEMORY_PROBE } from './hostCheck.ts';
import {
  OTHER_PORTS_PROBE,
  OTHER_SOCKETS_PROBE,
  OTHER_SOCKETS_SCRIPT,
  parseOtherMemory,
  parseOtherPorts,
  parseOtherSockets,
} from './otherSystems.ts';
import { planLoad } from './planLoad.ts';
import { judgeHost, EMPTY_OUTPUT } from './registry.ts';

/** Output of macOS 14. */
const MAC_PORTS = 'net.inet.ip.portrange.first: 49152\nnet.inet.ip.portrange.last: 65535\nnet.inet.tcp.msl: 15000\n';
const MAC_SOCKETS = `Active Internet connections (including servers)
Proto Recv-Q Send-Q  Local Address          Foreign Address        (state)
tcp4       0      0  192.168.1.23.52714     93.184.216.34.443      ESTABLISHED
tcp4       0      0  192.168.1.23.52712     93.184.216.34.443      TIME_WAIT
tcp4       0      0  192.168.1.23.52710     93.184.216.34.443      TIME_WAIT
tcp6       0      0  fe80::aede:48ff:.49152 fe80::aede:48ff:.55012 ESTABLISHED
tcp4       0      0  127.0.0.1.3000         127.0.0.1.52711        ESTABLISHED
tcp4       0      0  127.0.0.1.52711        127.0.0.1.3000         ESTABLISHED
tcp46      0      0  *.3000                 *.*                    LISTEN
tcp4       0      0  *.50000                *.*                    LISTEN
tcp4       0      0  10.0.0.5.50000         10.0.0.9.61000         ESTABLISHED
udp4       0      0  *.5353                 *.*
`;
const MAC_MEMORY = `Mach Virtual Memory Statistics: (page size of 16384 bytes)
Pages free:                              123456.
Pages active:                            789012.
Pages inactive:                          345678.
Pages speculative:                        12345.
Pages throttled:                              0.
hw.memsize: 34359738368
`;

/** Output of Windows 11. */
const WINDOWS_PORTS =
  '\r\nProtocol tcp Dynamic Port Range\r\n---------------------------------\r\nStart Port      : 49152\r\nNumber of Ports : 16384\r\n\r\n';
const WINDOWS_SOCKETS = `\r
Active Connections\r
\r
  Proto  Local Address          Foreign Address        State\r
  TCP    0.0.0.0:135            0.0.0.0:0              LISTENING\r
  TCP    192.168.1.7:49702      93.184.216.34:443      ESTABLISHED\r
  TCP    192.168.1.7:49703      93.184.216.34:443      TIME_WAIT\r
  TCP    [::]:135               [::]:0                 LISTENING\r
  UDP    0.0.0.0:5353           *:*\r
`;

const RANGE = { from: 49_152, to: 65_535 };

function facts(perSecond: number, host = '93.184.216.34'): HostFacts {
  const plan = planWith({
    targets: [{ url: `http://${host}:443/` }],
    connections: { reuse: 'never' },
    load: { model: 'arrivals', stages: [{ kind: 'constant', perSecond, seconds: 600 }] },
  });
  const load = planLoad(plan, { bytes: 7_000, seconds: 0, closesFirst: 'generator' });
  return { role: 'generator', load, clock: null, isRemote: false };
}

function findings(stated: ReadonlyMap<string, string>, perSecond: number) {
  return judgeHost(EMPTY_OUTPUT, facts(perSecond), stated) ?? [];
}

describe('macOS', () => {
  it('reports its port range and the time in TIME_WAIT', () => {
    expect(parseOtherPorts(MAC_PORTS)).toMatchObject({
      range: RANGE,
      waitSeconds: 30,
      remedy: { undo: expect.stringContaining('first=49152') },
    });
    expect(parseOtherPorts('net.inet.ip.portrange.first: 49152\n')).toBeNull();
  });

  it('groups equal sockets on the host without changing the groups', () => {
    const directory = mkdtempSync(join(tmpdir(), 'holdfast-mac-'));
    try {
      const say = (name: string, text: string): void => {
        writeFileSync(join(directory, name), text);
        chmodSync(join(directory, name), 0o755);
      };
      say('netstat', `#!/bin/sh\ncat <<'EOT'\n${MAC_SOCKETS}EOT\n`);
      say('sysctl', `#!/bin/sh\ncase $2 in *first) echo ${RANGE.from} ;; *last) echo ${RANGE.to} ;; esac\n`);
      const env = { PATH: `${directory}:${process.env['PATH']}` };
      const text = execFileSync('sh', { input: OTHER_SOCKETS_SCRIPT, encoding: 'utf8', env });
      expect(text).toContain('2 tcp4 0 0 192.168.1.23.49152 93.184.216.34.443 TIME_WAIT\n');
      const sorted = (list: string): string[] => (parseOtherSockets(list, RANGE) ?? []).map((group) => JSON.stringify(group)).sort();
      expect(sorted(text)).toEqual(sorted(MAC_SOCKETS));
      const groups = parseOtherSockets(text, RANGE) ?? [];
      expect(countByState(groups, 'connecting')).toEqual({ established: 2, timeWait: 2 });
      expect(countByState(groups, 'accepting')).toEqual({ established: 2 });
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('supports the checks of Linux, with one connection per port', () => {
    const stated = new Map([
      [OTHER_PORTS_PROBE, MAC_PORTS],
      [OTHER_SOCKETS_PROBE, MAC_SOCKETS],
      ['vm_stat && sysctl hw.memsize', MAC_MEMORY],
    ]);
    const known = (perSecond: number) => new Map(findings(stated, perSecond).map((finding) => [finding.id, finding]));
    const ports = known(2_000).get('ephemeralPorts');
    // Of 16,384 ports 4 are in use. Each is held for 30 s, so 2,000 connections per second exhaust them after 8.19 s.
    expect(ports).toMatchObject({
      level: 'problem',
      title: '16,384 ports for outgoing connections',
      stallsAtSecond: expect.closeTo(8.19, 2),
    });
    expect(ports?.remedy).toMatchObject({ command: expect.stringContaining('net.inet.ip.portrange.first=16384') });
    expect(ports?.remedy?.change).toBeUndefined();
    expect(known(500).get('ephemeralPorts')?.level).toBe('ok');
    expect(known(500).get('timeWait')).toMatchObject({ level: 'ok', title: '2 connections in TIME_WAIT now' });
    expect(parseOtherMemory(MAC_MEMORY)).toEqual({ availableBytes: (123_456 + 345_678 + 12_345) * 16_384, totalBytes: 34_359_738_368 });
    expect(known(500).get('memory')?.level).toBe('ok');
    expect(known(500).get('kernelTimeWait')).toBeUndefined();
    expect(known(500).get('connectionTracking')?.level).toBe('unknown');
  });
});

describe('ports that serve one connection each', () => {
  const kept = (connections: number): HostFacts => {
    const plan = planWith({
      targets: [{ url: 'http://10.0.0.2/' }, { url: 'http://10.0.0.3/' }],
      load: { model: 'connections', stages: [{ connections, seconds: 1 }] },
    });
    return { role: 'generator', load: planLoad(plan, null), clock: null, isRemote: false };
  };
  const countPorts = (connections: number) =>
    judgeHost(EMPTY_OUTPUT, kept(connections), new Map([[OTHER_PORTS_PROBE, MAC_PORTS]]))?.find(({ id }) => id === 'ephemeralPorts');

  it('are needed once per kept connection, for any number of servers', () => {
    expect(countPorts(20_000)).toMatchObject({
      level: 'problem',
      matters: 'The plan needs 20,000 connections to 2 servers at once: 3,616 of them would fail for lack of a port.',
    });
    expect(countPorts(16_000)).toMatchObject({ level: 'warning', matters: 'The plan uses nearly all of them: up to 16,000 in all.' });
    expect(countPorts(10_000)?.matters).toMatch(/^The plan uses up to 10,000 of them in all\. .* sustain .* connections\/s in all/);
  });

  const waiting = (ports: string, to: readonly string[]) => {
    const sockets = to.flatMap((service, place) =>
      Array.from({ length: 8_000 }, (_, index) => `  TCP  192.168.1.7:${RANGE.from + 8_000 * place + index}  ${service}  TIME_WAIT`),
    );
    const stated = new Map([
      [OTHER_PORTS_PROBE, ports],
      [OTHER_SOCKETS_PROBE, sockets.join('\n')],
    ]);
    return judgeHost(EMPTY_OUTPUT, kept(1), stated)?.find(({ id }) => id === 'timeWait');
  };

  it('are exhausted by the connections to all servers together and released after the time of the system', () => {
    expect(waiting(WINDOWS_PORTS, ['10.0.0.2:80', '10.0.0.3:80'])).toMatchObject({
      level: 'problem',
      title: 'Ports have run out: 16,000 of 16,384 are held',
      evidence: expect.stringContaining('held by 16,000 connections from 192.168.1.7 (16,000 in TIME_WAIT)'),
      remedy: { text: expect.stringMatching(/^Keep the connections open/) },
    });
    expect(waiting(WINDOWS_PORTS, ['10.0.0.2:80'])).toMatchObject({
      level: 'warning',
      matters: expect.stringContaining('up to 2 min.'),
      remedy: { text: 'Wait 2 min before you start.' },
    });
    expect(waiting(MAC_PORTS, ['10.0.0.2:80'])?.remedy?.text).toBe('Wait 30 s before you start.');
  });
});

describe('Windows', () => {
  it('reports its port range in any display language', () => {
    expect(parseOtherPorts(WINDOWS_PORTS)).toMatchObject({ range: RANGE, waitSeconds: 120 });
    const german = WINDOWS_PORTS.replace('Start Port      ', 'Startport        ').replace('Number of Ports ', 'Anzahl von Ports ');
    expect(parseOtherPorts(german)?.range).toEqual(RANGE);
    expect(parseOtherPorts('The following command was not found: int ipv4 show.\r\n')).toBeNull();
  });

  it('reports its sockets by English state names and null for any other language', () => {
    const groups = parseOtherSockets(WINDOWS_SOCKETS, RANGE) ?? [];
    expect(countByState(groups, 'connecting')).toEqual({ established: 1, timeWait: 1 });
    expect(parseOtherSockets(WINDOWS_SOCKETS.replace('TIME_WAIT', 'WARTEND'), RANGE)).toBeNull();
    expect(parseOtherSockets('', RANGE)).toBeNull();
  });

  it('runs the checks that it has readings for and reports the others as unknown', () => {
    const stated = new Map([
      [OTHER_PORTS_PROBE, WINDOWS_PORTS],
      [OTHER_SOCKETS_PROBE, WINDOWS_SOCKETS],
      [CPU_PROBE, 'cpu  100 0 100 800 0 0 0 0 0 0\ncpu  110 0 110 880 0 0 0 0 0 0\n8\n'],
      [MEMORY_PROBE, 'MemTotal: 16000000 kB\nMemAvailable: 8000000 kB\n'],
    ]);
    const all = findings(stated, 400);
    const reported = all.filter(({ level }) => level !== 'unknown').map(({ id }) => id);
    expect(reported).toEqual(['ephemeralPorts', 'timeWait', 'processor', 'memory']);
    // 400 connections per second × 120 s exceed 16,384 − 2 ports.
    expect(all.find(({ id }) => id === 'ephemeralPorts')).toMatchObject({
      stallsAtSecond: expect.closeTo(40.96, 1),
      remedy: { undo: 'netsh int ipv4 set dynamicport tcp start=49152 num=16384' },
    });
    expect(all.find(({ id }) => id === 'openFiles')?.title).toBe('Open files per process: not available here');
  });
});

describe('malicious output of a host', () => {
  it('does not create as many objects as its socket count states', () => {
    const bomb = '9999999 tcp4 0 0 10.0.0.1.40000 10.0.0.2.80 TIME_WAIT\n'.repeat(200);
    expect(parseOtherSockets(bomb, RANGE)).toMatchObject([{ state: 'timeWait', count: 1_999_999_800 }]);
  });

  it('is parsed in linear time, even if it has only empty lines', () => {
    expect(measureGrowth((count) => void parseOtherPorts(`a\n${'\r\n'.repeat(count)}`), 5_000)).toBeLessThan(MAX_GROWTH);
  });
});
