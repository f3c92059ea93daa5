import { Draft } from '../draft.ts';
import { refuse, type ImportResult } from '../imported.ts';

import { at, entriesAt, isBlock, listAt, numberAt, textAt } from '../reading.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { chooseEnvironment } from './environments.ts';
import { Flow } from './flow.ts';
import { loadOfPhases } from './phases.ts';
import { objectivesOf } from './objectives.ts';
import { secondsOf } from './seconds.ts';
import { targetOf } from './target.ts';
import { Values } from './values.ts';

type FlowPart = NonNullable<PlanInput['flow']>[number];

/** Parts of `config` that are read, or say nothing of what is sent. */
const READ = new Set([
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

/** Makes a plan of an Artillery script (1.x and 2.x). `chosen`: the name of one of its environments; null for what {@link chooseEnvironment} takes. */
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
      textAt(config, 'target') === null ? 'The script names no target.' : 'The target of the script is no address of http or https.',
      'Write config.target: http://… into it.',
      draft.notes,
    );
  noteConfig(draft, config);
  const flow = new Flow(draft, values, address, defaultHeaders(config));
  const scenarios = listAt(document, 'scenarios');
  const flows: { weight: number; flow: FlowPart[] }[] = [];
  for (const [index, scenario] of scenarios.entries()) {
    const place = `scenarios[${index}]`;
    const engine = textAt(scenario, 'engine') ?? 'http';
    if (engine !== 'http') {
      draft.leftOut(place, `This scenario is for the engine “${engine.slice(0, 40)}”.`, 'It was left out: Holdfast speaks HTTP only.');
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
        `A flow runs once ${part} the test.`,
        'It was left out. populate of a plan prepares data; a step of the plan can log each user in.',
      );
  const pace = loadOfPhases(draft, config);
  const { tls, timeoutSeconds, connections } = settingsOf(draft, config);
  const objectives = objectivesOf(draft, config);
  const result = draft.finish({
    name: `Artillery test of ${new URL(address.origin).host}`,
    targets: [{ url: `${address.origin}/` }],
    load: pace,
    settings: {
      ...(isPlain(flows) ? {} : { flow: flows.length === 1 ? (flows[0]?.flow ?? []) : [{ choose: flows }] }),
      cookies: 'journey',
      ...(objectives.length === 0 ? {} : { objectives }),
      ...(tls === null ? {} : { tls }),
      ...(timeoutSeconds === null ? {} : { timeoutSeconds }),
      ...(connections === null ? {} : { connections }),
    },
  });
  if (result.kind === 'refused' || choices.length === 0) return result;
  return { ...result, imported: { ...result.imported, choices, choosesOne: true } };
}

/** All steps as they stand, as a plan without a flow takes them. */
function isPlain(flows: readonly { readonly flow: readonly FlowPart[] }[]): boolean {
  return flows.length <= 1 && flows.every(({ flow }) => flow.every((part) => typeof part === 'string'));
}

function defaultHeaders(config: unknown): readonly (readonly [string, unknown])[] {
  return [...entriesAt(config, 'defaults', 'headers'), ...entriesAt(config, 'http', 'defaults', 'headers')];
}

function noteHooks(draft: Draft, scenario: unknown, place: string): void {
  for (const hook of ['beforeScenario', 'afterScenario', 'beforeRequest', 'afterResponse'])
    if (at(scenario, hook) !== undefined)
      draft.leftOut(`${place}.${hook}`, 'A function of a script is called.', 'It was left out: code in an import is never run.');
}

function noteConfig(draft: Draft, config: unknown): void {
  if (at(config, 'pool') !== undefined)
    draft.leftOut(
      'config.pool',
      'pool stands directly under config, where Artillery does not look for it: it belongs under config.http. So the script has never shared connections.',
      'As in Artillery then: each virtual user has a connection of their own.',
    );
  const pool = at(config, 'http', 'pool');
  if (pool !== undefined)
    draft.leftOut(
      'config.http.pool',
      'All virtual users share a number of connections.',
      'In the plan each has their own, as visitors do. To share some, use the model “connections”.',
    );
  if (at(config, 'processor') !== undefined)
    draft.leftOut(
      'config.processor',
      'A file of JavaScript holds functions of the test.',
      'It was left out: code in an import is never run. What they set has to come from variables, feeds or captures.',
    );
  for (const [name] of entriesAt(config, 'plugins'))
    if (name !== 'expect' && name !== 'ensure')
      draft.leftOut(`config.plugins.${name.slice(0, 60)}`, 'A plugin is used.', 'It was left out: plugins are not run.');
  if (isBlock(config))
    for (const name of Object.keys(config))
      if (!READ.has(name)) draft.leftOut(`config.${name.slice(0, 60)}`, 'This part of config is not known here.');
  for (const name of ['maxSockets', 'extendedMetrics', 'cookieJarOptions'])
    if (at(config, 'http', name) !== undefined) draft.leftOut(`config.http.${name}`, 'This is a setting of Artillery’s own client.');
}

function settingsOf(draft: Draft, config: unknown) {
  const rejects = at(config, 'tls', 'rejectUnauthorized') ?? at(config, 'http', 'tls', 'rejectUnauthorized');
  if (at(config, 'tls', 'client') !== undefined)
    draft.leftOut(
      'config.tls.client',
      'A client certificate is in files.',
      'Name them when the plan runs: holdfast run PLAN --cert FILE --key FILE.',
    );
  const timeout = secondsOf(at(config, 'http', 'timeout') ?? at(config, 'timeout'));
  return {
    tls: rejects === false || rejects === 0 || rejects === 'false' ? { verify: false } : null,
    timeoutSeconds: timeout === null ? null : Math.min(3_600, Math.max(1, timeout)),
    connections: at(config, 'http', 'defaults', 'keepAlive') === false ? { reuse: 'never' as const } : null,
  };
}
