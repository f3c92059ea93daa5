import type { CallInput, CallName, StreamName } from '#contract/api.ts';
import type { Client } from '#contract/rpc/client.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { formatNumber, formatSeconds } from '#core/base/units.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { describePlan } from '#core/review/describe.ts';
import type { SearchDocument } from '#core/search/result.ts';

/** Limits for the load of an assistant. A person can raise them with options of `holdfast mcp`. */
export interface LoadCaps {
  readonly maxPerSecond: number;
  readonly maxSeconds: number;
}

/** Calls that an assistant may make. All others change hosts, settings, results or consent, which only a person may do. */
const ALLOWED_CALLS: ReadonlySet<CallName> = new Set<CallName>([
  'app.info',
  'presets.list',
  'presets.build',
  'plans.parse',
  'plans.asks',
  'plans.try',
  'targets.probe',
  'runs.start',
  'runs.stop',
  'runs.list',
  'runs.result',
  'runs.points',
  'runs.distribution',
  'runs.samples',
  'runs.export',
  'comparisons.make',
  'baselines.list',
  'baselines.compare',
  'series.list',
  'series.result',
  'series.export',
  'searches.start',
  'searches.stop',
  'searches.list',
  'searches.result',
  'searches.export',
]);
const ALLOWED_STREAMS: ReadonlySet<StreamName> = new Set<StreamName>(['runs.watch', 'searches.watch']);

/**
 * Restricts a client to what an assistant may do: certain calls, on this computer only, with a limited load. `onStart` receives the id of
 * each run. Throws `NOT_FOR_ASSISTANTS` or `LOAD_CAP`.
 */
export function guardClient(client: Client, caps: LoadCaps, onStart: (runId: string) => void): Client {
  return {
    async call(name, input) {
      if (!ALLOWED_CALLS.has(name)) throw notForAssistants(name);
      const reply = await client.call(name, boundLoad(name, input, caps));
      if (name === 'runs.start') onStart((reply as { readonly runId: string }).runId);
      return reply;
    },
    open(name, input, listener) {
      if (!ALLOWED_STREAMS.has(name)) throw notForAssistants(name);
      return client.open(name, input, listener);
    },
    close: () => undefined,
  };
}

/** Returns the input of a call after limiting the load of its plan. Throws if the plan asks for more than is allowed. */
function boundLoad<Name extends CallName>(name: Name, input: CallInput<Name>, caps: LoadCaps): CallInput<Name> {
  if (name === 'runs.start') {
    const asked = input as CallInput<'runs.start'>;
    refuseHosts(asked.on);
    refuseLargePlan(asked.plan as Plan, caps);
    return { ...asked, plan: withLimits(asked.plan as Plan, caps) } as CallInput<Name>;
  }
  if (name === 'searches.start') {
    const asked = input as CallInput<'searches.start'>;
    refuseHosts(asked.document.on);
    const document = asked.document as SearchDocument;
    refuseLargeSearch(document, caps);
    return { ...asked, document: { ...document, plan: withLimits(document.plan, caps) } } as CallInput<Name>;
  }
  return input;
}

function refuseHosts(on: readonly string[] | undefined): void {
  if (on !== undefined) throw notForAssistants('load generators on other hosts');
}

function refuseLargePlan(plan: Plan, { maxPerSecond, maxSeconds }: LoadCaps): void {
  const { arrivalsPerSecond, durationSeconds } = describePlan(plan);
  if (arrivalsPerSecond === null)
    throw overCap(
      'The number of requests a second depends on how fast the server responds.',
      `Use the load model “arrivals” with at most ${formatNumber(maxPerSecond)} requests a second.`,
    );
  if (arrivalsPerSecond > maxPerSecond)
    throw overCap(
      `The plan sends ${formatNumber(arrivalsPerSecond)} requests a second; an assistant may send ${formatNumber(maxPerSecond)}.`,
      RAISE_RATE,
    );
  if (durationSeconds === null || durationSeconds > maxSeconds)
    throw overCap(
      `The plan takes ${durationSeconds === null ? 'an unknown time' : formatSeconds(durationSeconds)}; an assistant may load ${formatSeconds(maxSeconds)}.`,
      'Shorten its stages. A person can raise this: holdfast mcp --max-seconds N',
    );
}

const RAISE_RATE = 'Lower the load. A person can raise this: holdfast mcp --max-rate N';

function refuseLargeSearch({ kind, plan, settings }: SearchDocument, { maxPerSecond, maxSeconds }: LoadCaps): void {
  if (kind !== 'breakingPoint' || plan.load.model !== 'arrivals')
    throw overCap('Only the search for a breaking point by arrivals has a bounded load.', 'Use the load model “arrivals”.');
  const { to, secondsEach, recovery, waitsForReset } = settings;
  if (waitsForReset)
    throw new HoldfastError({
      code: 'NOT_FOR_ASSISTANTS',
      message: 'Between its levels, this search waits until a person has reset the server.',
      hint: 'A person can run it in the app, or on the command line with a command that resets the server: holdfast breaking-point PLAN --before COMMAND',
    });
  if (recovery) throw overCap('The recovery test loads beyond the highest level.', 'Search without it.');
  if (to === undefined || to * plan.journey.length > maxPerSecond)
    throw overCap(`The highest level may send ${formatNumber(maxPerSecond)} requests a second.`, RAISE_RATE);
  if (secondsEach > maxSeconds)
    throw overCap(
      `A level may take ${formatSeconds(maxSeconds)}.`,
      'Shorten the levels. A person can raise this: holdfast mcp --max-seconds N',
    );
}

/** Returns the plan with safety limits that end the run at the maximum number of requests, including redirects, polls and linked files. */
function withLimits(plan: Plan, { maxPerSecond, maxSeconds }: LoadCaps): Plan {
  const maxRequests = Math.max(1, Math.floor(maxPerSecond * maxSeconds));
  return { ...plan, safety: { ...plan.safety, maxRequests: Math.min(plan.safety.maxRequests ?? maxRequests, maxRequests) } };
}

function overCap(message: string, hint: string): HoldfastError {
  return new HoldfastError({ code: 'LOAD_CAP', message, hint });
}

function notForAssistants(what: string): HoldfastError {
  return new HoldfastError({
    code: 'NOT_FOR_ASSISTANTS',
    message: `An assistant may not do this (${what}).`,
    hint: 'A person can do it in the app or on the command line.',
  });
}
