import type { z } from 'zod';
import { schemaIssues } from '#core/plan/schemaIssues.ts';
import type { Issue } from '#core/plan/issues.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { ENTER_WHOLE_NUMBER } from '#core/base/units.ts';

/** Returns the issue for an invalid option. */
export function badOption(option: string, text: string, hint: string): Issue {
  return {
    level: 'error',
    code: 'BAD_OPTION',
    path: option,
    message: `${text === '' ? option : `${option} ${text}`} cannot be used.`,
    hint,
  };
}

export function collect(value: string, earlier: string[]): string[] {
  return [...earlier, value];
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3_600 };

/** Parses "10", "10s", "500ms", "1m30s" or "2h" as seconds; returns null for anything else. A number without a unit is in seconds. */
export function parseDurationSeconds(text: string): number | null {
  if (/^\d+(\.\d+)?$/.test(text)) return positiveOrNull(Number(text));
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return null;
  let seconds = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g))
    seconds += Number(amount) * (getOwn(UNIT_SECONDS, unit ?? '') ?? 0);
  return positiveOrNull(seconds);
}

function positiveOrNull(seconds: number): number | null {
  return seconds > 0 ? seconds : null;
}

/** Reads options and collects their problems, so that all are reported at once. */
export class OptionReader {
  readonly issues: Issue[] = [];

  refuse(option: string, text: string, hint: string): void {
    this.issues.push(badOption(option, text, hint));
  }

  integer(option: string, text: string): number {
    if (!/^\d+$/.test(text)) this.refuse(option, text, ENTER_WHOLE_NUMBER);
    return Number(text);
  }

  requirePositive(option: string, text: string): number {
    const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
    if (number > 0) return number;
    this.refuse(option, text, 'Enter a number above 0, such as 50 or 0.5.');
    return 1;
  }

  /** Reads a rate (`50`, `30/m`, `100/h`) and returns it per second. */
  rate(option: string, text: string): number {
    const [, amount = '', unit = 's'] = /^(\d+(?:\.\d+)?)(?:\/(s|m|h))?$/.exec(text) ?? [];
    const perSecond = Number(amount) / (getOwn(UNIT_SECONDS, unit) ?? 1);
    if (perSecond > 0) return perSecond;
    this.refuse(option, text, 'Enter a rate above 0, such as 50 a second, 30/m or 100/h.');
    return 1;
  }

  seconds(option: string, text: string): number {
    const seconds = parseDurationSeconds(text);
    if (seconds === null) this.refuse(option, text, 'Enter a time such as 10s, 500ms, 2m or 1m30s.');
    return seconds ?? 1;
  }

  /** Reads a pause such as "5s", or a range such as "2s-8s". */
  thinkTime(option: string, text: string): { written: Record<string, unknown>; meanSeconds: number } {
    const [from, to, ...more] = text.split('-').map(parseDurationSeconds);
    if (from === undefined || from === null || to === null || more.length > 0)
      this.refuse(option, text, 'Enter a time such as 5s, or a range such as 2s-8s.');
    const fromSeconds = from ?? 1;
    if (typeof to !== 'number') return { written: { kind: 'fixed', seconds: fromSeconds }, meanSeconds: fromSeconds };
    if (to < fromSeconds) this.refuse(option, text, 'Enter the shorter time first.');
    return { written: { kind: 'uniform', fromSeconds, toSeconds: to }, meanSeconds: (fromSeconds + to) / 2 };
  }
}

/** Returns the settings from a command's options; or null and every problem of the options or, if there are none, of their values. */
export function parseSettings<Settings>(
  schema: z.ZodType<Settings>,
  written: unknown,
  { issues }: OptionReader,
): { readonly settings: Settings | null; readonly issues: readonly Issue[] } {
  if (issues.length > 0) return { settings: null, issues };
  const parsed = schema.safeParse(written);
  return parsed.success ? { settings: parsed.data, issues } : { settings: null, issues: schemaIssues(parsed.error, schema, written) };
}
