import { error, type Issue } from '#core/plan/issues.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { checkCookie, checkHeaders, checkSharedLogin } from './headers.ts';
import { repeated, OWN_NAME, unknownStep, warning } from './make.ts';

export function checkTargets(plan: Plan): Issue[] {
  const named = Object.entries(plan.namedTargets ?? {}).map(([name, target]) => [`namedTargets.${name}`, target] as const);
  const perTarget = [...plan.targets.map((target, index) => [`targets[${index}]`, target] as const), ...named].flatMap(([path, target]) => {
    const issues = [...checkHeaders(target.headers, `${path}.headers`), ...checkCookie(target.cookie, `${path}.cookie`)];
    if (target.cookie !== undefined && Object.keys(target.headers).some((name) => name.toLowerCase() === 'cookie')) {
      issues.push(error('TWO_COOKIES', `${path}.cookie`, 'The cookie is set twice: as cookie and as a header.', 'Keep only one.'));
    }
    return issues;
  });
  const twice = repeated(plan.targets.map((target) => target.name)).map((index) =>
    error('DUPLICATE_TARGET_NAME', `targets[${index}].name`, 'Two targets have the same name.', OWN_NAME),
  );
  return [...perTarget, ...twice, ...checkNamedTargets(plan), ...checkSharedLogin(plan)];
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
    counts === undefined || names.includes(counts) ? [] : [unknownStep(`watch.${index}.counts`, counts, names)],
  );
}

/** Checks sockets, local addresses and streams of connections. */
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

/** Returns the IP version of a host; null for a name, which is resolved at the start. `URL` writes every IPv4 address with four numbers. */
function familyOfHost(hostname: string): 'IPv4' | 'IPv6' | null {
  if (hostname.startsWith('[')) return 'IPv6';
  return /^\d+\.\d+\.\d+\.\d+$/.test(hostname) ? 'IPv4' : null;
}
