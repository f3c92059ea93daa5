import { isBlock } from '#core/base/json.ts';
import { Draft, withoutNulls, buildFlow, type WeightedFlow } from '../draft.ts';
import { type Choice, type ImportResult, joinListed, refuse, refuseEnvironment } from '../imported.ts';
import { blocksAt, valueAtPath, entriesAt, listAt, numberAt, textAt } from '../reading.ts';
import { type Address, readAddress } from '../address.ts';
import { Flow } from './flow.ts';
import { loadOfPhases, listCriteria, secondsOf } from './load.ts';
import { Values } from './values.ts';
import { FUNCTION_CALL_NOTE, CODE_NOTE, HTTP_ONLY_NOTE } from '../notes.ts';

/**
 * Makes a plan from an Artillery script (1.x and 2.x). `chosen`: the name of an environment; null for the default of {@link
 * chooseEnvironment}.
 */
export function importArtillery(document: unknown, chosen: string | null): ImportResult {
  const draft = new Draft('artillery');
  const environment = chooseEnvironment(draft, valueAtPath(document, 'config'), chosen);
  if (environment === null) {
    const names = entriesAt(document, 'config', 'environments').map(([name]) => name);
    return refuseEnvironment(`The script has no environment called “${chosen?.slice(0, 60) ?? ''}”.`, names, 'config.environments');
  }
  const { config, choices } = environment;
  const values = new Values(draft, config);
  const address = targetOf(draft, config);
  if (address === null) {
    const isMissing = textAt(config, 'target') === null;
    const what = isMissing ? 'The script names no target.' : 'The target of the script is not an http or https address.';
    return refuse('NO_ADDRESS', 'config.target', what, 'Add config.target: http://… to it.', draft.notes);
  }
  noteConfig(draft, config);
  const defaults = [...entriesAt(config, 'defaults', 'headers'), ...entriesAt(config, 'http', 'defaults', 'headers')];
  const flows = readFlows(draft, listAt(document, 'scenarios'), new Flow(draft, values, address, defaults));
  for (const part of ['before', 'after'] as const)
    if (valueAtPath(document, part) !== undefined) {
      const names = listCapturedNames(valueAtPath(document, part));
      const sets = names.length === 0 ? '' : ` It sets ${joinListed(names, 300)} for all users.`;
      const instead =
        names.length === 0
          ? 'Prepare data with populate of the plan. To log each user in, add a step.'
          : 'Add its request as a step with once: true: each user then sends it once. Or enter the value when the plan runs.';
      draft.noteLeftOut(part, `It runs a flow once ${part} the test.${sets}`, instead);
    }
  const load = loadOfPhases(draft, config);
  const settings = readSettings(draft, config);
  return draft.finish({
    name: `Artillery test of ${new URL(address.origin).host}`,
    targets: [{ url: `${address.origin}/` }],
    load,
    settings: { ...buildFlow(flows), cookies: 'journey', ...withoutNulls({ criteria: listCriteria(draft, config), ...settings }) },
    ...(choices.length === 0 ? {} : { choices, chooses: 'environment' }),
  });
}

const MAX_NAMES_IN_NOTE = 5;

/** Returns the names of the values that the requests of `before` or `after` capture, at most 5. */
function listCapturedNames(part: unknown): string[] {
  return listAt(part, 'flow')
    .flatMap((step) => (isBlock(step) ? Object.values(step) : []))
    .flatMap((request) => blocksAt(request, 'capture'))
    .flatMap((capture) => textAt(capture, 'as')?.slice(0, 60) ?? [])
    .slice(0, MAX_NAMES_IN_NOTE);
}

/** The choice of no environment, like `artillery run` without -e. */
const NO_ENVIRONMENT = 'none';
const MAX_DEPTH = 60;

/**
 * Returns the config with the chosen environment, and the choices of a script with environments; null for an unknown name. If `chosen` is
 * null: no environment, or the first with a target if only environments have targets.
 */
function chooseEnvironment(draft: Draft, config: unknown, chosen: string | null): { config: unknown; choices: readonly Choice[] } | null {
  const environments = entriesAt(config, 'environments');
  const hasTarget = textAt(config, 'target') !== null;
  const first = environments.find(([, settings]) => textAt(settings, 'target') !== null)?.[0] ?? NO_ENVIRONMENT;
  const name = chosen ?? (hasTarget ? NO_ENVIRONMENT : first);
  const settings = environments.find(([one]) => one === name)?.[1];
  if (settings === undefined && name !== NO_ENVIRONMENT) return null;
  if (environments.length === 0) return { config, choices: [] };
  const names = environments.map(([one]) => one);
  if (chosen === null)
    draft.noteAssumed(
      'config.environments',
      `The script has environments with other settings: ${joinListed(names, 120)}.`,
      name === NO_ENVIRONMENT
        ? 'None was used, as Artillery does without -e.'
        : `“${name.slice(0, 60)}” was used, because only environments name a target.`,
    );
  const choices = environments.map(([one, own]): Choice => {
    const target = textAt(own, 'target');
    return { id: one, label: `${one.slice(0, 80)}${target === null ? '' : ` (${target.slice(0, 80)})`}`, isTaken: one === name };
  });
  return {
    config: settings === undefined ? config : mergeSettings(config, settings, 0),
    choices: hasTarget ? [{ id: NO_ENVIRONMENT, label: 'none', isTaken: name === NO_ENVIRONMENT }, ...choices] : choices,
  };
}

/** Merges objects by member and lists by position, like Artillery (lodash merge). */
function mergeSettings(below: unknown, above: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new RangeError('nested too deeply');
  const mergeMember = (key: string | number): unknown => mergeSettings(valueAtPath(below, key), valueAtPath(above, key), depth + 1);
  if (Array.isArray(below) && Array.isArray(above))
    return Array.from({ length: Math.max(below.length, above.length) }, (_, index) => mergeMember(index));
  if (!isBlock(below) || !isBlock(above)) return above ?? below;
  return Object.fromEntries(Object.keys({ ...below, ...above }).map((name) => [name, mergeMember(name)]));
}

const STAND_IN_HOST = 'localhost';

/** Returns the target of a script; null if it is not an http or https address. Values from outside the script become `localhost`. */
function targetOf(draft: Draft, config: unknown): Address | null {
  const unknown: string[] = [];
  const filledIn = (textAt(config, 'target') ?? '')
    .trim()
    .slice(0, 2_048)
    .replaceAll(/\{{2,3}([^{}]{0,200})\}{2,3}/g, (_whole, expression: string, offset: number) => {
      const name = expression.trim();
      const variable = valueAtPath(config, 'variables', name);
      const value = Array.isArray(variable) && variable.length === 1 ? textAt(variable, 0) : textAt(config, 'variables', name);
      if (value !== null) return value;
      unknown.push(name);
      return offset === 0 ? `http://${STAND_IN_HOST}` : STAND_IN_HOST;
    });
  const address = readAddress(filledIn);
  if (address !== null && unknown.length > 0)
    draft.noteAssumed(
      'config.target',
      `The address comes from outside the script, from ${joinListed(unknown, 120)}.`,
      `http://${STAND_IN_HOST} is used instead. Set your server as the plan’s target.`,
    );
  return address;
}

function readFlows(draft: Draft, scenarios: readonly unknown[], flow: Flow): WeightedFlow[] {
  return scenarios.flatMap((scenario, index): WeightedFlow[] => {
    const location = `scenarios[${index}]`;
    const engine = textAt(scenario, 'engine') ?? 'http';
    if (engine !== 'http') {
      draft.noteLeftOut(location, `This scenario is for the engine “${engine.slice(0, 40)}”.`, HTTP_ONLY_NOTE);
      return [];
    }
    const prefix = scenarios.length > 1 ? (textAt(scenario, 'name') ?? `scenario ${index + 1}`) : '';
    const parts = flow.readFlow(listAt(scenario, 'flow'), `${location}.flow`, prefix);
    for (const hook of ['beforeScenario', 'afterScenario', 'beforeRequest', 'afterResponse'])
      if (valueAtPath(scenario, hook) !== undefined) draft.noteLeftOut(`${location}.${hook}`, FUNCTION_CALL_NOTE, CODE_NOTE);
    return parts.length === 0 ? [] : [{ weight: Math.max(0, numberAt(scenario, 'weight') ?? 1), flow: parts }];
  });
}

/** Parts of `config` that are imported, or do not affect requests. */
const KNOWN_SETTINGS =
  /^(?:target|phases|payload|variables|defaults|http|tls|mode|pool|ensure|plugins|processor|environments|statsInterval|includeFiles)$/;

/** Parts of `config` that are left out: their path, what they mean and what the plan does instead. */
const OMITTED_OPTIONS: readonly (readonly [path: string, what: string, instead?: string])[] = [
  [
    'pool',
    'pool is set under config, but Artillery reads config.http.pool. The script has never shared connections.',
    'As in Artillery, each virtual user has their own connection.',
  ],
  [
    'http.pool',
    'All virtual users share a pool of connections.',
    'In the plan, each user has their own. To share connections, use the load model “connections”.',
  ],
  [
    'processor',
    'A JavaScript file contains functions of the test.',
    'Holdfast never runs code from an import. Replace what they set with variables, feeds or captures.',
  ],
];

function noteConfig(draft: Draft, config: unknown): void {
  for (const [path, what, instead] of OMITTED_OPTIONS)
    if (valueAtPath(config, ...path.split('.')) !== undefined) draft.noteLeftOut(`config.${path}`, what, instead);
  for (const [name] of entriesAt(config, 'plugins'))
    if (name !== 'expect' && name !== 'ensure')
      draft.noteLeftOut(`config.plugins.${name.slice(0, 60)}`, 'It uses a plugin.', 'Holdfast does not run plugins.');
  for (const [name] of entriesAt(config))
    if (!KNOWN_SETTINGS.test(name)) draft.noteLeftOut(`config.${name.slice(0, 60)}`, 'This part of config is unknown.');
  for (const name of ['maxSockets', 'extendedMetrics', 'cookieJarOptions'])
    if (valueAtPath(config, 'http', name) !== undefined)
      draft.noteLeftOut(`config.http.${name}`, 'This setting is for Artillery’s own client.');
}

function readSettings(draft: Draft, config: unknown) {
  const rejects = valueAtPath(config, 'tls', 'rejectUnauthorized') ?? valueAtPath(config, 'http', 'tls', 'rejectUnauthorized');
  if (valueAtPath(config, 'tls', 'client') !== undefined)
    draft.noteLeftOut(
      'config.tls.client',
      'The client certificate is in files.',
      'Name them when the plan runs: holdfast run PLAN --cert FILE --key FILE.',
    );
  const timeout = secondsOf(valueAtPath(config, 'http', 'timeout') ?? valueAtPath(config, 'timeout'));
  return {
    tls: rejects === false || rejects === 0 || rejects === 'false' ? { verify: false } : null,
    timeoutSeconds: timeout === null ? null : Math.min(3_600, Math.max(1, timeout)),
    connections: valueAtPath(config, 'http', 'defaults', 'keepAlive') === false ? { reuse: 'never' as const } : null,
  };
}
