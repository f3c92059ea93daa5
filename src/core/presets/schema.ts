import { z } from 'zod';
import { countedTableSchema } from './database.ts';
import { CALCULATOR_IDS } from '../calculators/calculator.ts';
import { issueSchema } from '../plan/issues.ts';
import { givenOptionsSchema } from '#core/base/lab/listing.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import { secretSchema } from '#core/plan/schema/text.ts';
import { seriesSchema } from '#core/plan/schema/series.ts';

/**
 * A preset: a question people really ask, what has to be known to answer it, and the plan that answers it. Data only; no code
 * names a preset. Strings of `plan` that start with `=` are arithmetic over the answers and over `derive`; `{name}` inside
 * other strings is replaced by its value. presets/README.md explains the fields to people who write one.
 */
export const PRESET_VERSION = 1;

const identifier = z
  .string()
  .regex(/^[a-z][A-Za-z0-9]*$/, 'An identifier begins with a lowercase letter and contains only letters and digits.');
const choiceValueSchema = z.union([z.string(), z.number()]);

/** `{ test: spike }` or `{ test: [spike, bursts], servers: all }`: every choice that it names was answered so. */
export const conditionSchema = z.record(z.string(), z.union([choiceValueSchema, z.array(choiceValueSchema).min(1)]));
export type Condition = z.output<typeof conditionSchema>;

const questionShape = {
  id: identifier,
  label: z.string().min(1),
  help: z.string().default(''),
  /** Asked only when earlier choices were answered so. */
  when: conditionSchema.optional(),
  /** Asked before the address: it decides what is to be tested. */
  first: z.boolean().default(false),
  /** One of the few that matter to everybody. Where a preset names some, the others lie under “Advanced”. */
  main: z.boolean().default(false),
};

/** A text, or parts of one of which some stand there only `when` an answer has a value; parts are joined by spaces. */
const textTemplateSchema = z.union([z.string(), z.array(z.union([z.string(), z.record(z.string(), z.unknown())]))]);

export const questionSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('number'),
    ...questionShape,
    default: z.number(),
    min: z.number(),
    max: z.number(),
    whole: z.boolean().default(true),
    unit: z.string().default(''),
  }),
  z.strictObject({
    kind: z.literal('choice'),
    ...questionShape,
    default: choiceValueSchema,
    options: z.array(z.strictObject({ value: choiceValueSchema, label: z.string() })).min(2),
  }),
  z.strictObject({
    kind: z.literal('text'),
    ...questionShape,
    default: z.string(),
    /** It is a page of the target that the first page after the login links to: source of a regular expression that its path matches. */
    find: z.string().min(1).max(500).optional(),
    /** It is the path of a file on the computer of Holdfast; the app offers to choose one. */
    file: z.boolean().default(false),
  }),
  /** Pages of the target, as paths, one on each line; the app helps to find them by walking over the site. */
  z.strictObject({ kind: z.literal('pages'), ...questionShape, default: z.string() }),
  /** Answered by a reference, never by the secret itself; for a variable of the kind `secret`. */
  z.strictObject({ kind: z.literal('secret'), ...questionShape, default: secretSchema.shape.secret }),
  /** Where the database of the target is: postgres://user:password@host:port/database, or a reference to it; empty: it is not looked into. */
  z.strictObject({
    kind: z.literal('database'),
    ...questionShape,
    default: z.literal('').default(''),
    counted: countedTableSchema.optional(),
  }),
]);
export type Question = z.output<typeof questionSchema>;

export const derivedSchema = z.strictObject({
  id: identifier,
  label: z.string(),
  formula: z.string(),
  unit: z.string().default(''),
  explanation: z.string().default(''),
  /** Worked out only when choices were answered so. */
  when: conditionSchema.optional(),
});

export const presetSchema = z.strictObject({
  holdfastPreset: z.literal(PRESET_VERSION),
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  /** The question, as the person would ask it. */
  title: z.string().min(1).max(80),
  story: z.string().min(1).max(400),
  /** Where it comes from, e.g. "from the report of BOI 2014". */
  origin: z.string().default(''),
  needs: z.array(z.string()).default([]),
  takesMinutes: z.number().positive(),
  /** Name of the practice server that it can be tried against. */
  lab: z.string().optional(),
  /** Labels of the practice server's addresses to fill in, a template of a list; left out, those that it proposes. */
  labAddresses: z.array(z.union([z.string(), z.record(z.string(), z.unknown())])).default([]),
  /** Options with which it is started then. */
  labOptions: givenOptionsSchema.default({}),
  /** Answers that it calls for in place of the defaults, which are for the real thing; see `labAnswersOf`. */
  labAnswers: z.record(identifier, z.union([z.string(), z.number()])).default({}),
  /** Calculators that help to answer its questions. */
  calculators: z.array(z.enum(CALCULATOR_IDS)).default([]),
  /** Its pages lie behind a login form: always, or when choices were answered so; else its plan logs in by itself, and a login that is sent along would be in its way. */
  login: z.union([z.boolean(), conditionSchema]).default(false),
  /** The address is that of a folder below which everything lies: paths of the plan are seen from it whether or not it ends in a slash. */
  targetIsFolder: z.boolean().default(false),
  /** Shown beside the address field. */
  targetHelp: textTemplateSchema.default(''),
  questions: z.array(questionSchema).max(40),
  derive: z.array(derivedSchema).max(40).default([]),
  /** One sentence with `{name}`s that says how the load follows from the answers. */
  explain: textTemplateSchema.default(''),
  /** How many times faster than written: durations and time limits of the plan are divided by this formula's value, rates multiplied. */
  timeScale: z.union([z.number(), z.string(), z.record(z.string(), z.unknown())]).default(1),
  /** Template of a plan without its targets. */
  plan: z.record(z.string(), z.unknown()),
  /** Template of a series, where several runs answer the question; see `presetSeriesSchema`. */
  series: z.record(z.string(), z.unknown()).optional(),
});
export type Preset = z.output<typeof presetSchema>;

export const answersSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
export type Answers = z.infer<typeof answersSchema>;

/** What comes of a preset and its answers: a plan or the reasons why not. */
export const builtPlanSchema = z.strictObject({
  plan: planSchema.nullable(),
  /** Set where the question is answered by a series of runs of the plan. */
  series: seriesSchema.nullable(),
  issues: z.array(issueSchema),
  derived: z.array(z.strictObject({ id: z.string(), label: z.string(), value: z.number(), unit: z.string(), explanation: z.string() })),
  explanation: z.string(),
});
export type BuiltPlan = z.infer<typeof builtPlanSchema>;
