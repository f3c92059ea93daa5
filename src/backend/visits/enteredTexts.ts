import { getOwn } from '#core/base/ownMembers.ts';
import type { FeedRows } from '#core/plan/schema/feeds.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { fillTemplate, listPlaceholderNames, parseTemplate } from '#core/plan/secrets.ts';
import { isSecretField } from '#core/plan/secretShapes.ts';
import { watchPageAddress } from '#core/plan/watchPages.ts';
import type { WatchPage } from '#core/plan/schema/watchPages.ts';
import { generate, seedPurpose } from '#core/work/journey/generate.ts';
import { isSecret } from '#core/work/feeds/rows.ts';
import type { VisitorStep } from './visitJourney.ts';
import { readValueName } from '#core/plan/valueNames.ts';

/** The source of texts that visitors enter: rows of feeds, and values of secret variables. */
export interface TextSource {
  /** Id for the visits of one run. UUIDs are derived from this id, so they differ from those in the load and in other runs. */
  readonly id: string;
  readonly feeds: Readonly<Record<string, FeedRows>>;
  readonly secrets: Readonly<Record<string, string>>;
}

/**
 * Returns the steps of a journey for one visitor. Visitors use rows from the end of a feed, and the load uses rows from its beginning.
 * Otherwise, a server could end the session of a user who logs in twice.
 */
export function visitorStepsOf(plan: Plan, { steps = [] }: WatchPage, from: TextSource, visitor: number): VisitorStep[] {
  const valueOf = (name: string): string => {
    const { owner, member } = readValueName(name);
    const rows = owner === null ? undefined : getOwn(from.feeds, owner);
    if (rows !== undefined) {
      const row = rows.rows.at(-1 - (visitor % Math.max(1, rows.rows.length)));
      return row?.[rows.columns.indexOf(member)] ?? '';
    }
    const variable = getOwn(plan.variables ?? {}, name);
    if (variable === undefined) return '';
    if (variable.kind === 'secret') return getOwn(from.secrets, name) ?? '';
    return generate(seedPurpose(from.id, name, variable), variable, { seed: plan.seed, user: visitor, journey: 0, request: 0 }, Date.now());
  };
  return steps.map(({ url, fill = {}, ...step }) => ({
    ...step,
    address: url === undefined ? null : watchPageAddress(plan, { url }),
    fill: Object.entries(fill).map(([field, text]) => ({
      field,
      text: fillTemplate(parseTemplate(text), ({ name }) => valueOf(name)),
      isSecret: isSecretField(field) || listPlaceholderNames(text).some((name) => isSecretValue(plan, name)),
    })),
  }));
}

function isSecretValue({ feeds = {}, variables = {} }: Plan, name: string): boolean {
  if (getOwn(variables, name)?.kind === 'secret') return true;
  const { owner, member } = readValueName(name);
  const found = owner === null ? undefined : getOwn(feeds, owner);
  return found !== undefined && isSecret(member, found);
}
