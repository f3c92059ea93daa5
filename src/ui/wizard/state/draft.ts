import { z } from 'zod';
import { ROLES } from '#core/machines/checks/finding.ts';
import { SPACINGS } from '#core/plan/schema/load.ts';
import { hideInAddress, holdsSecret } from '#core/plan/hideSecrets.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import { isSecretHeader } from '#core/plan/secretShapes.ts';
import { ARRIVAL_KINDS, LOAD_MODELS, STAGE_NUMBERS, THINK_KINDS, THINK_NUMBERS } from './loadEntry.ts';
import { EMPTY_STATE, WIZARD_PAGES, type WizardState } from './types.ts';

/**
 * The part of the wizard that survives a reload of the window. It has no place for a password, and cookies and secret headers
 * stand in it only as references to what the backend keeps in memory.
 */
const numberEntry = z.union([z.number(), z.string().max(200)]);
const scope = { id: z.int(), step: z.string(), stage: z.string(), ofPages: z.boolean().default(false) };
const sessionReference = z.string().max(200);

const draftSchema = z.strictObject({
  version: z.literal(3),
  source: z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('preset'), id: z.string() }),
      z.strictObject({ kind: z.literal('plan'), plan: planSchema }),
    ])
    .nullable(),
  targets: z
    .array(
      z.strictObject({
        id: z.int(),
        url: z.string(),
        name: z.string(),
        headers: z.array(
          z.strictObject({
            id: z.int(),
            name: z.string(),
            value: z.discriminatedUnion('kind', [
              z.strictObject({ kind: z.literal('clear'), text: z.string() }),
              z.strictObject({ kind: z.literal('kept'), secret: sessionReference }),
              z.strictObject({ kind: z.literal('toKeep') }),
            ]),
          }),
        ),
        cookie: z
          .strictObject({ secret: sessionReference, names: z.array(z.string()), from: z.enum(['login', 'typed', 'plan']) })
          .nullable(),
      }),
    )
    .min(1),
  entries: z.record(
    z.string(),
    z.strictObject({
      answers: z.record(z.string(), numberEntry),
      load: z
        .strictObject({
          model: z.enum(LOAD_MODELS),
          stages: z.array(
            z.strictObject({
              id: z.int(),
              name: z.string(),
              counted: z.boolean(),
              end: z.enum(['requests', 'seconds']),
              kind: z.enum(ARRIVAL_KINDS),
              numbers: z.partialRecord(z.enum(STAGE_NUMBERS), numberEntry),
            }),
          ),
          thinkTime: z.strictObject({ kind: z.enum(THINK_KINDS), numbers: z.record(z.enum(THINK_NUMBERS), numberEntry) }).nullable(),
          spacing: z.enum(SPACINGS),
          maxInFlight: numberEntry,
        })
        .nullable(),
      objectives: z
        .array(
          z.discriminatedUnion('kind', [
            z.strictObject({ kind: z.literal('responseTime'), ...scope, percentile: z.number(), limitMs: numberEntry }),
            z.strictObject({ kind: z.literal('errors'), ...scope, maxPercent: numberEntry }),
            z.strictObject({ kind: z.literal('throughput'), ...scope, minPerSecond: numberEntry }),
            z.strictObject({ kind: z.literal('apdex'), ...scope, thresholdMs: numberEntry, min: numberEntry }),
          ]),
        )
        .nullable(),
    }),
  ),
  verifiesCertificates: z.boolean().nullable().default(null),
  authority: z.string().nullable().default(null),
  username: z.string(),
  practice: z
    .strictObject({ source: z.string(), urls: z.array(z.string()), answers: z.record(z.string(), numberEntry) })
    .nullable()
    .default(null),
  agreed: z.array(z.string()),
  foreign: z.array(z.string()),
  places: z.record(z.string().max(63), z.enum(ROLES).nullable()).default({}),
  onLost: z.enum(['continue', 'stop']).nullable().default(null),
  maker: z.enum(['holdfast', 'k6']).nullable().default(null),
  countsCache: z.boolean().nullable().default(null),
  reached: z.enum(WIZARD_PAGES),
  nextId: z.int(),
});

/**
 * Text of the draft. What was asked of the backend is not part of it: its answers may be old after a reload. Nor is what may be a secret and stands in
 * clear: it has to be entered again, and a plan that holds some, as one that was pasted may, has to be opened again.
 */
export function writeDraft(state: WizardState): string {
  const { probes: _probes, login: _login, ...draft } = state;
  const targets = draft.targets.map((target) => ({
    ...target,
    url: withoutSecretParameters(target.url),
    headers: target.headers.map((header) =>
      header.value.kind === 'clear' && isSecretHeader(header.name, header.value.text)
        ? { ...header, value: { kind: 'toKeep' as const } }
        : header,
    ),
  }));
  const isOpen = draft.source?.kind === 'plan' && holdsSecret(draft.source.plan);
  return JSON.stringify({ version: 3, ...draft, targets, ...(isOpen ? { source: null, entries: {}, reached: 'question' } : {}) });
}

function withoutSecretParameters(url: string): string {
  return hideInAddress(url, () => '');
}

/** The state of a stored draft; the empty state when there is none or it cannot be read. */
export function readDraft(text: string | null): WizardState {
  if (text === null) return EMPTY_STATE;
  const parsed = draftSchema.safeParse(parseJson(text));
  if (!parsed.success) return EMPTY_STATE;
  const { version: _version, ...draft } = parsed.data;
  return { ...EMPTY_STATE, ...draft };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
