import { hostAndPort } from '#core/base/hostAndPort.ts';
import { readPin } from '#core/plan/pins.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { K6Draft } from './draft.ts';
import type { Features } from './features.ts';
import { readsBody } from './responses.ts';
import { Code, CommentedMember, formatValue, type JavaScriptObject } from './javaScript.ts';
import { stageName } from '#core/plan/names.ts';
import { writeThresholds } from './thresholds.ts';

const DEFAULT_BATCH_PER_HOST = 6;

/** Returns the options of the script: load, limits and connections. */
export function optionsCode(draft: K6Draft, features: Features): string {
  const { plan } = draft;
  const thresholds = writeThresholds(draft);
  const options: JavaScriptObject = {
    scenarios: writeScenarios(plan, features),
    thresholds: Object.keys(thresholds).length === 0 ? undefined : thresholds,
    ...connectionOptions(plan),
    noCookiesReset: features.keeps === 'user' ? new CommentedMember('A user keeps cookies for the whole run.', true) : undefined,
    ...tlsOptions(draft),
    ...batchOptions(plan),
    hosts: hostsOf(plan.connections.resolve),
    discardResponseBodies: plan.journey.every(readsBody) ? undefined : true,
    userAgent: plan.identify ? (draft.options.userAgent ?? 'Holdfast, run by k6') : undefined,
    summaryTrendStats: ['min', 'med', 'avg', 'p(90)', 'p(95)', 'p(99)', 'max'],
  };
  return `export const options = ${formatValue(options)};`;
}

function writeScenarios(plan: Plan, { load, reportsStages }: Features): JavaScriptObject {
  return Object.fromEntries(
    load.scenarios.map(({ name, stages, executor, stage }) => {
      const words = stages.map(
        (index) => `“${stageName(plan, index)}”${plan.load.stages[index]?.counted === false ? ' (not counted)' : ''}`,
      );
      const tags = reportsStages || stage === null ? {} : { tags: { holdfast_stage: String(stage) } };
      return [name, new CommentedMember(words.join(', '), { ...executor, ...tags })];
    }),
  );
}

function connectionOptions({ connections, load }: Plan): JavaScriptObject {
  switch (connections.reuse) {
    case 'always':
      return {};
    case 'journey':
      return {
        noVUConnectionReuse: new CommentedMember(`A new connection for each ${load.model === 'arrivals' ? 'arrival' : 'journey'}.`, true),
      };
    case 'never':
      return { noConnectionReuse: new CommentedMember('A new connection for each request.', true) };
    default:
      return connections.reuse satisfies never;
  }
}

/** Returns the first address for each host and port, because k6 accepts only one. */
function hostsOf(resolve: readonly string[] | undefined): JavaScriptObject | undefined {
  if (resolve === undefined) return undefined;
  const pins = resolve.map(readPin).filter((pin) => pin !== null);
  return Object.fromEntries(pins.toReversed().map(({ host, port, address }) => [`${host}:${port}`, hostAndPort(address, port)]));
}

function tlsOptions(draft: K6Draft): JavaScriptObject {
  const { verify, clientCertificate: own } = draft.plan.tls;
  const auth =
    own === undefined
      ? undefined
      : [
          {
            cert: own.certificate,
            key: new Code(draft.secret(own.key.secret)),
            ...(own.passphrase === undefined ? {} : { password: new Code(draft.secret(own.passphrase.secret)) }),
          },
        ];
  return { insecureSkipTLSVerify: verify ? undefined : true, tlsAuth: auth };
}

/** Returns how many page resources are requested in parallel. */
function batchOptions({ journey }: Plan): JavaScriptObject {
  const parallel = journey.flatMap(({ resources }) => (resources?.how === 'parallel' ? [resources.connections] : []));
  if (parallel.length === 0) return {};
  const maxParallel = Math.max(...parallel);
  return { batch: maxParallel * 4, batchPerHost: maxParallel === DEFAULT_BATCH_PER_HOST ? undefined : maxParallel };
}
