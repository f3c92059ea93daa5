import { HoldfastError } from '#core/base/errors.ts';
import { maxInFlightOf } from '#core/work/load/stages.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { formatCount } from '#core/base/units.ts';
import type { K6Export } from '../k6/k6Script.ts';
import { configMapSchema, testRunSchema, type ConfigMap, type TestRun } from './schema.ts';

export interface OperatorOptions {
  /** Name of the TestRun and its objects; unique in the namespace. */
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly parallelism: number;
  /** Processor request per runner. */
  readonly cpu: string;
  readonly memory: string;
  readonly image: string;
  /** Remote-write address of Prometheus (`/api/v1/write`) as seen by the runners; null to keep results only in the runners' logs. */
  readonly prometheusUrl: string | null;
  readonly separate: boolean;
}

export interface OperatorManifests {
  readonly documents: readonly [ConfigMap, TestRun];
  /** Steps that are needed besides applying the manifests. */
  readonly notes: readonly string[];
}

const SCRIPT_FILE = 'script.js';
/** Maximum size of an object. etcd limits objects to 1 MiB, including metadata. */
const MAX_BYTES = 1_000_000;

/** Tags of the Prometheus series. They are few, because each combination of their values is a series per runner. */
const SYSTEM_TAGS = ['scenario', 'name', 'method', 'status', 'error_code', 'expected_response'];

/**
 * Returns the manifests with which the k6 operator runs a plan. Throws `NOT_IN_OPERATOR`, or a ZodError for invalid names and quantities.
 */
export function operatorManifests(plan: Plan, exported: K6Export, options: OperatorOptions): OperatorManifests {
  const { name, namespace, parallelism, prometheusUrl } = options;
  const divisible = maxRunners(plan);
  if (parallelism > divisible)
    throw unsupportedByOperator(
      `The load can be divided among ${formatCount(divisible)} runners at most, not ${formatCount(parallelism)}.`,
      'Request fewer runners (--parallelism), or add load to the plan.',
    );
  const metadata = { name, ...(namespace === undefined ? {} : { namespace }) };
  const secretName = `${name}-secrets`;
  const testRun = testRunSchema.parse({
    apiVersion: 'k6.io/v1alpha1',
    kind: 'TestRun',
    metadata,
    spec: {
      parallelism,
      ...(options.separate ? { separate: true } : {}),
      script: { configMap: { name, file: SCRIPT_FILE } },
      arguments: formatArguments(name, prometheusUrl),
      runner: {
        image: options.image,
        env: [
          ...(prometheusUrl === null
            ? []
            : [
                { name: 'K6_PROMETHEUS_RW_SERVER_URL', value: prometheusUrl },
                // Histograms of several runners can be added up; percentiles cannot.
                { name: 'K6_PROMETHEUS_RW_TREND_AS_NATIVE_HISTOGRAM', value: 'true' },
              ]),
          // This variable makes k6 use HTTP/1.1, as Holdfast and its results do.
          { name: 'GODEBUG', value: 'http2client=0' },
          ...exported.environment.map((variable) => ({ name: variable, valueFrom: { secretKeyRef: { name: secretName, key: variable } } })),
        ],
        resources: { requests: { cpu: options.cpu, memory: options.memory }, limits: { memory: options.memory } },
      },
    },
  });
  return { documents: [writeConfigMap(exported, metadata), testRun], notes: listNotes(exported, secretName, options) };
}

/** Returns the maximum number of runners that all have a part of every stage. */
function maxRunners({ load }: Plan): number {
  switch (load.model) {
    case 'connections':
      return Math.min(...load.stages.map(({ connections }) => connections));
    case 'users':
      return Math.min(...load.stages.map(({ users }) => users));
    case 'arrivals':
      return Math.min(...load.stages.map((stage) => maxInFlightOf(load, stage)));
    default:
      return load satisfies never;
  }
}

function formatArguments(name: string, prometheusUrl: string | null): string {
  const outputArguments = prometheusUrl === null ? [] : ['--out', 'experimental-prometheus-rw'];
  return [...outputArguments, '--tag', `testid=${name}`, `--system-tags=${SYSTEM_TAGS.join(',')}`, '--no-usage-report'].join(' ');
}

function writeConfigMap({ script, files }: K6Export, metadata: ConfigMap['metadata']): ConfigMap {
  const nested = files.filter(({ path }) => path.includes('/'));
  if (nested.length > 0)
    throw unsupportedByOperator(
      `The plan sends files (${nested.map(({ path }) => path).join(', ')}), but a ConfigMap has no folders.`,
      'Export a k6 script (holdfast export k6) and copy it with its files to a volume. Name the volume in script.volumeClaim of the TestRun.',
    );
  const texts = files.filter(({ encoding }) => encoding === 'utf8');
  const binaries = files.filter(({ encoding }) => encoding === 'base64');
  const data = { [SCRIPT_FILE]: script, ...Object.fromEntries(texts.map(({ path, content }) => [path, content])) };
  const binaryData = Object.fromEntries(binaries.map(({ path, content }) => [path, content]));
  const bytes = [...Object.values(data), ...Object.values(binaryData)].reduce(
    (sum, text) => sum + new TextEncoder().encode(text).length,
    0,
  );
  if (bytes > MAX_BYTES)
    throw unsupportedByOperator(
      `The script and its files have ${formatCount(bytes)} bytes, but a ConfigMap holds 1 MiB.`,
      'Shorten the feeds, or copy script and files to a volume and name it in script.volumeClaim of the TestRun.',
    );
  return configMapSchema.parse({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data, ...(binaries.length === 0 ? {} : { binaryData }) });
}

function listNotes(
  { environment, files, notes }: K6Export,
  secretName: string,
  { name, namespace, prometheusUrl }: OperatorOptions,
): string[] {
  const place = namespace === undefined ? '' : ` --namespace ${namespace}`;
  return [
    ...(environment.length === 0
      ? []
      : [
          `Secrets are read from the Secret ${secretName}. Create it first: kubectl create secret generic ${secretName}${place} ${environment.map((variable) => `--from-literal=${variable}=…`).join(' ')}`,
        ]),
    ...(files.length === 0
      ? []
      : [
          `The ConfigMap holds ${files.map(({ path }) => path).join(', ')} too. Anyone who may read ConfigMaps there can read their contents, including passwords.`,
        ]),
    ...(prometheusUrl === null
      ? ['Without --prometheus the results are only in the logs of the runners, each with its own part.']
      : [`To add the run to the history when it has ended: holdfast import k6-prometheus ADDRESS-OF-PROMETHEUS --run ${name} --plan FILE`]),
    ...notes,
  ];
}

function unsupportedByOperator(message: string, hint: string): HoldfastError {
  return new HoldfastError({ code: 'NOT_IN_OPERATOR', message, hint });
}
