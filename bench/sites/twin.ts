import type { Plan } from '#core/plan/schema/plan.ts';
import { namesIn } from '#core/plan/secrets.ts';
import { planLeaves, recordedLeaves } from '#core/import/recording/leaves.ts';
import type { Walk, WalkedStep } from '#core/import/recording/walk.ts';

/** The values of a journey that two users walked. */
export interface Values {
  /** Values that the second user's browser took from a response and that differ from the first user's. */
  readonly changing: number;
  readonly captured: number;
  readonly missed: readonly string[];
  /** Captured values that both browsers sent equally. */
  readonly needless: readonly string[];
  /** Values that differ and occur in no response: pages compute them. */
  readonly computed: readonly string[];
}

/**
 * Compares a plan with two recordings of the same journey by two users: what the browsers sent differently changes, whatever it looks like.
 * Account names and drawn texts are known and not counted.
 */
export function compareTwins(plan: Plan, own: Walk, twin: Walk): Values {
  const values = { changing: 0, captured: 0, missed: [] as string[], needless: [] as string[], computed: [] as string[] };
  const others = new Map(keyed(twin));
  for (const [key, step] of keyed(own)) {
    const twinStep = others.get(key);
    const other = twinStep?.exchanges[0];
    const request = step.exchanges[0];
    const planned = plan.journey.find(({ name }) => name === step.step);
    if (request === undefined || twinStep === undefined || other === undefined || planned === undefined) continue;
    const texts = new Map(planLeaves(planned).map((leaf) => [leaf.key, leaf.text]));
    const twins = new Map(recordedLeaves(other).map((leaf) => [leaf.key, leaf.value]));
    for (const { key: at, value, place } of recordedLeaves(request)) {
      const [text, now] = [texts.get(at), twins.get(at)];
      if (text === undefined || text === null || now === undefined || value === '' || place === 'body') continue;
      const names = namesIn(text);
      const isCaptured = names.some((name) => name.startsWith('cookie.') || isCapture(plan, name));
      const told = `${step.step}: ${at} = ${value.slice(0, 60)} → ${text.slice(0, 60)}`;
      if (value === now) {
        if (isCaptured) values.needless.push(told);
      } else if (isCaptured || wereBothReceived({ walk: own, step, value }, { walk: twin, step: twinStep, value: now })) {
        if (!isCaptured && names.length > 0) continue;
        values.changing += 1;
        if (isCaptured) values.captured += 1;
        else values.missed.push(told);
      } else if (names.length === 0) values.computed.push(told);
    }
  }
  return values;
}

function isCapture({ journey }: Plan, name: string): boolean {
  return journey.some(({ captures }) => captures?.some(({ as }) => as === name) === true);
}

/** Keys steps by request without session-specific parts. Parallel requests of a page come in any order. */
function keyed(walk: Walk): [string, WalkedStep][] {
  const seen = new Map<string, number>();
  return walk.map((step) => {
    const request = step.exchanges[0];
    const { method = '', url = '' } = request ?? {};
    const path = URL.canParse(url) ? new URL(url).pathname : url;
    const words = (request === undefined ? [] : recordedLeaves(request)).filter(
      ({ place, value }) => (place === 'query' || place === 'form') && /^[a-z_-]{1,40}$/i.test(value),
    );
    const key = `${method} ${path.replaceAll(/[^/]*\d[^/]*/g, '*')} ${words.map(({ name, value }) => `${name}=${value}`).join(' ')}`;
    const count = seen.get(key) ?? 0;
    seen.set(key, count + 1);
    return [`${key} ${count}`, step];
  });
}

const SIGNS = /[\s,;|&=?/:"'{}()[\]<>\\]+/;

interface Sent {
  readonly walk: Walk;
  readonly step: WalkedStep;
  readonly value: string;
}

/** Returns whether a value, or its differing part, was in a response of each recording. */
function wereBothReceived(one: Sent, other: Sent): boolean {
  const [before, beforeOther] = [textsBefore(one), textsBefore(other)];
  const [parts, otherParts] = [one.value.split(SIGNS), other.value.split(SIGNS)];
  const pairs = parts.length === otherParts.length ? parts.map((part, at) => [part, otherParts[at] ?? ''] as const) : [];
  return [[one.value, other.value] as const, ...pairs].some(
    ([first, second]) => first !== second && first !== '' && second !== '' && before.includes(first) && beforeOther.includes(second),
  );
}

function textsBefore({ walk, step }: Sent): string {
  return walk
    .slice(0, walk.indexOf(step))
    .flatMap(({ exchanges }) => exchanges.map(({ text, answerHeaders }) => `${answerHeaders.flat().join('\n')}\n${text ?? ''}`))
    .join('\n');
}
