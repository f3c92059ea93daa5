import { z } from 'zod';
import { countedTableSchema } from './database.ts';
import { CALCULATOR_IDS } from '../calculators/calculator.ts';
import { issueSchema } from '../plan/issues.ts';
import { givenOptionsSchema } from '#core/base/lab/listing.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import { secretSchema } from '../plan/schema/url.ts';
import { seriesSchema } from '#core/plan/schema/series.ts';

/**
 * A preset: a question, the facts needed to answer it, and the plan that answers it. It is data only; no code refers to a preset by name.
 * Texts of `plan` that start with `=` are formulas over the answers and `derive`; `{name}` in other texts is replaced by its value.
 * presets/README.md explains the fields.
 */
export const PRESET_VERSION = 1;

/**
 * Returns whether a regular expression is valid and its search is fast: without a repeated group, the time grows at most with the third
 * power of the length of a link. Both the pattern and the links may come from strangers.
 */
function isBoundedPattern(pattern: string): boolean {
  const bare = pattern.replaceAll(/\\[^]/g, '_').replaceAll(/\[[^\]]*\]/g, '_');
  if (/\)[*+{]/.test(bare) || (bare.match(/[*+{]/g) ?? []).length > 3) return false;
  try {
    return new RegExp(pattern).source !== '';
  } catch {
    return false;
  }
}

const identifier = z
  .string()
  .regex(/^[a-z][A-Za-z0-9]*$/, 'An identifier begins with a lowercase letter and contains only letters and digits.');
const choiceValueSchema = z.union([z.string(), z.number()]);

/** `{ test: spike }` or `{ test: [spike, bursts], servers: all }`: true if every named choice has one of the values. */
export const conditionSchema = z.record(z.string(), z.union([choiceValueSchema, z.array(choiceValueSchema).min(1)]));
export type Condition = z.output<typeof conditionSchema>;

const questionShape = {
  id: identifier,
  label: z.string().min(1),
  help: z.string().default(''),
  /** Condition on earlier choices. The question applies only if it is true. */
  when: conditionSchema.optional(),
  /** Whether the question comes before the address, because it determines what to test. */
  first: z.boolean().default(false),
  /** Whether the question is shown to everyone. If a preset has such questions, the others are below “Advanced”. */
  main: z.boolean().default(false),
};

/** A text, or parts that are joined by spaces. A part may have a condition `when`. */
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
    /** Regular expression for the path of a page linked from the first page after the login. */
    find: z
      .string()
      .min(1)
      .max(500)
      .refine(isBoundedPattern, 'Write a regular expression with at most 3 of * + {, and none after a group.')
      .optional(),
    /** Whether the value is a file path on Holdfast's computer, for which the app offers a file dialog. */
    file: z.boolean().default(false),
  }),
  /** Paths of pages of the target, one per line. The app can crawl the site to find them. */
  z.strictObject({ kind: z.literal('pages'), ...questionShape, default: z.string() }),
  /** A secret, for a variable of that kind. The value is a reference, never the secret itself. */
  z.strictObject({ kind: z.literal('secret'), ...questionShape, default: secretSchema.shape.secret }),
  /** Database address of the target: postgres://user:password@host:port/database or a reference; empty for none. */
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
  /** Condition on choices. The value is calculated only if it is true. */
  when: conditionSchema.optional(),
});

export const presetSchema = z.strictObject({
  holdfastPreset: z.literal(PRESET_VERSION),
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  /** The question in the user's words. */
  title: z.string().min(1).max(80),
  story: z.string().min(1).max(400),
  /** Source, such as "from the report of BOI 2014". */
  origin: z.string().default(''),
  needs: z.array(z.string()).default([]),
  takesMinutes: z.number().positive(),
  /** Name of a practice server that suits the question. */
  lab: z.string().optional(),
  /**
   * Labels of the practice server's addresses that are filled in, as a list template. Default: those that the practice server uses by
   * default.
   */
  labAddresses: z.array(z.union([z.string(), z.record(z.string(), z.unknown())])).default([]),
  /** Options with which the practice server is started. */
  labOptions: givenOptionsSchema.default({}),
  /** Answers to questions that are used for the practice server instead of the defaults; see `fillLabAnswers`. */
  labAnswers: z.record(identifier, z.union([z.string(), z.number()])).default({}),
  /** Calculators for the questions of the preset. */
  calculators: z.array(z.enum(CALCULATOR_IDS)).default([]),
  /**
   * Whether Holdfast logs in before the plan: always, or for certain choices. If not, the plan logs in itself and must not get another
   * login.
   */
  login: z.union([z.boolean(), conditionSchema]).default(false),
  /** Whether the address is a folder that contains all pages. Paths are then relative to it, with or without a trailing slash. */
  targetIsFolder: z.boolean().default(false),
  /** Text that is shown beside the address field. */
  targetHelp: textTemplateSchema.default(''),
  questions: z.array(questionSchema).max(40),
  derive: z.array(derivedSchema).max(40).default([]),
  /** A sentence with `{name}`s that explains how the load follows from the answers to the questions. */
  explain: textTemplateSchema.default(''),
  /** Speed-up: durations and time limits of the plan are divided by this value, and rates are multiplied by it. */
  timeScale: z.union([z.number(), z.string(), z.record(z.string(), z.unknown())]).default(1),
  /** Template of the plan without targets. */
  plan: z.record(z.string(), z.unknown()),
  /** Template of a series, for a preset that needs several runs; see `presetSeriesSchema`. */
  series: z.record(z.string(), z.unknown()).optional(),
});
export type Preset = z.output<typeof presetSchema>;

export const answersSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
export type Answers = z.infer<typeof answersSchema>;

/** Result of a preset and its answers: a plan, or the reasons why there is none. */
export const builtPlanSchema = z.strictObject({
  plan: planSchema.nullable(),
  /** Set if the preset needs a series of runs. */
  series: seriesSchema.nullable(),
  issues: z.array(issueSchema),
  derived: z.array(z.strictObject({ id: z.string(), label: z.string(), value: z.number(), unit: z.string(), explanation: z.string() })),
  explanation: z.string(),
});
export type BuiltPlan = z.infer<typeof builtPlanSchema>;
