import { getOwn } from '#core/base/ownMembers.ts';
import type { FeedRows } from '#core/plan/schema/feeds.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { fillTemplate, namesIn, parseTemplate } from '#core/plan/secrets.ts';
import { isSecretField } from '#core/plan/secretShapes.ts';
import { watchPageAddress } from '#core/plan/watchPages.ts';
import type { WatchPage } from '#core/plan/schema/watchPages.ts';
import { generate, purposeIn } from '#core/work/journey/generate.ts';
import { isSecret } from '#core/work/feeds/rows.ts';
import type { VisitorStep } from './visitJourney.ts';

/** What visitors enter comes from there: rows of the feeds, and the values of secret variables. */
export interface EnteredFrom {
  /** Of the visits of one run. Their UUIDs follow from it: neither the load nor another run has them. */
  readonly id: string;
  readonly feeds: Readonly<Record<string, FeedRows>>;
  readonly secrets: Readonly<Record<string, string>>;
}

/**
 * The steps of a journey as the visitor of this number takes them. Visitors take rows from the end of a file, whose beginning the load takes: a server may
 * end the session of somebody who logs in twice.
 */
export function stepsOf(plan: Plan, { steps = [] }: WatchPage, from: EnteredFrom, visitor: number): VisitorStep[] {
  const valueOf = (name: string): string => {
    const [feed = '', ...column] = name.split('.');
    const rows = getOwn(from.feeds, feed);
    if (column.length > 0 && rows !== undefined) {
      const row = rows.rows.at(-1 - (visitor % Math.max(1, rows.rows.length)));
      return row?.[rows.columns.indexOf(column.join('.'))] ?? '';
    }
    const variable = getOwn(plan.variables ?? {}, name);
    if (variable === undefined) return '';
    if (variable.kind === 'secret') return getOwn(from.secrets, name) ?? '';
    return generate(purposeIn(from.id, name, variable), variable, { seed: plan.seed, user: visitor, journey: 0, request: 0 }, Date.now());
  };
  return steps.map(({ url, fill = {}, ...step }) => ({
    ...step,
    address: url === undefined ? null : watchPageAddress(plan, { url }),
    fill: Object.entries(fill).map(([field, text]) => ({
      field,
      text: fillTemplate(parseTemplate(text), ({ name }) => valueOf(name)),
      isSecret: isSecretField(field) || namesIn(text).some((name) => isSecretValue(plan, name)),
    })),
  }));
}

function isSecretValue({ feeds = {}, variables = {} }: Plan, name: string): boolean {
  if (getOwn(variables, name)?.kind === 'secret') return true;
  const [feed = '', ...column] = name.split('.');
  const found = getOwn(feeds, feed);
  return found !== undefined && isSecret(column.join('.'), found);
}
