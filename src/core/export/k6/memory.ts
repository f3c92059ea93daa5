import type { Feed } from '#core/plan/schema/feeds.ts';
import type { Variable } from '#core/plan/schema/journey.ts';
import { feedFileName, type K6Draft } from './draft.ts';
import { drawingCode, isPerRequest } from './expressions.ts';
import type { Features } from './features.ts';
import { Code, memberCode, quote, formatValue } from './javaScript.ts';
import { drawsByStage } from './flow.ts';
import { indent } from './steps.ts';

/** State of each VU, and the function that starts a journey. */
export interface Memory {
  /** Statements that stand before the steps. */
  readonly state: readonly string[];
  /** Function that starts a journey; null if a journey has no initial values. */
  readonly begin: string | null;
  /** Whether a journey may find no row left. */
  readonly mayBeRefused: boolean;
  readonly usesExec: boolean;
}

/** Returns the state that the script needs. `besides`: the functions of background steps; `after`: whether another step starts them. */
export function buildMemory(
  draft: K6Draft,
  features: Features,
  besides: readonly { name: string; everySeconds: number; after: boolean }[],
): Memory {
  const { plan } = draft;
  const isArrivals = plan.load.model === 'arrivals';
  const scenario = 'SCENARIOS[exec.scenario.name]';
  const state: string[] = ['/** Tags of the request that was sent last. */\nlet tags = {};'];
  const lines: string[] = [];
  const feeds = Object.entries(plan.feeds ?? {});
  const mayBeRefused = isArrivals && feeds.some(([, { order }]) => isOwnRow(order));
  if (features.needsUser) {
    state.push('let user = 0;');
    lines.push(`user = ${isArrivals ? `${scenario}.first + exec.scenario.iterationInTest` : 'exec.vu.idInTest - 1'};`);
  }
  if (plan.targets.length > 1) {
    state.push('let server = SERVERS[0];');
    lines.push('server = SERVERS[user % SERVERS.length];');
  }
  if (mayBeRefused) {
    const unique = feeds.filter(([, { order }]) => isOwnRow(order)).map(([name]) => `user >= ${memberCode('ROWS', name)}.length`);
    lines.push(`// Later arrivals have no row.\nif (${unique.join(' || ')}) return false;`);
  }
  lines.push(...valueLines(draft, features, state, besides));
  if (feeds.length > 0) {
    state.push('const rows = {};');
    for (const [name, { order }] of feeds) lines.push(`${memberCode('rows', name)} = ${rowCode(draft, name, order, isArrivals)};`);
  }
  if (drawsByStage({ draft })) {
    state.push('/** The stage in which the journey began. */\nlet beganIn = 0;');
    const byTime = features.reportsStages && !isArrivals;
    lines.push(`beganIn = ${byTime ? `${draft.requireHelper('stage')}() % ${plan.load.stages.length}` : `${scenario}.stage`};`);
  }
  if (lines.length === 0) return { state, begin: null, mayBeRefused: false, usesExec: false };
  if (mayBeRefused) lines.push('return true;');
  const begin = `/** What a user knows at the start of a journey. */\nfunction begin() {\n${indent(lines)}\n}`;
  return { state, begin, mayBeRefused, usesExec: begin.includes('exec.') };
}

function valueLines(
  draft: K6Draft,
  features: Features,
  state: string[],
  besides: readonly { name: string; everySeconds: number; after: boolean }[],
): string[] {
  const { plan } = draft;
  const isArrivals = plan.load.model === 'arrivals';
  const variables = Object.entries(plan.variables ?? {}).flatMap(([name, variable]): [string, Variable][] =>
    variable.kind === 'secret' || variable.kind === 'timestamp' || isPerRequest(variable) ? [] : [[name, variable]],
  );
  const isUsers = (variable: Variable): boolean => 'per' in variable && variable.per === 'user';
  const codeOf = (all: [string, Variable][]) =>
    Object.fromEntries(all.map(([name, variable]) => [name, new Code(drawingCode(draft, variable))]));
  const ofUser = codeOf(variables.filter(([, variable]) => isUsers(variable)));
  const ofJourney = codeOf(variables.filter(([, variable]) => !isUsers(variable)));
  const fresh = features.hasPages ? ['fetched.clear();'] : [];
  if (features.hasPages) state.push('/** What the visitor has already. */\nconst fetched = new Set();');
  if (features.hasMemory) state.push('/** What the steps have found and what was made up, by the names of the plan. */\nlet values = {};');
  if (features.hasOnce) state.push('/** Steps that this user takes no more. */\nconst taken = new Set();');
  if (features.pausesBetween) state.push('let owedPause = 0;');
  if (besides.length > 0)
    state.push(
      `/** Requests beside the journey. */\nconst besides = ${formatValue(Object.fromEntries(besides.map(({ name, everySeconds }) => [name, new Code(`beside(${everySeconds}, ${name})`)])))};`,
    );
  const appear = besides.flatMap(({ name, after }) => [
    `besides.${name}.dueAt = Infinity;`,
    ...(after ? [] : [`besides.${name}.begin();`]),
  ]);
  const isFirst = 'exec.vu.iterationInScenario === 0';
  const hasMembers = (code: object): boolean => Object.keys(code).length > 0;
  if (features.keeps === 'user') {
    const origins = [
      plan.targets.length === 1 ? quote(plan.targets[0]?.url ?? '') : 'server.url',
      ...Object.values(plan.namedTargets ?? {}).map(({ url }) => quote(url)),
    ];
    const resetLines = [
      ...(features.hasMemory ? [`values = ${formatValue(ofUser)};`] : []),
      ...(features.hasOnce ? ['taken.clear();'] : []),
      ...fresh,
      ...appear,
      ...origins.map((origin) => `http.cookieJar().clear(${origin});`),
    ];
    return [
      `if (${isFirst}) {\n${indent(resetLines)}\n}`,
      ...(hasMembers(ofJourney) ? [`Object.assign(values, ${formatValue(ofJourney)});`] : []),
    ];
  }
  const lines = [...fresh];
  if (features.pausesBetween) lines.push('owedPause = 0;');
  if (appear.length > 0) lines.push(`if (${isFirst}) {\n${indent(appear)}\n}`);
  if (!features.hasMemory) return lines;
  if (isArrivals || !hasMembers(ofUser)) return [...lines, `values = ${formatValue({ ...ofUser, ...ofJourney })};`];
  state.push('let own = {};');
  return [
    ...lines,
    `if (${isFirst}) own = ${formatValue(ofUser)};`,
    `values = { ...own${hasMembers(ofJourney) ? `, ...${formatValue(ofJourney)}` : ''} };`,
  ];
}

/** Returns whether each row belongs to one user. Arrivals beyond the number of rows then get none. */
function isOwnRow(order: Feed['order']): boolean {
  return order === 'unique' || order === 'once';
}

function rowCode(draft: K6Draft, name: string, order: Feed['order'], isArrivals: boolean): string {
  const rows = memberCode('ROWS', name);
  switch (order) {
    case 'random':
      return `${draft.requireHelper('anyOf')}(${rows})`;
    case 'unique':
    case 'once':
      return isArrivals ? `${rows}[user]` : `${rows}[user % ${rows}.length]`;
    case 'sequential':
      return isArrivals
        ? `${rows}[user % ${rows}.length]`
        : `${rows}[(user + exec.vu.iterationInScenario * SCENARIOS[exec.scenario.name].users) % ${rows}.length]`;
    default:
      return order satisfies never;
  }
}

/** Returns the constant with the rows of all feeds; null if there are no feeds. */
export function rowsConstant({ plan }: K6Draft): string | null {
  const feeds = Object.keys(plan.feeds ?? {});
  if (feeds.length === 0) return null;
  const members = feeds.map(
    (name) => [name, new Code(`new SharedArray(${quote(name)}, () => JSON.parse(open(${quote(`./${feedFileName(name)}`)})))`)] as const,
  );
  return `/** Shared by all VUs. */\nconst ROWS = ${formatValue(Object.fromEntries(members))};`;
}
