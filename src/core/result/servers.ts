import { z } from 'zod';
import { MAX_NAMES, OTHERS } from '#core/base/foreignNames.ts';
import { setOwn } from '#core/base/ownMembers.ts';
import { listRecordedRequests } from '#core/plan/requests.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { isAddress, parseServerNames, type StatedServers, targetName, targetOfServer } from '#core/plan/serverNames.ts';
import { addCounters, SERVER_COUNTERS } from '#core/measurement/counters.ts';
import type { Cell, ServerCount, Window } from '#core/measurement/window.ts';
import { emptyServerCount } from '#core/measurement/windowFold.ts';
import { createServerWindowCounts, ServerSilence, silenceSchema, type ServerWindowCounts } from './serverSilence.ts';

/** Results of one of several servers in a run, warm-up included. */
export const serverResultSchema = z.strictObject({
  name: z.string(),
  /** Number of complete responses, successful or not. `share`: the server's share of all servers' responses. */
  responded: z.int(),
  share: z.number(),
  failed: z.int(),
  /** Number of failed requests without a complete response. */
  withoutResponse: z.int(),
  /** Number of requests that a proxy sent to this server, but to which another server, or the proxy with 502 or 504, responded. */
  tried: z.int().default(0),
  /** Mean service time in ms; null if there are no responses. */
  meanMs: z.number().nullable(),
  /** Numbers of responses and failures by step name; omitted in older results. */
  steps: z.record(z.string(), z.strictObject({ responded: z.int(), failed: z.int() })).optional(),
  /** Times in which requests were sent to the server but it sent no response. */
  silent: z.array(silenceSchema),
});
export type ServerResult = z.output<typeof serverResultSchema>;

/** Responses for which a proxy had no server left. */
export const noServerSchema = z.strictObject({
  /** Name of the server group in the proxy. */
  name: z.string(),
  responses: z.int(),
  fromSecond: z.number(),
  toSecond: z.number(),
});
export type NoServerResponses = z.output<typeof noServerSchema>;

/** Time in seconds for which hanging responses may still arrive after a server continued. */
const SETTLING_SECONDS = 2;

interface ServerTotals {
  readonly total: ServerCount;
  /** Counts by index of the recorded request. */
  readonly steps: Map<number, { responded: number; failed: number }>;
  tried: number;
  readonly silence: ServerSilence;
  fromSecond: number | null;
  toSecond: number;
}

type TalliedServers = ReadonlyMap<string, Pick<ServerResult, 'silent'> & Pick<ServerTotals, 'total' | 'tried' | 'steps'>>;

/**
 * Sums the results of each of several servers. Windows must be in order of time. Only a response names the server behind a target. A
 * request without a response belongs to the target, whose servers are silent while none of them responds.
 */
export class ServerTally {
  private readonly seen = new Map<string, ServerTotals>();
  /** Parsed values of the first server headers; each value is parsed once. */
  private readonly stated = new Map<string, StatedServers>();
  /** State of a server that has not responded. */
  private readonly unheard = new ServerSilence();
  /** Number of servers that are known from the beginning. */
  private readonly expected: number;
  private readonly targets: ReadonlySet<string>;
  /** Second from which slow responses are not those of a hanging server. */
  private settledAtSecond = 0;
  /** Names of the recorded requests, by index. */
  private readonly stepNames: readonly string[];

  constructor(plan: Pick<Plan, 'targets' | 'servers' | 'journey'>) {
    const { targets, servers } = plan;
    this.stepNames = listRecordedRequests(plan).map(({ name }) => name);
    this.expected = targets.length > 1 ? targets.length : (servers?.expected ?? 0);
    this.targets = new Set(targets.length > 1 ? targets.map((_, index) => targetName(plan, index)) : []);
    for (const name of this.targets) this.findOrAddServer(name);
  }

  add(window: Window): void {
    const countsByServer = this.countByServer(window);
    const all = { good: 0, failed: 0, longestUs: 0 };
    for (const cell of window.cells) addCell(all, cell);
    for (const { good } of countsByServer.values()) all.good += good;
    for (const [name, { count, tried }] of countsByServer) {
      const seen = this.findOrAddServer(name);
      addCounters(SERVER_COUNTERS, seen.total, count);
      seen.tried += tried;
      if (count.responded === 0) continue;
      seen.fromSecond ??= window.second;
      seen.toSecond = window.second + window.width;
    }
    let isOver = false;
    for (const [name, { silence }] of this.seen) {
      const counts = countsByServer.get(name) ?? createServerWindowCounts();
      // A response of a server also ends the silence of its target, to which the requests without a response belong.
      const behind = [...countsByServer].reduce((sum, [other, its]) => sum + (targetOfServer(other) === name ? its.good : 0), 0);
      if (silence.add(window, { ...counts, good: counts.good + behind }, all)) isOver = true;
    }
    if (isOver) this.settledAtSecond = window.second + window.width + SETTLING_SECONDS;
    const isSettled = window.second >= this.settledAtSecond && ![...this.seen.values()].some(({ silence }) => silence.isEnding);
    if (isSettled) for (const { silence } of this.seen.values()) silence.addUsual(all.longestUs);
    this.unheard.add(window, createServerWindowCounts(), all);
  }

  /** Returns the results by name, with `shard-2` before `shard-10`. */
  results(): ServerResult[] {
    const servers = addUnnamed(this.servers());
    const responded = [...servers.values()].reduce((sum, { total }) => sum + total.responded, 0);
    return [...servers.entries()]
      .map(([name, { total, tried, steps, silent }]) => ({
        name,
        responded: total.responded,
        share: responded === 0 ? 0 : total.responded / responded,
        failed: total.failed,
        withoutResponse: total.withoutResponse,
        tried,
        meanMs: total.responded === 0 ? null : total.serviceUs / total.responded / 1_000,
        steps: this.countsByStepName(steps),
        silent,
      }))
      .sort((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }));
  }

  /** Returns the responses for which a proxy had no server; null if one was always available. */
  noServer(): NoServerResponses | null {
    const groups = [...this.seen].filter(([name, { total }]) => this.isGroup(name) && total.responded > 0);
    const [first] = groups;
    if (first === undefined) return null;
    return {
      name: first[0],
      responses: groups.reduce((sum, [, { total }]) => sum + total.responded, 0),
      fromSecond: Math.min(...groups.map(([, { fromSecond }]) => fromSecond ?? 0)),
      toSecond: Math.max(...groups.map(([, { toSecond }]) => toSecond)),
    };
  }

  private countsByStepName(steps: ServerTotals['steps']): NonNullable<ServerResult['steps']> {
    const named: NonNullable<ServerResult['steps']> = {};
    for (const [step, counts] of steps) setOwn(named, this.stepNames[step] ?? String(step), { ...counts });
    return named;
  }

  private servers(): TalliedServers {
    const isKnown = [...this.seen].filter(([name, { total }]) => !this.isGroup(name) && total.responded > 0).length <= this.expected;
    const named = [...this.seen].flatMap(([name, { total, tried, steps, silence }]) => {
      if (this.isGroup(name)) return [];
      const silent = silence.listSilences(isKnown);
      // A target without counts got no requests, or its servers report for it.
      const isNothing = total.responded + total.withoutResponse + tried + silent.length === 0;
      return isNothing ? [] : [[name, { total, tried, steps, silent }] as const];
    });
    return new Map(named);
  }

  private isGroup(name: string): boolean {
    return name !== OTHERS && !isAddress(name) && !this.targets.has(name) && [...this.seen.keys()].some((other) => isSameKind(name, other));
  }

  private findOrAddServer(name: string): ServerTotals {
    let seen = this.seen.get(name);
    if (seen === undefined)
      this.seen.set(
        name,
        (seen = { total: emptyServerCount(), tried: 0, steps: new Map(), silence: this.unheard.copy(), fromSecond: null, toSecond: 0 }),
      );
    return seen;
  }

  private countByServer({ cells }: Window): Map<string, ServerWindowCounts> {
    const countsByServer = new Map<string, ServerWindowCounts>();
    const findOrAddCounts = (name: string): ServerWindowCounts => {
      let counts = countsByServer.get(name);
      if (counts === undefined) countsByServer.set(name, (counts = createServerWindowCounts()));
      return counts;
    };
    for (const cell of cells)
      for (const [stated, count] of Object.entries(cell.servers)) {
        const { name, tried } = this.splitStatement(stated);
        const proxyErrors = isAddress(name) && name !== OTHERS ? Math.min(count.failed - count.withoutResponse, countProxyErrors(cell)) : 0;
        const counts = findOrAddCounts(name);
        addTo(this.findOrAddServer(name).steps, cell.step, count);
        addCounters(SERVER_COUNTERS, counts.count, count);
        counts.good += count.responded - proxyErrors;
        counts.tried += proxyErrors;
        counts.lost += proxyErrors + count.withoutResponse;
        for (const other of tried) {
          const otherCounts = findOrAddCounts(other);
          otherCounts.tried += count.responded;
          otherCounts.lost += count.responded;
          otherCounts.hungUs = Math.max(otherCounts.hungUs, count.responded === 0 ? 0 : count.serviceUs / count.responded);
        }
      }
    return countsByServer;
  }

  private splitStatement(stated: string): StatedServers {
    let parts = this.stated.get(stated);
    if (parts !== undefined) return parts;
    if (this.stated.size >= MAX_NAMES) return { name: OTHERS, tried: [] };
    parts = parseServerNames(stated);
    this.stated.set(stated, parts);
    return parts;
  }
}

function addTo(steps: ServerTotals['steps'], step: number, { responded, failed }: Pick<ServerCount, 'responded' | 'failed'>): void {
  const before = steps.get(step);
  steps.set(step, { responded: (before?.responded ?? 0) + responded, failed: (before?.failed ?? 0) + failed });
}

/** Returns whether both are addresses behind the same target. */
function isSameKind(name: string, other: string): boolean {
  return other !== name && isAddress(other) && targetOfServer(other) === targetOfServer(name);
}

/** Returns the number of responses that a proxy sent because its server did not respond. */
function countProxyErrors({ statuses }: Cell): number {
  return (statuses.get(502) ?? 0) + (statuses.get(504) ?? 0);
}

function addCell(into: { failed: number; longestUs: number }, { outcomes, times }: Cell): void {
  for (const [outcome, count] of Object.entries(outcomes)) if (outcome !== 'ok') into.failed += count;
  into.longestUs = Math.max(into.longestUs, times.serviceOk?.maxValue ?? 0, times.serviceFailed?.maxValue ?? 0);
}

/** Adds the requests without a response to the server of a target, if the target has a single server with a name. */
function addUnnamed(seen: TalliedServers): TalliedServers {
  const all = new Map(seen);
  for (const [target, { total, tried, steps: own, silent }] of seen) {
    const [only, ...others] = [...seen.keys()].filter((name) => targetOfServer(name) === target);
    const named = only === undefined ? undefined : all.get(only);
    if (only === undefined || named === undefined || others.length > 0) continue;
    const sum = emptyServerCount();
    addCounters(SERVER_COUNTERS, sum, named.total);
    addCounters(SERVER_COUNTERS, sum, total);
    all.delete(target);
    const silences = [...named.silent, ...silent].toSorted((one, other) => one.fromSecond - other.fromSecond);
    const steps = new Map(named.steps);
    for (const [step, counts] of own) addTo(steps, step, counts);
    all.set(only, { total: sum, tried: named.tried + tried, steps, silent: silences });
  }
  return all;
}

type ServerSilences = Pick<ServerResult, 'silent'>;

/**
 * Returns whether requests were lost while a server was silent, which means that it was away. If all requests got a response in the end,
 * the server only stood still.
 */
export function wasAway({ silent }: ServerSilences): boolean {
  return silent.some(({ lost }) => lost > 0);
}

export function formatSilentKind(server: ServerSilences): 'was away' | 'stood still' {
  return wasAway(server) ? 'was away' : 'stood still';
}
