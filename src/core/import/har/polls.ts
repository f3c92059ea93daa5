import { isBlock, parseJson } from '#core/base/json.ts';
import { looksGenerated } from '../recording/leaves.ts';
import { formPairs } from '../requestParts.ts';
import type { Entry } from './readEntry.ts';

/** A request that a page repeated at an interval. */
export interface Poll {
  readonly everySeconds: number;
  readonly times: number;
}

const MIN_TIMES = 3;
/** Minimum interval in seconds. Faster requests are parts of a page. */
const MIN_INTERVAL_SECONDS = 0.4;
/** Minimum share of gaps between calls that deviate from the usual gap by at most MAX_GAP_DEVIATION. */
const MIN_REGULAR_SHARE = 0.8;
const MAX_GAP_DEVIATION = 0.3;
/** Matches names of parameters and fields that select an operation if one address serves several operations. */
const OPERATION_NAME_PATTERN = /^_?(action|cmd|command|controller|do|function|method|mode|op|operation|r|route|task|type)$/i;
const MAX_OPERATION_LETTERS = 40;

/**
 * Finds calls that pages made at an interval, such as a poll for news or an autosave. One call of each kind gets the interval, and the
 * other calls get null. The first call that writes stays a separate step, because later calls may change what it created.
 */
export function readPolls(entries: readonly Entry[]): ReadonlyMap<Entry, Poll | null> {
  const found = new Map<Entry, Poll | null>();
  const pages = new Map<Entry, number>();
  let page = 0;
  for (const entry of entries) {
    if (entry.kind.is === 'page' && !entry.isFramed) page += 1;
    pages.set(entry, page);
  }
  // Without recorded actions, a form that the person submits into a frame looks like one that a script submits.
  const knowsActions = entries.some(({ action }) => action !== null);
  const isFramedCall = ({ kind, isFramed, action }: Entry): boolean => kind.is === 'page' && isFramed && action === null && knowsActions;
  const calls = entries.filter((entry) => (entry.kind.is === 'call' || isFramedCall(entry)) && entry.status > 0 && entry.startMs !== null);
  for (const alike of Map.groupBy(calls, kindOf).values()) {
    const everySeconds = findPollInterval(alike, pages);
    if (everySeconds === null || isWait(alike)) continue;
    const isWriting = alike[0]?.method !== 'GET' && alike[0]?.method !== 'HEAD';
    for (const [index, entry] of alike.slice(isWriting ? 1 : 0).entries())
      found.set(entry, index === 0 ? { everySeconds, times: alike.length } : null);
  }
  return found;
}

/** Returns whether the page waited for a result: the same response came repeatedly until a different one ended the wait. */
function isWait(alike: readonly Entry[]): boolean {
  const texts = alike.map(({ responseText }) => responseText);
  const before = texts.slice(0, -1);
  return alike[0]?.method === 'GET' && new Set(before).size < before.length && !before.includes(texts.at(-1) ?? null);
}

/** Returns what identifies a kind of call: its address without numeric and generated parameters, and its operation or field names. */
function kindOf({ method, url, body }: Entry): string {
  const [path = '', query = ''] = url.split('#', 1)[0]?.split('?', 2) ?? [];
  const asked = (formPairs(query) ?? [])
    .filter(([, value]) => !/^[\d.]*$/.test(value) && !looksGenerated(value))
    .map((pair) => pair.join('='));
  const sent = body === null ? [] : listSentPairs(body);
  const operations = sent
    .filter(([name, value]) => OPERATION_NAME_PATTERN.test(name) && value.length <= MAX_OPERATION_LETTERS)
    .map((pair) => pair.join('='));
  const names = operations.length > 0 ? operations : sent.map(([name]) => name);
  return [method, path, ...asked.toSorted(), body?.type.split(';', 1)[0] ?? '', ...names].join('\n');
}

function listSentPairs({ type, text, params }: NonNullable<Entry['body']>): (readonly [string, string])[] {
  if (params.length > 0) return [...params];
  if (/x-www-form-urlencoded/i.test(type)) return [...(formPairs(text) ?? [])];
  const json = parseJson(text);
  return isBlock(json) ? Object.entries(json).map(([name, value]) => [name, typeof value === 'string' ? value : ''] as const) : [];
}

/** Returns the usual interval between calls on the same page, in seconds; null if there is none, or if the person caused each call. */
function findPollInterval(alike: readonly Entry[], pages: ReadonlyMap<Entry, number>): number | null {
  if (alike.length < MIN_TIMES) return null;
  const actions = alike.map(({ action }) => action);
  if (!actions.includes(null) && new Set(actions).size === actions.length) return null;
  const gaps = alike.slice(1).flatMap((entry, index) => {
    const before = alike[index];
    const isSamePage = before !== undefined && pages.get(before) === pages.get(entry);
    return isSamePage ? [((entry.startMs ?? 0) - (before.startMs ?? 0)) / 1_000] : [];
  });
  const usual = gaps.toSorted((one, other) => one - other)[Math.floor(gaps.length / 2)] ?? 0;
  if (gaps.length < MIN_TIMES - 1 || usual < MIN_INTERVAL_SECONDS) return null;
  const regular = gaps.filter((gap) => Math.abs(gap - usual) <= MAX_GAP_DEVIATION * usual);
  return regular.length >= MIN_REGULAR_SHARE * gaps.length ? Math.round(usual * 10) / 10 : null;
}
