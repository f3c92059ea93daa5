import type { CallHandlers } from '#contract/rpc/server.ts';
import { hideSecrets } from '#core/plan/hideSecrets.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { secretReferences } from '#core/plan/secrets.ts';
import { maskSample, type Sample, sampleSchema } from '#core/work/samples/schema.ts';
import { tryPlan, type TryReport } from '#core/work/samples/tryPlan.ts';
import type { Redaction } from '#backend/redaction.ts';
import { startEngine } from '#engine/startEngine.ts';
import { mayStart } from '../runs/mayStart.ts';
import { readFeeds, secretValues } from '../runs/readFeeds.ts';
import { readUploads } from '../runs/readUploads.ts';
import { resolveClientCertificate, resolveJob } from '../runs/resolveJob.ts';
import type { Secrets } from '../secrets.ts';
import { requireUsable } from '../targets/certificates.ts';

export interface TryParts {
  readonly secrets: Secrets;
  readonly redaction: Redaction;
  readonly workerEntry: URL;
  readonly version: string;
}

/** Walks a journey once, by the same code as a load does, and shows each request with its answer. Nothing is counted or stored. */
export function createTryCalls(parts: TryParts): Pick<CallHandlers, 'plans.try'> {
  return { 'plans.try': ({ plan }) => tryOnce(plan, parts) };
}

async function tryOnce(plan: Plan, { secrets, redaction, workerEntry, version }: TryParts): Promise<TryReport> {
  mayStart(plan);
  const once = hideSecrets(tryPlan(plan), secrets.keep);
  const values = await secrets.resolve(secretReferences(once));
  const clientCertificate = resolveClientCertificate(once.tls, values);
  if (clientCertificate !== null) requireUsable(clientCertificate, Date.now());
  const feeds = await readFeeds(once);
  const files = await readUploads(once);
  const hidden = [...values.values(), ...secretValues(once, feeds)];
  const samples: Sample[] = [];
  const job = { ...resolveJob(once, { runId: 'try', version, values, feeds, files }), sampling: 'everything' as const };
  const engine = startEngine(
    job,
    { workerEntry },
    {
      onDraining() {},
      onStage() {},
      onWindow() {},
      onEvent() {},
      onSample: (sample) => void samples.push(cleanSample(sample, hidden, redaction)),
    },
  );
  const { problem } = await engine.done;
  const reached = new Set(samples.map(({ request }) => request));
  const notReached = once.journey.flatMap(({ name, explains }) => (reached.has(name) || explains !== undefined ? [] : [name]));
  return {
    samples,
    isGood: problem === null && notReached.length === 0 && samples.every(({ failure }) => failure === null),
    notReached,
    problem: problem && { code: problem.code, message: redaction.text(problem.message), hint: redaction.text(problem.hint) },
  };
}

/** A sample as it may be shown and stored. */
export function cleanSample(sample: Sample, secrets: readonly string[], redaction: Redaction): Sample {
  return redaction.value(maskSample(sample, secrets), (value) => sampleSchema.parse(value));
}
