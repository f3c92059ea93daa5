import { error, type Issue } from '#core/plan/issues.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { checkCookie, checkHeaders, checkSharedLogin } from './headers.ts';
import { UNIQUE_NAME_HINT, findRepeated, unknownStepIssue, warning } from './make.ts';
import { countPlannedRequests, computePlannedSeconds } from '#core/work/load/planned.ts';
import { formatCount, formatSeconds } from '#core/base/units.ts';
import { listPlaceholderNames } from '#core/plan/secrets.ts';
import { readValueName } from '#core/plan/valueNames.ts';

export function checkTargets(plan: Plan): Issue[] {
  const named = Object.entries(plan.namedTargets ?? {}).map(([name, target]) => [`namedTargets.${name}`, target] as const);
  const perTarget = [...plan.targets.map((target, index) => [`targets[${index}]`, target] as const), ...named].flatMap(([path, target]) => {
    const issues = [...checkHeaders(target.headers, `${path}.headers`), ...checkCookie(target.cookie, `${path}.cookie`)];
    if (target.cookie !== undefined && Object.keys(target.headers).some((name) => name.toLowerCase() === 'cookie')) {
      issues.push(error('TWO_COOKIES', `${path}.cookie`, 'The cookie is set twice: as cookie and as a header.', 'Keep only one.'));
    }
    return issues;
  });
  const repeatedNameIssues = findRepeated(plan.targets.map((target) => target.name)).map((index) =>
    error('DUPLICATE_TARGET_NAME', `targets[${index}].name`, 'Two targets have the same name.', UNIQUE_NAME_HINT),
  );
  return [...perTarget, ...repeatedNameIssues, ...checkNamedTargets(plan), ...checkSharedLogin(plan)];
}

function checkNamedTargets({ namedTargets = {}, journey, populate }: Plan): Issue[] {
  const steps = [...journey, ...(populate?.journey ?? []), ...(populate?.remove ?? [])];
  return Object.keys(namedTargets).flatMap((name) =>
    steps.some(({ target }) => target === name)
      ? []
      : [warning('TARGET_UNUSED', `namedTargets.${name}`, `No step is sent to “${name}”.`, 'Remove it, or name it in a step: target.')],
  );
}

/** Checks that watched numbers name an existing step. */
export function checkWatch({ watch = [], journey }: Plan): Issue[] {
  const names = journey.map(({ name }) => name);
  return watch.flatMap(({ counts }, index) =>
    counts === undefined || names.includes(counts) ? [] : [unknownStepIssue(`watch.${index}.counts`, counts, names)],
  );
}

export function checkConnections(plan: Plan): Issue[] {
  return [...checkStreams(plan), ...checkLocalAddresses(plan)];
}

function checkStreams({ connections: { protocol, streams }, load }: Plan): Issue[] {
  if (streams === undefined || streams === 1 || (protocol === 'h2' && load.model === 'connections')) return [];
  const isOther = protocol === 'h2';
  return [
    error(
      'STREAMS_UNUSED',
      'connections.streams',
      isOther ? 'Only connections share streams; each user has a connection of their own.' : 'HTTP/1.1 has no streams.',
      isOther ? 'Remove streams.' : 'Set protocol to h2, or remove streams.',
    ),
  ];
}

function checkLocalAddresses(plan: Plan): Issue[] {
  const { localAddresses, socketPath } = plan.connections;
  if (localAddresses === undefined) return [];
  if (socketPath !== undefined) {
    return [
      error(
        'LOCAL_ADDRESS_OF_SOCKET',
        'connections.localAddresses',
        'Connections to a Unix socket have no address.',
        'Remove either socketPath or localAddresses.',
      ),
    ];
  }
  const families = new Set(localAddresses.map(familyOf));
  const places = [
    ...plan.targets.map(({ url }, index) => [`targets[${index}].url`, url] as const),
    ...Object.entries(plan.namedTargets ?? {}).map(([name, { url }]) => [`namedTargets.${name}.url`, url] as const),
  ];
  return places.flatMap(([path, url]) => {
    const family = familyOfHost(new URL(url).hostname);
    if (family === null || families.has(family)) return [];
    return [
      error(
        'LOCAL_ADDRESS_FAMILY',
        path,
        `${new URL(url).hostname} is an ${family} address, but no local address is.`,
        `Add an ${family} address of this computer to connections.localAddresses.`,
      ),
    ];
  });
}

function familyOf(address: string): 'IPv4' | 'IPv6' {
  return address.includes(':') ? 'IPv6' : 'IPv4';
}

/**
 * Returns the IP version of a host; null for a name, which is resolved when the run starts. `URL` writes every IPv4 address as four
 * numbers.
 */
function familyOfHost(hostname: string): 'IPv4' | 'IPv6' | null {
  if (hostname.startsWith('[')) return 'IPv6';
  return /^\d+\.\d+\.\d+\.\d+$/.test(hostname) ? 'IPv4' : null;
}

export function checkDemand({ demand, journey }: Plan): Issue[] {
  const step = demand?.results?.step;
  const polled = journey.flatMap(({ name, poll }) => (poll === undefined ? [] : [name]));
  if (step === undefined || polled.includes(step)) return [];
  const path = 'demand.results.step';
  const isKnown = journey.some(({ name }) => name === step);
  if (isKnown)
    return [
      error('STEP_NOT_POLLED', path, `“${step}” does not poll, so it has no results.`, 'Add poll to the step, or name a step that polls.'),
    ];
  return [unknownStepIssue(path, step, polled)];
}

const STOPPED_HINT = 'A stopped run can fail but never pass. Raise the limit, or plan less load.';

/** Warns if the plan would exceed its own safety limits. */
export function checkSafety(plan: Plan): Issue[] {
  const { maxRequests, maxSeconds } = plan.safety;
  const requests = countPlannedRequests(plan);
  const seconds = computePlannedSeconds(plan);
  const issues: Issue[] = [];
  if (maxRequests !== undefined && requests !== null && requests > maxRequests) {
    issues.push(
      warning(
        'SAFETY_BELOW_PLAN',
        'safety.maxRequests',
        `The run stops after ${formatCount(maxRequests)} of ${formatCount(requests)} planned requests.`,
        STOPPED_HINT,
      ),
    );
  }
  if (maxSeconds !== undefined && seconds !== null && seconds > maxSeconds) {
    issues.push(
      warning(
        'SAFETY_BELOW_PLAN',
        'safety.maxSeconds',
        `The run stops after ${formatSeconds(maxSeconds)} of ${formatSeconds(seconds)} of planned load.`,
        STOPPED_HINT,
      ),
    );
  }
  return issues;
}

/** Checks that the values that visitors enter come from variables and feeds, which are known before the first request. */
export function checkVisitors({ watchPages = [], variables = {}, feeds = {} }: Plan): Issue[] {
  const isKnown = (name: string): boolean => Object.hasOwn(variables, name) || Object.hasOwn(feeds, readValueName(name).owner ?? '');
  return watchPages.flatMap(({ steps = [] }, place) =>
    steps.flatMap(({ fill = {} }, index) =>
      Object.entries(fill).flatMap(([field, text]) =>
        listPlaceholderNames(text).flatMap((name) =>
          isKnown(name)
            ? []
            : [
                error(
                  'UNDEFINED_VALUE',
                  `watchPages[${place}].steps[${index}].fill.${field}`,
                  `“{{${name}}}” has no value.`,
                  'What a visitor enters comes from variables and feeds ({{feed.column}}).',
                ),
              ],
        ),
      ),
    ),
  );
}
