import { getOwn } from '#core/base/ownMembers.ts';
const UNIT_SECONDS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3_600 };

/** Seconds of "10", "10s", "500ms", "1m30s" or "2h"; null for anything else. A number without a unit is in seconds. */
export function parseDurationSeconds(text: string): number | null {
  if (/^\d+(\.\d+)?$/.test(text)) return positive(Number(text));
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return null;
  let seconds = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g))
    seconds += Number(amount) * (getOwn(UNIT_SECONDS, unit ?? '') ?? 0);
  return positive(seconds);
}

function positive(seconds: number): number | null {
  return seconds > 0 ? seconds : null;
}
