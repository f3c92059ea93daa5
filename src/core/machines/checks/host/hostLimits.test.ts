import { describe, expect, it } from 'vitest';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { connectionTracking, listenQueue, synCookies, openFiles, systemFiles } from './kernelLimits.ts';
import type { HostCheck } from './hostCheck.ts';
import { timeWaitBuckets, timeWaitRecycle, timeWaitReuse } from './timeWait.ts';
import { memory, swap, governor, processor } from './processorAndMemory.ts';
import { networkLink, packetSize, resolution } from './network.ts';
import { balancing, clock, databaseConnections, nodeVersion } from './surroundings.ts';
import { type FactsOfPlan, factsFor, found } from './testing/found.ts';

const with10: PlanInput['load'] = { model: 'connections', stages: [{ connections: 10, seconds: 60 }] };
const withLoad = (connections: number): FactsOfPlan => ({
  plan: { load: { model: 'connections', stages: [{ connections, seconds: 60 }] } },
});
/** Returns the level of the finding for each amount. */
const levels = <Reading>(
  check: HostCheck<Reading>,
  stated: (amount: number) => readonly string[],
  amounts: readonly number[],
  about: FactsOfPlan = {},
) => amounts.map((amount) => found(check, stated(amount), about).level);

describe('listenQueue', () => {
  const stated = (most: number) => [`/proc/sys/net/core/somaxconn ${most}\n`, ''];

  it('warns below 512 and below the burst of the plan, and never from 4,096 on', () => {
    expect(levels(listenQueue, stated, [511, 512], withLoad(10))).toEqual(['warning', 'ok']);
    expect(levels(listenQueue, stated, [1_999, 2_000], withLoad(2_000))).toEqual(['warning', 'ok']);
    expect(levels(listenQueue, stated, [4_095, 4_096], withLoad(9_000))).toEqual(['warning', 'ok']);
  });

  it('shows its reading and reports overflows', () => {
    const files = '/proc/sys/net/core/somaxconn 4096\n/proc/sys/net/ipv4/tcp_max_syn_backlog 256\n';
    const counters = 'TcpExt: ListenOverflows ListenDrops\nTcpExt: 1700 1800\n';
    expect(found(listenQueue, [files, counters]).evidence).toBe(
      '/proc/sys/net/core/somaxconn: 4096; tcp_max_syn_backlog 256; since boot: 1,700 refused, 1,800 dropped',
    );
    expect(found(listenQueue, [files, counters]).matters).toMatch(/^The queue has overflowed/);
    expect(found(listenQueue, stated(4_096)).evidence).toBe('/proc/sys/net/core/somaxconn: 4096; since boot: 0 refused, 0 dropped');
    expect(found(listenQueue, stated(4_096)).matters).toMatch(/at most this\.$/);
    expect(found(listenQueue, stated(100)).matters).toMatch(/A burst of this plan may not fit\./);
    expect(listenQueue.read(['', counters])).toBeNull();
  });

  it('applies only to servers, like SYN cookies and database connections', () => {
    for (const check of [listenQueue, synCookies, balancing, databaseConnections])
      expect((['generator', 'target', 'hop'] as const).map((role) => check.appliesTo?.(factsFor({ role })))).toEqual([false, true, true]);
  });

  it('reports whether SYN cookies are on and were used', () => {
    const cookies = (value: number, sent: number) =>
      found(synCookies, [`/proc/sys/net/ipv4/tcp_syncookies ${value}\n`, `TcpExt: SyncookiesSent\nTcpExt: ${sent}\n`]);
    expect(cookies(1, 0)).toMatchObject({ level: 'ok', title: 'SYN cookies are on', matters: expect.stringMatching(/^A load that opens/) });
    expect(cookies(1, 3).matters).toMatch(/^They were needed/);
    expect(cookies(0, 3)).toMatchObject({ title: 'SYN cookies are off', matters: expect.stringMatching(/^Connections that do not fit/) });
  });
});

describe('check of memory', () => {
  const stated = (kilobytes: number) => [`MemTotal: 8000000 kB\nMemAvailable: ${kilobytes} kB\n`, ''];

  it('warns below 300 MB on a generator, plus 100 kB per connection', () => {
    expect(levels(memory, stated, [293_945, 293_946])).toEqual(['warning', 'ok']);
    expect(levels(memory, stated, [976, 977], { role: 'target' })).toEqual(['warning', 'ok']);
    expect(found(memory, stated(100)).matters).toBe(
      'This load needs about 301 MB. When memory runs out, the system slows down or ends programs.',
    );
    expect(found(memory, stated(977), { role: 'target' }).matters).toBe('10 connections alone needs about 1 MB.');
  });

  it('is unknown unless both the total and the available memory are known', () => {
    expect([memory.read(['MemTotal: 1 kB\n', '']), memory.read(['MemAvailable: 1 kB\n', ''])]).toEqual([null, null]);
    expect([swap.read(['SwapTotal: 1 kB\n', '']), swap.read(['SwapFree: 1 kB\n', ''])]).toEqual([null, null]);
  });

  it('warns about swap only if pages are read back', () => {
    const swapped = (total: number, pages: string) => found(swap, [`SwapTotal: ${total} kB\nSwapFree: 0 kB\n`, pages]);
    expect(swapped(0, '')).toMatchObject({
      level: 'ok',
      title: 'No swap',
      matters: 'When memory runs out, the kernel ends a program at once.',
    });
    expect(swapped(10, 'pswpin 5\n')).toMatchObject({ level: 'ok', matters: 'Nothing was read back during the check.' });
    expect(swapped(10, 'pswpin 5\npswpin 6\n')).toMatchObject({ level: 'warning', evidence: 'Pages read back during the check: 1' });
  });
});

describe('check of the processor', () => {
  /** The ticks are user, nice, system, idle, iowait, irq, softirq, steal, guest and guest_nice. */
  const passed = (ticks: readonly number[], cores = 2, about: FactsOfPlan = {}) =>
    found(processor, [`cpu  ${'0 '.repeat(10).trim()}\ncpu  ${ticks.join(' ')}\n${cores}\n`], about);
  const idle = (share: number, about: FactsOfPlan = {}) => passed([100 - share, 0, 0, share, 0, 0, 0, 0, 0, 0], 2, about);

  it('warns below 70 % idle time, where waiting for disks counts as idle', () => {
    expect([idle(70).level, idle(69).level]).toEqual(['ok', 'warning']);
    expect(passed([20, 0, 10, 40, 30, 0, 0, 0, 0, 0])).toMatchObject({ level: 'ok', title: '2 cores, 70 % idle' });
    expect(passed([5, 5, 5, 70, 0, 5, 5, 0, 5, 0], 1).title).toBe('1 core, 74 % idle');
  });

  it('warns if the hypervisor steals more than 2 %', () => {
    const stolen = (share: number) => passed([0, 0, 0, 100 - share, 0, 0, 0, share, 0, 0]);
    expect([stolen(2).level, stolen(3).level]).toEqual(['ok', 'warning']);
    expect([stolen(3).remedy?.text.slice(0, 13), idle(10).remedy?.text.slice(0, 13)]).toEqual(['Use a machine', 'Close other p']);
    expect(stolen(3).evidence).toBe('A short reading. Taken by the hypervisor: 3 %.');
  });

  it('explains the effect of a busy processor on a generator and on a server', () => {
    expect([idle(10).matters, idle(10, { role: 'target' }).matters].map((words) => words.split('. ')[1])).toEqual([
      'It may send the load late and measure response times that are too long.',
      'The test measures what is left.',
    ]);
  });

  it('is unknown without two different readings or the number of cores', () => {
    const line = `cpu  ${'1 '.repeat(10).trim()}\n`;
    expect([
      processor.read([`${line}2\n`]),
      processor.read([`${line}${line}2\n`]),
      processor.read([`${line}cpu  2 2 2 2 2 2 2 2\n`]),
    ]).toEqual([null, null, null]);
  });

  it('reports the frequency governors', () => {
    expect(found(governor, ['Linux\nperformance\nschedutil\n'])).toMatchObject({
      level: 'ok',
      title: 'The clock rate follows “performance”, “schedutil”',
      matters: 'The cores can run at full speed.',
    });
    expect(found(governor, ['Linux\nperformance\npowersave\n'])).toMatchObject({
      level: 'info',
      matters: expect.stringContaining('below full speed'),
    });
    expect(found(governor, ['Linux\n']).title).toBe('The clock rate cannot be set here');
  });
});

describe('checks of open files', () => {
  it('require 200 more files per process than its connections', () => {
    const stated = (soft: number) => [`${soft}\n1000\n`];
    expect(levels(openFiles, stated, [209, 210])).toEqual(['problem', 'ok']);
    expect(levels(openFiles, stated, [209, 210], { role: 'target' })).toEqual(['info', 'ok']);
    expect(found(openFiles, ['unlimited\nunlimited\n'])).toMatchObject({ level: 'ok', title: 'Any number of open files allowed' });
    expect([openFiles.read(['many\n10\n']), openFiles.read(['0\n10\n']), openFiles.read(['10\n'])]).toEqual([null, null, null]);
  });

  it('require an administrator beyond the hard limit', () => {
    const risk = (hard: number) => found(openFiles, [`100\n${hard}\n`]).remedy?.risk;
    expect([risk(209), risk(210)]).toEqual([
      'Needs administrator rights, because the hard limit is lower.',
      'None. It lasts as long as that terminal.',
    ]);
  });

  it("warn from 80 % of the system's limit on", () => {
    const stated = (used: number) => [`/proc/sys/fs/file-nr ${used} 0 1000\n`];
    expect(levels(systemFiles, stated, [790, 791, 990, 991])).toEqual(['ok', 'warning', 'warning', 'problem']);
    expect(found(systemFiles, stated(790))).toMatchObject({
      evidence: '/proc/sys/fs/file-nr: at most 1,000',
      matters: 'This is enough for this plan.',
    });
    expect(found(systemFiles, [`/proc/sys/fs/file-nr 1 0 ${2 ** 60}\n`]).evidence).toBe('/proc/sys/fs/file-nr: no limit');
    expect([systemFiles.read(['/proc/sys/fs/file-nr 1 0 0\n']), systemFiles.read(['/proc/sys/fs/file-nr 1\n'])]).toEqual([null, null]);
  });

  it('recommend twice the present or the needed number', () => {
    const to = (used: number) => found(systemFiles, [`/proc/sys/fs/file-nr ${used} 0 1000\n`]).remedy?.change;
    expect([to(900), to(1_500)]).toEqual([
      { setting: 'fs.file-max', from: '1000', to: '2000' },
      { setting: 'fs.file-max', from: '1000', to: '3020' },
    ]);
  });
});

describe('checks of kernel tables', () => {
  const never: Partial<PlanInput> = {
    connections: { reuse: 'never' },
    load: { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 200, seconds: 600 }] },
  };

  it('compare the TIME_WAIT limit with the connections that a plan closes within 60 s', () => {
    const stated = (most: number) => [`/proc/sys/net/ipv4/tcp_max_tw_buckets ${most}\n`, ''];
    expect(levels(timeWaitBuckets, stated, [11_999, 12_000], { plan: never })).toEqual(['warning', 'ok']);
    expect(levels(timeWaitBuckets, stated, [1])).toEqual(['ok']);
    expect(found(timeWaitBuckets, stated(11_999), { plan: never })).toMatchObject({
      matters: expect.stringMatching(/^This plan can cause up to 12,000\./),
      remedy: { change: { from: '11999', to: '47996' } },
    });
    const overflowed = ['/proc/sys/net/ipv4/tcp_max_tw_buckets 9\n', 'TcpExt: TCPTimeWaitOverflow\nTcpExt: 1\n'];
    expect(found(timeWaitBuckets, overflowed)).toMatchObject({ level: 'warning', matters: 'Beyond it, connections skip TIME_WAIT.' });
  });

  it('warn if the firewall table is at least 80 % full', () => {
    const stated = (most: number) => [
      `Linux\n/proc/sys/net/netfilter/nf_conntrack_count 100\n/proc/sys/net/netfilter/nf_conntrack_max ${most}\n`,
    ];
    expect(levels(connectionTracking, stated, [109, 110, 137, 138])).toEqual(['problem', 'warning', 'warning', 'ok']);
    expect(found(connectionTracking, stated(109))).toMatchObject({
      title: 'The firewall tracks 100 of at most 109 connections',
      matters: expect.stringMatching(/^This plan may need 110\./),
      remedy: { change: { from: '109', to: '436' } },
    });
  });

  it('count firewall entries for two minutes, or for the load if it is shorter', () => {
    const wanted = (seconds: number): string =>
      found(connectionTracking, ['Linux\n/proc/sys/net/netfilter/nf_conntrack_count 0\n/proc/sys/net/netfilter/nf_conntrack_max 9\n'], {
        plan: { ...never, load: { model: 'arrivals', maxInFlight: 50, stages: [{ kind: 'constant', perSecond: 200, seconds }] } },
      }).matters.split('.')[0] ?? '';
    expect([wanted(10), wanted(600)]).toEqual(['This plan may need 2,050', 'This plan may need 24,050']);
  });

  it('explain the TIME_WAIT settings', () => {
    const reuse = (value: number) => found(timeWaitReuse, [`/proc/sys/net/ipv4/tcp_tw_reuse ${value}\n`]).matters.slice(0, 30);
    expect([0, 1, 2, 7].map(reuse)).toEqual([
      'A port is reused only after th',
      'A port is reused for the same ',
      'As 1, but only for loopback co',
      'The meaning of this value is u',
    ]);
    expect(found(timeWaitRecycle, ['Linux\n/proc/sys/net/ipv4/tcp_tw_recycle 0\n'])).toMatchObject({
      level: 'ok',
      title: 'tcp_tw_recycle is off',
      evidence: '/proc/sys/net/ipv4/tcp_tw_recycle: 0',
    });
    expect(found(timeWaitRecycle, ['Linux\n']).title).toBe('tcp_tw_recycle no longer exists');
  });
});

describe('check of the network', () => {
  const rate = (perSecond: number): FactsOfPlan => ({
    plan: { load: { model: 'arrivals', stages: [{ kind: 'constant', perSecond, seconds: 60 }] } },
    seen: { bytes: 1_460, seconds: 0.01, closesFirst: 'server' },
  });
  const line = (megabits: number) => [`link eth0 ${megabits} 1500 e1000e 10.0.0.2\n`];

  it("warns from 80 % of the link's capacity on", () => {
    // A link of 1,538 Mbit/s carries 125,000 responses of 1,460 bytes per second.
    expect([99_999, 100_001, 124_999, 125_001].map((perSecond) => found(networkLink, line(1_538), rate(perSecond)).level)).toEqual([
      'ok',
      'warning',
      'warning',
      'problem',
    ]);
  });

  it('judges the slowest link and reports its capacity', () => {
    const two = [`${line(1_000)[0] ?? ''}link eth1 100 1500 e1000e 10.0.0.3\n`];
    expect(found(networkLink, two)).toMatchObject({
      title: '100 Mbit/s',
      evidence: 'eth1 (e1000e)',
      matters: 'It carries at most 11.9 MB of responses a second.',
      level: 'ok',
    });
    expect(networkLink.read([''])).toBeNull();
  });

  it('reports an MTU other than 1,500, or the smallest of several', () => {
    const packets = (...sizes: readonly (number | string)[]) =>
      found(packetSize, [sizes.map((size, index) => `link eth${index} 100 ${size} e1000e 10.0.0.2\n`).join('')]);
    expect(packets(9_000, 1_400)).toMatchObject({ title: 'Packets of 1,400 bytes', evidence: 'MTU of eth1', level: 'info' });
    expect([packets(1_499).level, packets(1_500).level, packets(1_501).level]).toEqual(['info', 'ok', 'info']);
    expect(packetSize.read(['link eth0 100 - e1000e 10.0.0.2\n'])).toBeNull();
  });

  it('resolves host names only on a generator, and not for a Unix socket', () => {
    const applies = (about: FactsOfPlan) => resolution.appliesTo?.(factsFor(about));
    expect([applies({}), applies({ role: 'target' }), applies({ plan: { connections: { socketPath: '/run/a' } } })]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('checks of the surroundings', () => {
  it('accept a clock offset of up to one second', () => {
    const judge = (aheadMs: number) =>
      clock.judge(true, { ...factsFor({ plan: { load: with10 } }), isRemote: true, clock: { aheadMs, errorMs: 2, roundTripMs: 4 } });
    expect([judge(1_000).level, judge(1_001).level, judge(-1_000).level, judge(-1_001).level]).toEqual(['ok', 'info', 'ok', 'info']);
    expect([judge(3).title, judge(-3).title, judge(3).evidence]).toEqual([
      'Its clock is 3 ms ahead of ours',
      'Its clock is 3 ms behind ours',
      '± 2 ms',
    ]);
    expect(clock.judge(true, factsFor()).level).toBe('unknown');
    expect([clock.appliesTo?.(factsFor()), clock.appliesTo?.(factsFor({ isRemote: true }))]).toEqual([false, true]);
  });

  it('accept Node.js 22 or newer, taking the newest of several', () => {
    const judge = (text: string, isRemote = true) => found(nodeVersion, [text], { isRemote });
    expect([judge('v21.9.0\nlooked').level, judge('v22.0.0\nlooked').level, judge('v21.9.0\nlooked', false).level]).toEqual([
      'warning',
      'info',
      'info',
    ]);
    expect(judge('v9.0.0\nv22.1.0\nv18.0.0\nlooked').title).toBe('Node.js 22.1.0');
    expect(judge('v18.0.0\nlooked').remedy?.command).toContain('--install-node');
    expect(judge('v18.0.0\nlooked', false)).toMatchObject({ remedy: null, matters: 'Holdfast includes its own.' });
    expect(nodeVersion.read(['v26.0.0\n'])).toBeNull();
  });

  it('warn unless a database has four free connections and 20 % of its limit', () => {
    const stated = (open: number) => [`looked\nlistens\nPostgreSQL ${open} 100\n`];
    expect(levels(databaseConnections, stated, [80, 81, 96, 97])).toEqual(['ok', 'warning', 'warning', 'problem']);
    const two = found(databaseConnections, ['looked\nPostgreSQL 1 100\nMySQL 90 100\n']);
    expect(two).toMatchObject({
      level: 'warning',
      title: 'MySQL has 90 of at most 100 connections open',
      evidence: 'PostgreSQL: 1 of max_connections 100; MySQL: 90 of max_connections 100',
    });
    expect(databaseConnections.read([''])).toBeNull();
  });

  it("show the first three different lines of a balancer's configuration", () => {
    const lines = ['ip_hash;', 'ip_hash;', 'hash $remote_addr;', 'balance source', 'hash $binary_remote_addr;'];
    expect(found(balancing, [`looked\n ${lines.join('\n ')}\n`]).evidence).toBe('ip_hash; · hash $remote_addr; · balance source');
    const several = { plan: { connections: { localAddresses: ['10.0.0.1', '10.0.0.9'] } } };
    expect(found(balancing, ['looked\nip_hash;\n'], several).matters).toContain('unless its 2 addresses are spread');
    expect(found(balancing, ['looked\nip_hash;\n']).matters).not.toContain('unless');
    expect(balancing.read(['ip_hash;\n'])).toBeNull();
  });
});
