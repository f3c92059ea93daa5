import type { Plan, Step } from '#core/plan/schema/plan.ts';
import { isRedirect, isVariablePart, splitAddress, splitPair } from '#core/work/journey/redirects.ts';
import { escapePlaceholders } from '../placeholders.ts';
import { headerOf, type WalkedStep } from './walk.ts';

type Exchanges = WalkedStep['exchanges'];

/** Returns the targets of a step’s redirects in order; null if a redirect led to another origin or was not followed. */
export function readRedirects(exchanges: Exchanges): URL[] | null {
  const last = exchanges.at(-1);
  if (last === undefined || (isRedirect(last.status) && headerOf(last.responseHeaders, 'location') !== null)) return null;
  const addresses = exchanges.flatMap(({ url }) => (URL.canParse(url) ? [new URL(url)] : []));
  const [first, ...others] = addresses;
  return addresses.length === exchanges.length && others.every(({ origin }) => origin === first?.origin) ? others : null;
}

/** Returns whether two walks of a step had similar redirects: equally many, with equal path lengths and parameter names. */
export function redirectAlike(one: Exchanges, other: Exchanges): boolean {
  if (one.length !== other.length) return false;
  const [before, now] = [readRedirects(one) ?? [], readRedirects(other) ?? []];
  return before.length === now.length && before.every((address, hop) => shapeOf(address) === shapeOf(now[hop] ?? address));
}

function shapeOf({ pathname, search }: URL): string {
  const { path, parameters } = splitAddress(pathname + search);
  return `${path.length} ${parameters
    .map((parameter) => splitPair(parameter)[0])
    .toSorted()
    .join('&')}`;
}

/**
 * Returns the required redirect targets after one walk, with wildcards for numbers, tokens and parts that belong to an account or a
 * journey.
 */
export function targetsOfOne(exchanges: Exchanges, isOwn: (part: string) => boolean): string[] | null {
  const redirects = readRedirects(exchanges);
  if (redirects === null || redirects.length === 0) return null;
  return redirects.map(({ pathname, search }) => {
    const { path, parameters } = splitAddress(pathname + search);
    const writePathPart = (part: string): string => (part !== '' && (isVariablePart(part) || isOwn(part)) ? '*' : literalPart(part));
    return targetOf(
      path.map(writePathPart),
      parameters.map((parameter) => {
        const [name, value] = splitPair(parameter);
        if (isVariablePart(name)) return '*';
        return value === null ? literalPart(name) : `${literalPart(name)}=${writePathPart(value)}`;
      }),
    );
  });
}

/** Returns the required redirect targets after several walks: their common parts. null if the walks have no common targets. */
export function targetsOfAll(walks: readonly Exchanges[]): string[] | null {
  const all = walks.map(readRedirects);
  const [first] = all;
  if (first === undefined || first === null || first.length === 0) return null;
  const targets = first.map((_, hop) => {
    const hops = all.map((redirects) => redirects?.[hop]);
    const known = hops.filter((address) => address !== undefined);
    return known.length === hops.length ? mergeTargets(known.map(({ pathname, search }) => splitAddress(pathname + search))) : null;
  });
  const found = targets.filter((target) => target !== null);
  return found.length === targets.length && all.every((redirects) => redirects?.length === first.length) ? found : null;
}

function mergeTargets(addresses: readonly ReturnType<typeof splitAddress>[]): string | null {
  const [first] = addresses;
  if (first === undefined || addresses.some(({ path }) => path.length !== first.path.length)) return null;
  const path = first.path.map(
    (part, index) => mergeParts(addresses.map((address) => address.path[index] ?? '')) ?? (part === '' ? null : '*'),
  );
  if (path.includes(null)) return null;
  const queries = addresses.map(({ parameters }) => new Map(parameters.map(splitPair)));
  const names = [...(queries[0]?.keys() ?? [])].filter((name) => queries.every((query) => query.has(name)));
  const hasOthers = addresses.some(({ parameters }) => parameters.length > names.length);
  const parameters = names.map((name) => {
    const values = queries.map((query) => query.get(name) ?? null);
    if (values.every((value) => value === null)) return literalPart(name);
    return `${literalPart(name)}=${mergeParts(values.map((value) => value ?? '')) ?? '*'}`;
  });
  return targetOf(
    path.map((part) => part ?? ''),
    hasOthers ? [...parameters, '*'] : parameters,
  );
}

/** Returns a part that all walks share, escaped for a plan; null if the part differs. */
function mergeParts(parts: readonly string[]): string | null {
  const [first = ''] = parts;
  return parts.every((part) => part === first) ? literalPart(first) : null;
}

function targetOf(path: readonly string[], parameters: readonly string[]): string {
  return `${path.join('/')}${parameters.length === 0 ? '' : `?${[...new Set(parameters)].join('&')}`}`;
}

function literalPart(part: string): string {
  return escapePlaceholders(part.replaceAll('*', '%2A'));
}

/** Sets the required redirect targets of a step; null removes them. */
export function setTargets(step: Step, targets: readonly string[] | null): Step {
  if (step.redirects === undefined) return step;
  const { to: _before, ...redirects } = step.redirects;
  const isUsable = targets !== null && targets.length <= redirects.most && targets.every((target) => target.length <= 2_000);
  return { ...step, redirects: isUsable ? { ...redirects, to: [...targets] } : redirects };
}

/** Removes the required redirect targets of a plan: they are unknown before the first walk. */
export function removeTargets(plan: Plan): Plan {
  return { ...plan, journey: plan.journey.map((step) => setTargets(step, null)) };
}
