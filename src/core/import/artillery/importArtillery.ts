import { isBlock } from '#core/base/json.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { Draft, flowOf, type WeightedFlow } from '../draft.ts';
import { type ImportResult, refuse } from '../imported.ts';
import { at, entriesAt, listAt, numberAt, textAt } from '../reading.ts';
import { type Address, readAddress } from '../address.ts';
import { chooseEnvironment } from './environments.ts';
import { Flow } from './flow.ts';
import { loadOfPhases, secondsOf } from './phases.ts';
import { Values } from './values.ts';
import { CALLS_A_FUNCTION, CODE_IS_NEVER_RUN, SPEAKS_HTTP_ONLY } from '../notes.ts';

type Criterion = NonNullable<PlanInput['criteria']>[number];

/** Returns the pass criteria of `ensure`. */
function criteriaOf(draft: Draft, config: unknown): Criterion[] {
  const ensure = at(config, 'ensure') ?? at(config, 'plugins', 'ensure');
  const simple = entriesAt(ensure).filter(([name]) => name !== 'thresholds' && name !== 'conditions');
  const listed = listAt(ensure, 'thresholds').flatMap((item) => (isBlock(item) ? Object.entries(item) : []));
  const criteria = [...simple, ...listed].flatMap(([name, limit]): Criterion[] => {
    const criterion = criterionOf(name, limit);
    if (criterion === null) draft.leftOut(`config.ensure.${name.slice(0, 60)}`, 'This criterion has no equivalent.');
    return criterion === null ? [] : [criterion];
  });
  for (const [index] of listAt(ensure, 'conditions').entries())
    draft.leftOut(
      `config.ensure.conditions[${index}]`,
      'The condition is an Artillery expression.',
      'Add it to the pass criteria of the plan.',
    );
  return criteria.slice(0, 50);
}

function criterionOf(name: string, limit: unknown): Criterion | null {
  const number = typeof limit === 'number' && limit > 0 ? limit : null;
  if (name === 'maxErrorRate' && typeof limit === 'number' && limit >= 0 && limit < 100) return { kind: 'errors', maxShare: limit / 100 };
  const percentile = /^(?:http\.response_time\.)?(?:p(\d{2,3})|(median))$/.exec(name);
  if (percentile === null || number === null || number > 3_600_000) return null;
  const digits = percentile[1] ?? '50';
  const value = percentile[2] === undefined ? Number(digits.length === 3 ? `${digits.slice(0, 2)}.${digits.slice(2)}` : digits) : 50;
  return value > 0 && value < 100 ? { kind: 'responseTime', percentile: value, maxMs: number } : null;
}

const STAND_IN = 'localhost';

/** Returns the server of a script; null if it is no http or https address. A part that only an environment variable defines is replaced by its name. */
function targetOf(draft: Draft, config: unknown): Address | null {
  const written = textAt(config, 'target');
  if (written === null) return null;
  const unknown: string[] = [];
  const filled = written
    .trim()
    .slice(0, 2_048)
    .replaceAll(/\{{2,3}([^{}]{0,200})\}{2,3}/g, (_whole, expression: string, offset: number) => {
      const name = expression.trim();
      const variable = at(config, 'variables', name);
      const value = Array.isArray(variable) && variable.length === 1 ? textAt(variable, 0) : textAt(config, 'variables', name);
      if (value !== null) return value;
      unknown.push(name);
      return offset === 0 ? `http://${STAND_IN}` : STAND_IN;
    });
  const address = readAddress(filled);
  if (address !== null && unknown.length > 0)
    draft.assumed(
      'config.target',
      `The address comes from outside the script, from ${unknown.join(', ').slice(0, 120)}.`,
      `http://${STAND_IN} is used instead. Set your server as the plan’s target.`,
    );
  return address;
}

/** Parts of `config` that are imported, or do not affect requests. */
const KNOWN_SETTINGS = new Set([
  'target',
  'phases',
  'payload',
  'variables',
  'defaults',
  'http',
  'tls',
  'mode',
  'pool',
  'ensure',
  'plugins',
  'processor',
  'environments',
  'statsInterval',
  'includeFiles',
]);

/** Makes a plan from an Artillery script (1.x and 2.x). `chosen`: the name of an environment; null for the default of {@link chooseEnvironment}. */
export function importArtillery(document: unknown, chosen: string | null): ImportResult {
  const draft = new Draft('artillery');
  const environment = chooseEnvironment(draft, at(document, 'config'), chosen);
  if (environment === null)
    return refuse(
      'NO_SUCH_ENVIRONMENT',
      'config.environments',
      `The script has no environment called “${chosen?.slice(0, 60) ?? ''}”.`,
      `It has: ${entriesAt(document, 'config', 'environments')
        .map(([name]) => name)
        .join(', ')
        .slice(0, 1_000)}.`,
    );
  const { config, choices } = environment;
  const values = new Values(draft, config);
  const address = targetOf(draft, config);
  if (address === null)
    return refuse(
      'NO_ADDRESS',
      'config.target',
      textAt(config, 'target') === null ? 'The script names no target.' : 'The target of the script is not an http or https address.',
      'Add config.target: http://… to it.',
      draft.notes,
    );
  noteConfig(draft, config);
  const flow = new Flow(draft, values, address, defaultHeaders(config));
  const scenarios = listAt(document, 'scenarios');
  const flows: WeightedFlow[] = [];
  for (const [index, scenario] of scenarios.entries()) {
    const place = `scenarios[${index}]`;
    const engine = textAt(scenario, 'engine') ?? 'http';
    if (engine !== 'http') {
      draft.leftOut(place, `This scenario is for the engine “${engine.slice(0, 40)}”.`, SPEAKS_HTTP_ONLY);
      continue;
    }
    const parts = flow.partsOf(
      listAt(scenario, 'flow'),
      `${place}.flow`,
      scenarios.length > 1 ? (textAt(scenario, 'name') ?? `scenario ${index + 1}`) : '',
    );
    noteHooks(draft, scenario, place);
    if (parts.length > 0) flows.push({ weight: Math.max(0, numberAt(scenario, 'weight') ?? 1), flow: parts });
  }
  for (const part of ['before', 'after'] as const)
    if (at(document, part) !== undefined)
      draft.leftOut(
        part,
        `It runs a flow once ${part} the test.`,
        'Prepare data with populate of the plan. To log each user in, add a step.',
      );
  const pace = loadOfPhases(draft, config);
  const { tls, timeoutSeconds, connections } = settingsOf(draft, config);
  const criteria = criteriaOf(draft, config);
  const result = draft.finish({
    name: `Artillery test of ${new URL(address.origin).host}`,
    targets: [{ url: `${address.origin}/` }],
    load: pace,
    settings: {
      ...flowOf(flows),
      cookies: 'journey',
      ...(criteria.length === 0 ? {} : { criteria }),
      ...(tls === null ? {} : { tls }),
      ...(timeoutSeconds === null ? {} : { timeoutSeconds }),
      ...(connections === null ? {} : { connections }),
    },
  });
  if (result.kind === 'refused' || choices.length === 0) return result;
  return { ...result, imported: { ...result.imported, choices, chooses: 'environment' } };
}

function defaultHeaders(config: unknown): readonly (readonly [string, unknown])[] {
  return [...entriesAt(config, 'defaults', 'headers'), ...entriesAt(config, 'http', 'defaults', 'headers')];
}

function noteHooks(draft: Draft, scenario: unknown, place: string): void {
  for (const hook of ['beforeScenario', 'afterScenario', 'beforeRequest', 'afterResponse'])
    if (at(scenario, hook) !== undefined) draft.leftOut(`${place}.${hook}`, CALLS_A_FUNCTION, CODE_IS_NEVER_RUN);
}

function noteConfig(draft: Draft, config: unknown): void {
  if (at(config, 'pool') !== undefined)
    draft.leftOut(
      'config.pool',
      'pool is set under config, but Artillery reads config.http.pool. The script has never shared connections.',
      'As in Artillery, each virtual user has their own connection.',
    );
  const pool = at(config, 'http', 'pool');
  if (pool !== undefined)
    draft.leftOut(
      'config.http.pool',
      'All virtual users share a pool of connections.',
      'In the plan, each user has their own. To share connections, use the load model “connections”.',
    );
  if (at(config, 'processor') !== undefined)
    draft.leftOut(
      'config.processor',
      'A JavaScript file contains functions of the test.',
      'Holdfast never runs code from an import. Replace what they set with variables, feeds or captures.',
    );
  for (const [name] of entriesAt(config, 'plugins'))
    if (name !== 'expect' && name !== 'ensure')
      draft.leftOut(`config.plugins.${name.slice(0, 60)}`, 'It uses a plugin.', 'Holdfast does not run plugins.');
  if (isBlock(config))
    for (const name of Object.keys(config))
      if (!KNOWN_SETTINGS.has(name)) draft.leftOut(`config.${name.slice(0, 60)}`, 'This part of config is unknown.');
  for (const name of ['maxSockets', 'extendedMetrics', 'cookieJarOptions'])
    if (at(config, 'http', name) !== undefined) draft.leftOut(`config.http.${name}`, 'This setting is for Artillery’s own client.');
}

function settingsOf(draft: Draft, config: unknown) {
  const rejects = at(config, 'tls', 'rejectUnauthorized') ?? at(config, 'http', 'tls', 'rejectUnauthorized');
  if (at(config, 'tls', 'client') !== undefined)
    draft.leftOut(
      'config.tls.client',
      'The client certificate is in files.',
      'Name them when the plan runs: holdfast run PLAN --cert FILE --key FILE.',
    );
  const timeout = secondsOf(at(config, 'http', 'timeout') ?? at(config, 'timeout'));
  return {
    tls: rejects === false || rejects === 0 || rejects === 'false' ? { verify: false } : null,
    timeoutSeconds: timeout === null ? null : Math.min(3_600, Math.max(1, timeout)),
    connections: at(config, 'http', 'defaults', 'keepAlive') === false ? { reuse: 'never' as const } : null,
  };
}
