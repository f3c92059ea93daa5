import { JOURNEY_BEGAN_METRIC, JOURNEY_BROKEN_METRIC, LOAD_BEGAN_METRIC } from './samples.ts';

/** Exports that k6 calls by itself. They are not journeys. */
const LIFECYCLE_EXPORTS = ['setup', 'teardown'];

/**
 * Returns the module that loads the exported script in k6. It reports the start of the load and of each journey, because k6 does not, and
 * suppresses k6's summary. `script`: source of the exported script; `path`: its address; `environment`: additional members of `__ENV`.
 */
export function mainModule(script: string, path: string, environment: Readonly<Record<string, string>> = {}): string {
  const names = listExportedFunctions(script);
  const lifecycleExports = LIFECYCLE_EXPORTS.filter((name) => names.includes(name)).map((name) => `export const ${name} = script.${name};`);
  const journeys = names
    .filter((name) => !LIFECYCLE_EXPORTS.includes(name) && name !== 'handleSummary')
    .map((name) => (name === 'default' ? 'export default told(script.default);' : `export const ${name} = told(script.${name});`));
  return `import exec from 'k6/execution';
import { Counter, Gauge } from 'k6/metrics';

// k6 creates a new __ENV for each virtual user.
const environment = ${JSON.stringify(environment)};
Object.assign(__ENV, environment);
// An import would run before the assignment to __ENV.
const script = require('${path}');

const loadBegan = new Gauge('${LOAD_BEGAN_METRIC}');
const journeyBegan = new Counter('${JOURNEY_BEGAN_METRIC}');
const journeyBroken = new Counter('${JOURNEY_BROKEN_METRIC}');

// Start times as in the script, because k6 replaces the options before the first journey.
const starts = new Map(Object.entries(script.options.scenarios ?? {}).map(([name, { startTime }]) => [name, startTime ?? '0s']));

/** Returns the Unix time in ms at which the load began: the start of a scenario minus its startTime. */
function beginOfLoad({ name, startTime }) {
  const [, number, unit] = /^(\\d+)(ms|s)$/.exec(starts.get(name) ?? '0s') ?? [null, '0', 's'];
  return startTime - Number(number) * (unit === 's' ? 1000 : 1);
}

function told(journey) {
  return (data) => {
    Object.assign(__ENV, environment);
    if (exec.scenario.iterationInTest === 0) loadBegan.add(beginOfLoad(exec.scenario));
    journeyBegan.add(1);
    try {
      return journey(data);
    } catch (error) {
      journeyBroken.add(1);
      throw error;
    }
  };
}

export const options = script.options;
${[...lifecycleExports, ...journeys].join('\n')}
export function handleSummary() {
  return {};
}
`;
}

function listExportedFunctions(script: string): string[] {
  const named = [...script.matchAll(/^export (?:async )?function (\w+)/gm)].flatMap(([, name]) => name ?? []);
  return /^export default /m.test(script) ? ['default', ...named] : named;
}

/** Oldest supported k6 version. */
export const MIN_K6_VERSION = '1.0.0';

/** Returns the version in the output of `k6 version`, such as "k6 v1.8.1 (go1.26.8, linux/amd64)", without v; null for other output. */
export function parseK6Version(output: string): string | null {
  return /^k6(?:\.exe)? v(\d+\.\d+\.\d+[\w.+-]*)/m.exec(output)?.[1] ?? null;
}

/** Returns whether a k6 version is supported. */
export function isKnownK6(version: string): boolean {
  return Number(version.split('.')[0]) >= Number(MIN_K6_VERSION.split('.')[0]);
}
