import type { Point } from '#core/result/schema.ts';
import { formatCount, formatMs, formatNumber, formatPercent, formatRate, formatSeconds, formatShare } from '#core/base/units.ts';
import { answered, figure, rangeOf, type Rule } from '../rule.ts';

/** With these a proxy says that it has no connection left for the server behind it: nginx 500 without a free file, others 502 or 503. */
const NO_SLOT = ['500', '502', '503'] as const;
/** A second in which so many of the answers are of that kind is one of refusal. */
const REFUSING = 0.2;
const LEAST_SLOTS = 20;
/** Answering so takes no work. */
const QUICK_MS = 100;
/** Or it takes about as long as a good answer, where the way there takes longest. */
const LIKE_GOOD = 1.5;
/** So many of the good answers before the first refusal must have had a connection of their own. */
const OWN_CONNECTION = 0.8;

/**
 * A proxy that holds a slot (a file, a connection) for each visitor's open connection refuses once all are taken: it answers at once, and well only as many a second as
 * slots come free, slots / keep-alive seconds, whatever is asked for and however trivial the page is. Told by connections that are opened for each visitor, quick
 * failures, and as many good answers before the first as there are slots.
 */
export const proxySlots: Rule = {
  id: 'proxySlots',
  find({ plan, windows, status, ledger, latencyByStatusClass, connectionsOpened, requestsOnReusedConnection }) {
    const complete = answered(ledger.requests);
    const refusals = NO_SLOT.reduce((sum, code) => sum + (status[code] ?? 0), 0);
    const times = latencyByStatusClass['5xx']?.p50;
    const good = latencyByStatusClass['2xx']?.p50;
    if (typeof times !== 'number' || refusals < 0.05 * complete || ledger.requests.ok < LEAST_SLOTS) return [];
    if (times > Math.max(QUICK_MS, typeof good === 'number' ? LIKE_GOOD * good : 0)) return [];
    // Connections that are used again and again are few, and those that are closed after each answer hold nothing.
    if (plan.connections.reuse === 'never' || requestsOnReusedConnection > 0.5 * complete) return [];
    const first = windows.findIndex(isRefusing);
    const before = windows.slice(0, first + 1);
    const slots = before.reduce((sum, { ok }) => sum + ok, 0);
    if (first < 0 || slots < LEAST_SLOTS || connectionsOpened < OWN_CONNECTION * slots) return [];
    const after = windows.slice(first + 1).filter(({ completed }) => completed > 0);
    const seconds = after.reduce((sum, { width }) => sum + width, 0);
    const freed = after.reduce((sum, { ok }) => sum + ok, 0);
    const perSecond = seconds > 0 ? freed / seconds : null;
    const heldSeconds = heldFor(windows, slots);
    const code = NO_SLOT.toSorted((one, other) => (status[other] ?? 0) - (status[one] ?? 0))[0] ?? '500';
    const at = windows[first]?.second ?? 0;
    return [
      {
        id: this.id,
        level: 'problem',
        sentence: `The proxy ran out of slots: it took ${formatCount(slots)} connections, and from second ${formatNumber(at)} on ${formatShare(refusals / complete)} of the answers were a quick ${code}. It is not the page that is too slow.`,
        evidence: [
          'Each visitor’s connection holds a slot of the proxy until its keep-alive time is over, whether anything is asked or not. So the good answers a second are slots / keep-alive seconds, however much is asked for.',
          heldSeconds === null
            ? 'How long a slot is held cannot be told from this run: too few came free.'
            : `${formatCount(slots)} slots / ${formatRate(slots / heldSeconds)} = ${formatSeconds(heldSeconds)} for which each is held.`,
        ],
        figures: [
          figure('Good answers before the first refusal', formatCount(slots)),
          figure('Good answers a second after it', formatRate(perSecond)),
          figure(
            `Answers ${code}`,
            `${formatCount(status[code] ?? 0)} of ${formatCount(complete)} (${formatPercent((status[code] ?? 0) / complete)})`,
          ),
          figure('Half of these within', formatMs(times)),
          figure('Connections opened', formatCount(connectionsOpened)),
        ],
        remedy:
          'Give the proxy more files and connections (in nginx worker_rlimit_nofile and worker_connections), or let it keep idle connections for less time (keepalive_timeout). More servers behind it do not help. A limit of the rate for each visitor looks alike: see the proxy’s error log.',
        confidence: code === '503' ? 'possible' : 'likely',
        range: rangeOf(windows.filter(isRefusing)),
        insteadOf: NO_SLOT.map((refusal) => `unexpectedStatus.${refusal}`),
      },
    ];
  },
};

/**
 * How long a slot is held, in seconds. As long as there are refusals a slot is taken again at once when it comes free, so between any good answer and the one that
 * is as many later as there are slots lies the time for which one is held. Told from the middle of the first fill on, in whole rounds; null for less than one.
 */
function heldFor(windows: readonly Point[], slots: number): number | null {
  const total = windows.reduce((sum, { ok }) => sum + ok, 0);
  const rounds = Math.floor(total / slots - 0.5);
  const [from, to] = [secondOf(windows, slots / 2), secondOf(windows, slots * (0.5 + rounds))];
  return rounds < 1 || from === null || to === null || to <= from ? null : (to - from) / rounds;
}

/** When the good answer of this number came, as if those of a second came evenly. */
function secondOf(windows: readonly Point[], number: number): number | null {
  let seen = 0;
  for (const { second, width, ok } of windows) {
    if (seen + ok >= number) return second + width * ((number - seen) / ok);
    seen += ok;
  }
  return null;
}

function isRefusing({ status, completed }: Point): boolean {
  const refusals = NO_SLOT.reduce((sum, code) => sum + (status[code] ?? 0), 0);
  return completed > 0 && refusals > REFUSING * completed;
}
