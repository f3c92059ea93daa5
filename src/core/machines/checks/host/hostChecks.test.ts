import { describe, expect, it } from 'vitest';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { connectionTracking, listenQueue, synCookies, openFiles, systemFiles } from './kernelLimits.ts';
import { finTimeout, netstatCounter, timeWaitBuckets, timeWaitRecycle, timeWaitReuse, timeWait } from './timeWait.ts';
import { memory, swap, governor, processor } from './processorAndMemory.ts';
import { maxResponsesPerSecond, networkLink, packetSize, proxyVariables, resolution } from './network.ts';
import type { SeenResponse } from './planLoad.ts';
import { portBudget } from './portBudget.ts';
import { judgeHost, EMPTY_OUTPUT, probeScript } from './registry.ts';
import { balancing, clock, databaseConnections, nodeVersion } from './surroundings.ts';
import { type FactsOfPlan, factsFor, found } from './testing/found.ts';

const arrivals = (perSecond: number, seconds: number): PlanInput['load'] => ({
  model: 'arrivals',
  stages: [{ kind: 'constant', perSecond, seconds }],
});
const ports = (range: string, reuse: number, reserved = ''): string =>
  `/proc/sys/net/ipv4/ip_local_port_range ${range} \n/proc/sys/net/ipv4/ip_local_reserved_ports ${reserved}\n/proc/sys/net/ipv4/tcp_tw_reuse ${reuse}\n`;
const response = (closesFirst: SeenResponse['closesFirst']): SeenResponse => ({ bytes: 7_000, seconds: 0.01, closesFirst });

describe('portBudget', () => {
  const never = { connections: { reuse: 'never' as const }, load: arrivals(200, 60) };

  it('reports when the ports to a server run out if the generator closes first', () => {
    const finding = found(portBudget, [ports('20000 22047', 0), ''], { plan: never, seen: response('generator') });
    expect(finding.stallsAtSecond).toBeCloseTo(10.24, 2);
    expect(finding).toMatchObject({ level: 'problem', title: '2,048 ports for outgoing connections' });
    expect(finding.matters).toContain('10.0.0.2:8080 is left after 10.2 s');
    expect(finding.remedy).toMatchObject({
      command: 'sudo sysctl -w net.ipv4.ip_local_port_range="1024 65535"',
      undo: 'sudo sysctl -w net.ipv4.ip_local_port_range="20000 22047"',
      change: { setting: 'net.ipv4.ip_local_port_range', from: '20000 22047', to: '1024 65535' },
    });
  });

  it('passes if the server closes first, if ports are reused after a second, or if the rate is sustainable', () => {
    const judge = (reuse: number, about: FactsOfPlan) => found(portBudget, [ports('20000 22047', reuse), ''], about);
    expect(judge(0, { plan: never, seen: response('server') })).toMatchObject({
      level: 'ok',
      matters: expect.stringContaining('closes first'),
    });
    expect(judge(1, { plan: never, seen: response('generator') })).toMatchObject({ level: 'ok' });
    expect(judge(0, { plan: { ...never, load: arrivals(30, 600) }, seen: response('generator') })).toMatchObject({ level: 'ok' });
    // A tcp_tw_reuse of 2 applies only to loopback connections.
    expect(judge(2, { plan: never, seen: response('generator') }).level).toBe('problem');
    const loopback = { ...never, targets: [{ url: 'http://127.0.0.1/' }] };
    expect(judge(2, { plan: loopback, seen: response('generator') }).level).toBe('ok');
  });

  it('subtracts ports in use and reserved ports, and shares ports among several servers', () => {
    const second = (stated: string[], plan: Partial<PlanInput> = {}): number | undefined =>
      found(portBudget, stated, { plan: { ...never, ...plan }, seen: response('generator') }).stallsAtSecond;
    expect(second([ports('20000 22047', 0), 'sockets 06 connecting 0100000A 0200000A 1F90 1048\n'])).toBeCloseTo(5, 2);
    expect(second([ports('20000 22047', 1), 'sockets 06 connecting 0100000A 0200000A 1F90 2048\n'])).toBeUndefined();
    expect(second([ports('20000 22047', 0), 'sockets 06 connecting 0100000A 0300000A 1F90 1048\n'])).toBeCloseTo(10.24, 2);
    expect(second([ports('20000 22047', 0, '21000-21047,40000'), ''])).toBeCloseTo(10, 2);
    const two = { targets: [{ url: 'http://10.0.0.2:8080/' }, { url: 'http://10.0.0.3:8080/' }] };
    expect(second([ports('20000 22047', 0), ''], two)).toBeCloseTo(20.48, 2);
    expect(
      second([ports('20000 22047', 0), ''], { connections: { reuse: 'never', localAddresses: ['10.0.0.1', '10.0.0.9'] } }),
    ).toBeCloseTo(20.48, 2);
  });

  it('lets each port of a named source address serve one connection, without reuse', () => {
    const plan = { ...never, connections: { reuse: 'never' as const, localAddresses: ['10.0.0.1'] } };
    const second = (reuse: number, sockets = ''): number | undefined =>
      found(portBudget, [ports('20000 22047', reuse), sockets], { plan, seen: response('generator') }).stallsAtSecond;
    expect(second(1)).toBeCloseTo(10.24, 2);
    expect(second(0, 'sockets 01 connecting 0100000A 0900000A 0050 1048\n')).toBeCloseTo(5, 2);
    expect(second(0, 'sockets 01 connecting 0800000A 0900000A 0050 1048\n')).toBeCloseTo(10.24, 2);
    const { matters } = found(portBudget, [ports('20000 22047', 0), ''], { plan, seen: response('generator') });
    expect(matters).toMatch(/^No port is left after 10\.2 s/);
    expect(matters, 'it would not help: such a port is never reused').not.toContain('tcp_tw_reuse');
  });

  it('counts the ports of one address on a machine behind the generator, for any source addresses', () => {
    const plan = { ...never, connections: { reuse: 'never' as const, localAddresses: ['10.0.0.1', '10.0.0.9'] } };
    expect(found(portBudget, [ports('20000 22047', 0), ''], { role: 'hop', plan })).toMatchObject({
      title: '2,048 ports for outgoing connections',
      stallsAtSecond: expect.closeTo(10.24, 1),
    });
  });

  it('reports a stall if users close connections that the server would keep, and a possible stall if this is unknown', () => {
    const journeys = { connections: { reuse: 'journey' as const }, load: arrivals(200, 60), journey: [{ name: 'a' }, { name: 'b' }] };
    expect(found(portBudget, [ports('20000 22047', 0), ''], { plan: journeys })).toMatchObject({
      level: 'problem',
      stallsAtSecond: expect.closeTo(10.24, 1),
    });
    expect(found(portBudget, [ports('20000 22047', 0), ''], { plan: never })).toMatchObject({
      level: 'warning',
      matters: expect.stringMatching(/^If this side closes first, no port/),
    });
  });

  it('needs one port per kept connection and none for a Unix socket', () => {
    const kept = (connections: number) => ({ load: { model: 'connections' as const, stages: [{ connections, seconds: 1 }] } });
    const level = (connections: number): string => found(portBudget, [ports('1001 2000', 0), ''], { plan: kept(connections) }).level;
    expect([level(800), level(801), level(1_001)]).toEqual(['ok', 'warning', 'problem']);
    const two = { targets: [{ url: 'http://10.0.0.2:8080/' }, { url: 'http://10.0.0.3:8080/' }] };
    const toTwo = (connections: number, plan: Partial<PlanInput> = {}) =>
      found(portBudget, [ports('1001 2000', 0), ''], { plan: { ...kept(connections), ...two, ...plan } });
    expect(toTwo(1_600)).toMatchObject({ level: 'ok', matters: expect.stringContaining('up to 800 of them per server') });
    expect(toTwo(2_002).matters).toContain('2,002 connections to 2 servers at once: 1 to each would fail');
    const named = { connections: { localAddresses: ['10.0.0.1'] } };
    expect(toTwo(1_600, named)).toMatchObject({
      level: 'problem',
      matters: 'The plan needs 1,600 connections to 2 servers at once: 600 of them would fail for lack of a port.',
    });
    expect(
      found(portBudget, [ports('1001 2000', 0), ''], { plan: { ...kept(5_000), connections: { socketPath: '/run/app.sock' } } }).level,
    ).toBe('ok');
  });

  it('calculates the request rate of users from their pauses and the response time', () => {
    const load = { model: 'users' as const, thinkTime: { kind: 'fixed' as const, seconds: 1 }, stages: [{ users: 202, seconds: 60 }] };
    const plan = { connections: { reuse: 'never' as const }, load };
    // If each of 202 users sends one request every 1.01 s, they send 200 requests per second.
    expect(found(portBudget, [ports('20000 22047', 0), ''], { plan, seen: response('generator') }).stallsAtSecond).toBeCloseTo(10.24, 1);
  });

  it('only informs about a machine behind the generator, which may keep its connections', () => {
    expect(found(portBudget, [ports('20000 22047', 0), ''], { role: 'hop', plan: { load: arrivals(200, 60) } })).toMatchObject({
      level: 'info',
      stallsAtSecond: expect.closeTo(10.24, 1),
    });
  });
});

describe('timeWait', () => {
  const range = '/proc/sys/net/ipv4/ip_local_port_range 20000 22047\n';
  it('names the service whose connecting sockets hold ports', () => {
    const finding = found(timeWait, ['sockets 06 connecting 0200000A 0300000A 1538 2000\nsockets 06 accepting - 0200000A 0050 9\n', range]);
    expect(finding).toMatchObject({ level: 'problem', title: 'Ports to 10.0.0.3:5432 (PostgreSQL) have run out: 2,000 of 2,048 are held' });
    expect(finding.evidence).toContain('Connecting side 2,000, accepting side 9.');
  });
  it('counts no ports for accepting sockets', () => {
    expect(found(timeWait, ['sockets 06 accepting - 0200000A 0050 20000\n', range])).toMatchObject({
      level: 'ok',
      title: '20,000 connections in TIME_WAIT now',
      matters: expect.stringContaining('accepting side'),
    });
  });
  it('warns if TIME_WAIT holds at least a quarter of the ports', () => {
    expect(found(timeWait, ['sockets 06 connecting 0200000A 0300000A 0050 600\n', range]).level).toBe('warning');
    expect(found(timeWait, ['sockets 06 connecting 0200000A 0300000A 0050 100\n', range]).level).toBe('ok');
  });
});

describe('check of kernel settings', () => {
  it('explains TIME_WAIT settings and recommends changes only if needed', () => {
    for (const value of [0, 1, 2])
      expect(found(timeWaitReuse, [`/proc/sys/net/ipv4/tcp_tw_reuse ${value}\n`])).toMatchObject({ level: 'ok', remedy: null });
    expect(found(timeWaitReuse, ['/proc/sys/net/ipv4/tcp_tw_reuse 2\n']).matters).toContain('loopback');
    expect(found(finTimeout, ['/proc/sys/net/ipv4/tcp_fin_timeout 60\n']).level).toBe('ok');
    expect(found(finTimeout, ['/proc/sys/net/ipv4/tcp_fin_timeout 15\n'])).toMatchObject({
      level: 'info',
      matters: expect.stringContaining('does not free ports sooner'),
    });
  });
  it('never recommends tcp_tw_recycle and recommends switching it off', () => {
    expect(found(timeWaitRecycle, ['Linux\n'])).toMatchObject({ level: 'ok', remedy: null });
    expect(found(timeWaitRecycle, ['Linux\n/proc/sys/net/ipv4/tcp_tw_recycle 1\n'])).toMatchObject({
      level: 'problem',
      remedy: { change: { to: '0' } },
    });
    expect(timeWaitRecycle.read(['Darwin\n'])).toBeNull();
  });
  it('reports the TIME_WAIT sockets that a plan will cause', () => {
    const plan = { connections: { reuse: 'never' as const }, load: arrivals(200, 60) };
    const buckets = (most: number) => found(timeWaitBuckets, [`/proc/sys/net/ipv4/tcp_max_tw_buckets ${most}\n`, ''], { plan });
    expect([buckets(131_072).level, buckets(10_000).level]).toEqual(['ok', 'warning']);
    const tracking = (most: number) =>
      found(
        connectionTracking,
        [`Linux\n/proc/sys/net/netfilter/nf_conntrack_count 100\n/proc/sys/net/netfilter/nf_conntrack_max ${most}\n`],
        { plan },
      );
    expect([tracking(262_144).level, tracking(12_000).level]).toEqual(['ok', 'problem']);
    expect(found(connectionTracking, ['Linux\n']).level).toBe('ok');
    expect(connectionTracking.read([''])).toBeNull();
  });
  it('reports whether the listen queue has overflowed', () => {
    const counters = 'TcpExt: SyncookiesSent ListenOverflows ListenDrops\nTcpExt: 3 17 18\nIpExt: InOctets\nIpExt: 1\n';
    expect(netstatCounter(counters, 'ListenDrops')).toBe(18);
    expect(netstatCounter(counters, 'Missing')).toBeNull();
    expect(found(listenQueue, ['/proc/sys/net/core/somaxconn 4096\n', counters]).level).toBe('info');
    expect(found(listenQueue, ['/proc/sys/net/core/somaxconn 128\n', ''])).toMatchObject({
      level: 'warning',
      remedy: { change: { from: '128', to: '4096' } },
    });
    expect(found(synCookies, ['/proc/sys/net/ipv4/tcp_syncookies 1\n', counters]).evidence).toContain('3');
    expect(found(synCookies, ['/proc/sys/net/ipv4/tcp_syncookies 0\n', '']).level).toBe('info');
  });
});

describe('check of open files', () => {
  const plan = (connections: number) => ({ plan: { load: { model: 'connections' as const, stages: [{ connections, seconds: 1 }] } } });
  it('recommends a command that raises the limit of the process to the number needed', () => {
    const finding = found(openFiles, ['1024\n4096\n'], plan(2_000));
    expect(finding).toMatchObject({ level: 'problem', remedy: { command: 'ulimit -n 2200', undo: null } });
    expect(finding.matters).toContain('1,176');
    expect([found(openFiles, ['1024\nunlimited\n'], plan(824)).level, found(openFiles, ['1024\n4096\n'], plan(825)).level]).toEqual([
      'ok',
      'problem',
    ]);
    expect(found(openFiles, ['1024\n4096\n'], { ...plan(2_000), role: 'target' }).level).toBe('info');
    expect(openFiles.read([''])).toBeNull();
  });
  it('warns if the limit of the system is nearly reached', () => {
    expect(found(systemFiles, ['/proc/sys/fs/file-nr 1216 0 9223372036854775807\n']).level).toBe('ok');
    expect(found(systemFiles, ['/proc/sys/fs/file-nr 900 0 1000\n'])).toMatchObject({
      level: 'warning',
      remedy: { change: { setting: 'fs.file-max' } },
    });
  });
});

describe('check of processor and memory', () => {
  const stat = (user: number, idle: number, steal: number): string => `cpu  ${user} 0 0 ${idle} 0 0 0 ${steal} 0 0\n`;
  it('reports a busy processor, stolen time and an idle processor', () => {
    const judge = (user: number, idle: number, steal: number) => found(processor, [`${stat(0, 0, 0)}${stat(user, idle, steal)}2\n`]);
    expect(judge(5, 95, 0)).toMatchObject({ level: 'ok', title: '2 cores, 95 % idle' });
    expect(judge(50, 50, 0).level).toBe('warning');
    expect(judge(5, 90, 5)).toMatchObject({ level: 'warning', matters: expect.stringContaining('Other virtual machines') });
    expect(processor.read([''])).toBeNull();
  });
  it('reports a frequency governor that saves power', () => {
    expect(found(governor, ['Linux\npowersave\n']).level).toBe('info');
    expect(found(governor, ['Linux\n']).level).toBe('ok');
    expect(governor.read(['Darwin\n'])).toBeNull();
  });
  it('reports whether the memory is sufficient', () => {
    const text = (available: number): string =>
      `MemTotal: 8000000 kB\nMemAvailable: ${available} kB\nSwapTotal: 1000 kB\nSwapFree: 400 kB\n`;
    expect([found(memory, [text(100_000)]).level, found(memory, [text(4_000_000)]).level]).toEqual(['warning', 'ok']);
    expect(found(swap, [text(1), 'pswpin 5\npswpin 9\n']).level).toBe('warning');
    expect(found(swap, [text(1), 'pswpin 5\npswpin 5\n'])).toMatchObject({ level: 'ok', title: '614 kB of 1.02 MB swap in use' });
  });
});

describe('check of the network', () => {
  const plan = { load: arrivals(2_000, 60) };
  it('reports the response rate that the link can carry', () => {
    // A link of 100 Mbit/s carries 358 responses of 33.1 kB per second.
    expect(maxResponsesPerSecond(100, 33_100)).toBeCloseTo(358, 0);
    const finding = found(networkLink, ['link eth0 100 1500 e1000e 10.0.0.2\n'], { plan, seen: response('server') });
    expect(finding).toMatchObject({ level: 'problem', title: '100 Mbit/s' });
    expect(finding.matters).toContain('1,700 responses/s');
    expect(found(networkLink, ['link eth0 10000 1500 ixgbe 10.0.0.2\n'], { plan, seen: response('server') }).level).toBe('ok');
  });
  it('does not trust the reported speed of a virtual link', () => {
    expect(found(networkLink, ['link eth0 10000 1500 virtio_net 10.0.0.2\n'])).toMatchObject({
      level: 'info',
      title: expect.stringContaining('may be wrong'),
    });
    expect(found(networkLink, ['link eth0 -1 1500 virtio_net default\n']).title).toBe('eth0 does not report its speed');
    expect(found(networkLink, ['link lo - 65536 - 127.0.0.1\n']).level).toBe('ok');
  });
  it('reports tunnels and jumbo frames', () => {
    expect(found(packetSize, ['link wg0 - 1420 - 10.0.0.2\n'])).toMatchObject({
      level: 'info',
      matters: expect.stringContaining('tunnel'),
    });
    expect(found(packetSize, ['link eth0 1000 9000 x 10.0.0.2\n']).level).toBe('info');
    expect(found(packetSize, ['link eth0 1000 1500 x 10.0.0.2\n']).level).toBe('ok');
  });
  it('reports the IPv4 and IPv6 addresses of a host name, or that there are none', () => {
    expect(found(resolution, ['name a.example 1 1\n']).level).toBe('info');
    expect(found(resolution, ['name a.example 1 0\n']).level).toBe('ok');
    expect(found(resolution, ['name a.example 0 0\n']).level).toBe('problem');
  });
  it('reports a proxy that the load does not use', () => {
    expect(found(proxyVariables, ['looked\nhttps_proxy\nNO_PROXY\n'])).toMatchObject({ level: 'info', title: 'https_proxy is set' });
    expect(found(proxyVariables, ['looked\n']).level).toBe('ok');
  });
});

describe('check of the surroundings', () => {
  it('reports load balancing by client address', () => {
    expect(found(balancing, ['looked\n    ip_hash;\n'], { role: 'hop' })).toMatchObject({ level: 'warning', evidence: 'ip_hash;' });
    expect(found(balancing, ['looked\n'], { role: 'hop' }).level).toBe('ok');
  });
  it('reports a database with nearly all connections in use', () => {
    const level = (text: string): string => found(databaseConnections, [text], { role: 'target' }).level;
    expect(level('looked\nlistens\nPostgreSQL 10 100\n')).toBe('ok');
    expect(level('looked\nlistens\nPostgreSQL 85 100\n')).toBe('warning');
    expect(level('looked\nlistens\nMySQL 291 291\n')).toBe('problem');
    expect(level('looked\n')).toBe('ok');
    expect(databaseConnections.read(['looked\nlistens\n'])).toBeNull();
  });
  it('reports a clock offset', () => {
    const judge = (aheadMs: number) => clock.judge(true, { ...factsFor(), isRemote: true, clock: { aheadMs, errorMs: 1, roundTripMs: 2 } });
    expect([judge(3).level, judge(-5_000).level]).toEqual(['ok', 'info']);
    expect(judge(-5_000).title).toBe('Its clock is 5 s behind ours');
  });
  it('reports an old or missing Node.js', () => {
    expect(found(nodeVersion, ['v26.1.0\nv18.0.0\nlooked\n'])).toMatchObject({ level: 'ok', title: 'Node.js 26.1.0' });
    expect(found(nodeVersion, ['v24.1.0\nlooked\n'])).toMatchObject({ level: 'info', evidence: 'Holdfast is tested with Node.js 26.' });
    expect(found(nodeVersion, ['v18.0.0\nlooked\n'], { isRemote: true }).level).toBe('warning');
  });
});

describe('probeScript and judgeHost', () => {
  it('run each probe once and keep shell commands in the plan out of the script', () => {
    const script = probeScript(factsFor({ plan: { targets: [{ url: 'http://10.0.0.2/' }] } }));
    expect(script.split('cat /proc/meminfo').length - 1).toBe(1);
    expect(script).toContain("'10.0.0.2'");
  });
  it('return unknown findings for empty output and null for truncated output', () => {
    const findings = judgeHost(EMPTY_OUTPUT, factsFor());
    expect(findings?.filter(({ level }) => level !== 'unknown')).toEqual([]);
    expect(judgeHost('holdfast-check 0\n1024\n', factsFor())).toBeNull();
  });
});
