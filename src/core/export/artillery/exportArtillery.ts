import { stringify } from 'yaml';
import { linesOf } from '#core/load/rateStage.ts';
import { objectivesOf } from '#core/plan/objectivesOf.ts';
import { DEFAULT_MAX_IN_FLIGHT, type ArrivalsLoad, type ArrivalsStage } from '#core/plan/loadSchema.ts';
import { flowOf } from '#core/journey/flow/parts.ts';
import type { FlowPart } from '#core/journey/flow/schema.ts';
import { describeObjective } from '#core/plan/describeObjective.ts';
import { stageName } from '#core/plan/names.ts';
import type { Plan } from '#core/plan/schema.ts';
import type { ExportResult, ExportSources } from '../exported.ts';
import { ArtilleryDraft } from './draft.ts';
import { requestOf } from './request.ts';
import { pauseAfter } from './think.ts';

type Block = Record<string, unknown>;

const WIDTH = 140;

/** A plan of the model `arrivals` as a script of Artillery 2.x. */
export function exportArtillery(plan: Plan, sources: ExportSources = {}): ExportResult {
  const draft = new ArtilleryDraft(plan, sources);
  if (plan.load.model !== 'arrivals')
    draft.refuse(
      'load.model',
      `Artillery lets people arrive at a rate, and the plan has ${plan.load.model} who wait for their answers.`,
      'Export it for k6, or write the load as arrivals.',
    );
  refuseWhatCannotBe(draft);
  const phases = plan.load.model === 'arrivals' ? phasesOf(draft, plan.load) : [];
  const scenarios = scenariosOf(draft);
  const config = configOf(draft, phases);
  if (draft.issues.length > 0) return { kind: 'refused', issues: draft.issues };
  draft.note('Artillery opens connections of its own for each arrival.');
  if (plan.seed !== 1) draft.note('Artillery draws anew in every run: the seed of the plan decides nothing.');
  const head = [
    plan.name,
    ...(plan.story === '' ? [] : [plan.story]),
    'Written by Holdfast. Run it: artillery run artillery.yaml',
    ...draft.notes.map((note) => `- ${note}`),
  ];
  const text = `${head.map((line) => `# ${line.replaceAll(/\s+/g, ' ')}`).join('\n')}\n${stringify({ config, scenarios }, { lineWidth: WIDTH, aliasDuplicateObjects: false })}`;
  return {
    kind: 'exported',
    exported: { kind: 'artillery', text, files: draft.files, environment: draft.environment, notes: draft.notes },
  };
}

function refuseWhatCannotBe(draft: ArtilleryDraft): void {
  const { connections, targets, tls } = draft.plan;
  if (connections.socketPath !== undefined)
    draft.refuse(
      'connections.socketPath',
      'Artillery connects over the network only.',
      'Leave it out, where the server listens on a port too.',
    );
  if (targets.length > 1) draft.refuse('targets', 'A script of Artillery has one target.', 'Export it with one of them, or for k6.');
  if (tls.ca !== undefined || tls.clientCertificate !== undefined || tls.serverName !== undefined)
    draft.note('Certificates are left out: config.tls.client of Artillery names their files.');
}

function configOf(draft: ArtilleryDraft, phases: Block[]): Block {
  const { targets, tls, timeoutSeconds, load } = draft.plan;
  const [target] = targets;
  const headers = {
    ...Object.fromEntries(Object.entries(target?.headers ?? {}).map(([name, value]) => [name, draft.constant(value)])),
    ...(target?.cookie === undefined ? {} : { Cookie: draft.constant(target.cookie) }),
  };
  const ensure = ensureOf(draft);
  const payload = draft.payload();
  const variables = draft.lists();
  const checks = draft.plan.journey.some((step) => step.expectStatus !== undefined || step.checks.length > 0);
  return {
    target: new URL(target?.url ?? '').origin,
    ...(load.model === 'arrivals' && load.spacing === 'poisson' ? { mode: 'poisson' } : {}),
    phases,
    http: { timeout: timeoutSeconds, ...(Object.keys(headers).length === 0 ? {} : { defaults: { headers } }) },
    ...(tls.verify ? {} : { tls: { rejectUnauthorized: false } }),
    ...(Object.keys(variables).length === 0 ? {} : { variables }),
    ...(payload.length === 0 ? {} : { payload }),
    ...(ensure === null && !checks ? {} : { plugins: { ...(checks ? { expect: {} } : {}), ...(ensure === null ? {} : { ensure: {} }) } }),
    ...(ensure === null ? {} : { ensure }),
  };
}

function phasesOf(draft: ArtilleryDraft, load: ArrivalsLoad): Block[] {
  return load.stages.flatMap((stage, index) => {
    const most =
      ('maxInFlight' in stage ? stage.maxInFlight : undefined) ??
      (load.maxInFlight === DEFAULT_MAX_IN_FLIGHT ? undefined : load.maxInFlight);
    const shape = { ...(stage.name === undefined ? {} : { name: stage.name }), ...(most === undefined ? {} : { maxVusers: most }) };
    if (!stage.counted && stage.kind !== 'pause') draft.note(`Artillery counts “${stageName(draft.plan, index)}” like everything else.`);
    return phaseOf(draft, stage, shape);
  });
}

function phaseOf(draft: ArtilleryDraft, stage: ArrivalsStage, shape: Block): Block[] {
  switch (stage.kind) {
    case 'constant':
      return [
        stage.perSecond === 0 ? { pause: stage.seconds, ...shape } : { duration: stage.seconds, arrivalRate: stage.perSecond, ...shape },
      ];
    case 'ramp':
      return [{ duration: stage.seconds, arrivalRate: stage.fromPerSecond, rampTo: stage.toPerSecond, ...shape }];
    case 'count':
      return [{ duration: stage.seconds, arrivalCount: stage.arrivals, ...shape }];
    case 'pause':
      return [{ pause: stage.seconds, ...shape }];
    case 'steps':
    case 'spike':
      draft.note('Staircases and spikes are several phases.');
      return linesOf(stage).map(({ seconds, fromPerSecond, toPerSecond }, index): Block => {
        const named = { ...shape, ...(stage.name === undefined ? {} : { name: `${stage.name} ${index + 1}` }) };
        if (fromPerSecond !== toPerSecond) return { duration: seconds, arrivalRate: fromPerSecond, rampTo: toPerSecond, ...named };
        return toPerSecond === 0 ? { pause: seconds, ...named } : { duration: seconds, arrivalRate: toPerSecond, ...named };
      });
    default:
      return stage satisfies never;
  }
}

/** Limits of Artillery are about all requests of a test together. */
function ensureOf(draft: ArtilleryDraft): Block | null {
  const { plan } = draft;
  const thresholds: Block[] = [];
  let maxErrorRate: number | null = null;
  for (const objective of objectivesOf(plan)) {
    const isOfAll = objective.step === undefined && objective.stage === undefined && !('of' in objective && objective.of === 'pages');
    const isWhole = isOfAll || (plan.journey.length === 1 && objective.stage === undefined);
    if (objective.kind === 'responseTime' && isWhole)
      thresholds.push({ [`http.response_time.${percentileName(objective.percentile)}`]: objective.limitMs });
    else if (objective.kind === 'errors' && isWhole) maxErrorRate = Number((objective.maxShare * 100).toPrecision(12));
    else draft.note(`Left out, since limits of Artillery are about all requests together: ${describeObjective(objective)}.`);
  }
  if (thresholds.length === 0 && maxErrorRate === null) return null;
  return { ...(thresholds.length === 0 ? {} : { thresholds }), ...(maxErrorRate === null ? {} : { maxErrorRate }) };
}

/** p50, p95, p999: as Artillery names what it has. */
function percentileName(percentile: number): string {
  return percentile === 50 ? 'median' : `p${String(percentile).replace('.', '')}`;
}

function scenariosOf(draft: ArtilleryDraft): Block[] {
  const flow = flowOf(draft.plan);
  const [only] = flow;
  if (flow.length === 1 && typeof only === 'object' && 'choose' in only) {
    if (only.choose.some(({ weightIn }) => weightIn !== undefined))
      draft.refuse('flow[0].choose', 'Shares that change from stage to stage are not known to Artillery.', 'Export it for k6.');
    return only.choose.map((choice, index) => ({
      name: `way ${index + 1}`,
      weight: choice.weight,
      flow: actionsOf(draft, choice.flow, `flow[0].choose[${index}].flow`),
    }));
  }
  return [{ flow: actionsOf(draft, flow, 'flow') }];
}

function actionsOf(draft: ArtilleryDraft, flow: readonly FlowPart[], place: string): Block[] {
  const { plan } = draft;
  return flow.flatMap((part, index): Block[] => {
    const here = `${place}[${index}]`;
    if (typeof part === 'string') {
      const position = plan.journey.findIndex(({ name }) => name === part);
      const step = plan.journey[position];
      if (step === undefined) return [];
      const think = pauseAfter(draft, step, index === flow.length - 1);
      return [requestOf(draft, step, `journey[${position}]`), ...(think === null ? [] : [{ think }])];
    }
    if ('choose' in part) {
      draft.refuse(here, 'Artillery chooses among whole scenarios only, not within one.', 'Export it for k6.');
      return [];
    }
    if ('forEach' in part) {
      if (part.atMost !== undefined) draft.note('A loop over a list takes all of its items.');
      draft.loopItems.push(part.as);
      const body = actionsOf(draft, part.flow, `${here}.flow`);
      draft.loopItems.pop();
      return [{ loop: body, over: draft.valueName(part.forEach) }];
    }
    const count = typeof part.repeat === 'number' ? part.repeat : `${part.repeat.from}-${part.repeat.to}`;
    return [{ loop: actionsOf(draft, part.flow, `${here}.flow`), count }];
  });
}
