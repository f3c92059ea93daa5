import { InvalidArgumentError, Option, type Command } from 'commander';
import { stringify } from 'yaml';
import { z } from 'zod';
import { HoldfastError } from '#core/base/errors.ts';
import { hindrance, type ExportResult, type ExportSources } from '#core/export/exported.ts';
import { k6Script } from '#core/export/k6/k6Script.ts';
import { operatorManifests } from '#core/export/k6Operator/manifests.ts';
import { objectNameSchema, quantitySchema } from '#core/export/k6Operator/schema.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

/** Export format for Kubernetes manifests instead of a script. */
export const K6_OPERATOR = 'k6-operator';

export interface OperatorFlags {
  readonly run?: string;
  readonly parallelism: number;
  readonly prometheus?: string;
  readonly namespace?: string;
  readonly image: string;
  readonly cpu: string;
  readonly memory: string;
  readonly separate?: boolean;
}

/** Newest k6 version whose output Holdfast can read. */
const IMAGE = 'grafana/k6:1.8.1';
const LINE_WIDTH = 0;

export function addOperatorOptions(command: Command): Command {
  const of = (text: string): string => `of ${K6_OPERATOR}: ${text}`;
  return command
    .addOption(new Option('--run <name>', of('name of the TestRun, to find the run later')).argParser(checked(objectNameSchema)))
    .addOption(new Option('--parallelism <runners>', of('how many runners share the load')).default(1).argParser(runners))
    .addOption(
      new Option('--prometheus <url>', of('where runners write to: …/api/v1/write')).argParser(checked(z.url({ protocol: /^https?$/ }))),
    )
    .addOption(new Option('--namespace <name>', of('namespace to run in')).argParser(checked(objectNameSchema)))
    .addOption(new Option('--image <image>', of('image of the runners')).default(IMAGE))
    .addOption(new Option('--cpu <quantity>', of('processor that each runner asks for')).default('1').argParser(checked(quantitySchema)))
    .addOption(new Option('--memory <quantity>', of('memory of each runner')).default('1Gi').argParser(checked(quantitySchema)))
    .option('--separate', of('each runner on a node of its own'));
}

/** The manifests as one YAML document, and notes about them. */
export interface OperatorManifests {
  readonly kind: 'manifests';
  readonly text: string;
  readonly notes: readonly string[];
}

type Refused = Extract<ExportResult, { kind: 'refused' }>;

/** Returns the manifests, or the reasons why k6 or its operator cannot run the plan. Throws `OPERATOR_RUN`. */
export function operatorResult(plan: Plan, sources: ExportSources, flags: OperatorFlags): OperatorManifests | Refused {
  try {
    return manifestsOf(plan, sources, flags);
  } catch (thrown) {
    if (!(thrown instanceof HoldfastError) || !NOT_POSSIBLE.has(thrown.code)) throw thrown;
    return { kind: 'refused', issues: [hindrance('', thrown.message, thrown.hint)] };
  }
}

const NOT_POSSIBLE: ReadonlySet<string> = new Set(['NOT_IN_K6', 'NOT_IN_OPERATOR']);

function manifestsOf(plan: Plan, sources: ExportSources, flags: OperatorFlags): OperatorManifests {
  if (flags.run === undefined)
    throw new HoldfastError({
      code: 'OPERATOR_RUN',
      message: 'A TestRun needs a name, to find its run in Prometheus.',
      hint: 'Add --run NAME: small letters, digits and -. Choose another for each run.',
    });
  const { documents, notes } = operatorManifests(plan, k6Script(plan, sources), {
    name: flags.run,
    namespace: flags.namespace,
    parallelism: flags.parallelism,
    cpu: flags.cpu,
    memory: flags.memory,
    image: flags.image,
    prometheusUrl: flags.prometheus ?? null,
    separate: flags.separate === true,
  });
  return { kind: 'manifests', text: documents.map((document) => stringify(document, { lineWidth: LINE_WIDTH })).join('---\n'), notes };
}

function checked(schema: z.ZodType<string>): (text: string) => string {
  return (text) => {
    const parsed = schema.safeParse(text);
    if (!parsed.success) throw new InvalidArgumentError(parsed.error.issues[0]?.message ?? '');
    return parsed.data;
  };
}

function runners(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 1_000) throw new InvalidArgumentError('Enter a number of runners, from 1 to 1000.');
  return count;
}
