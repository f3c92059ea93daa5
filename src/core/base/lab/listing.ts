import { z } from 'zod';
import { HoldfastError } from '../errors.ts';
import { quoted } from '../text.ts';

/**
 * What a practice server tells about itself before it is started: the command line lists it, the app makes its form of it. Data only,
 * so that all shells show the same.
 */
const optionShape = {
  /** One line, as the label of a field. */
  label: z.string().min(1),
  help: z.string().default(''),
  /** True for what makes the server misbehave on purpose. */
  fault: z.boolean().default(false),
};

export const labOptionSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('number'),
    ...optionShape,
    /** null: the practice server chooses for itself, see `unset`. */
    default: z.number().nullable(),
    /** What null means, for people: "random", "off". */
    unset: z.string().default('off'),
    min: z.number(),
    max: z.number(),
    whole: z.boolean().default(true),
    unit: z.string().default(''),
  }),
  z.strictObject({
    kind: z.literal('choice'),
    ...optionShape,
    default: z.string(),
    choices: z.array(z.strictObject({ value: z.string(), label: z.string() })).min(2),
  }),
  z.strictObject({ kind: z.literal('switch'), ...optionShape, default: z.boolean() }),
  /** A path of this machine: only for the command line, a screen never names one. */
  z.strictObject({ kind: z.literal('path'), ...optionShape, default: z.null() }),
  /** A text for programs of the checkout: neither a screen nor a list shows it. */
  z.strictObject({ kind: z.literal('hidden'), ...optionShape, default: z.null() }),
]);
export type LabOption = z.output<typeof labOptionSchema>;

/** Something that this machine lacks. */
export const missingSchema = z.strictObject({
  what: z.string(),
  why: z.string(),
  /** The command that installs it. */
  install: z.string(),
  /** False when the practice server also runs without it, with less. */
  needed: z.boolean(),
});
export type Missing = z.infer<typeof missingSchema>;

export const labListingSchema = z.strictObject({
  name: z.string(),
  title: z.string(),
  story: z.string(),
  /** By the name of the flag, without its dashes. */
  options: z.record(z.string(), labOptionSchema),
  missing: z.array(missingSchema),
});
export type LabListing = z.infer<typeof labListingSchema>;

/** Options as a person or a program gives them: a text is read as the option's kind. */
export const givenOptionsSchema = z.record(z.string().max(60), z.union([z.string().max(1_000), z.number(), z.boolean(), z.null()]));
export type GivenOptions = z.infer<typeof givenOptionsSchema>;

/** Something one can open or aim a test at. */
export const labAddressSchema = z.strictObject({ label: z.string(), url: z.string(), help: z.string().default('') });
export type LabAddress = z.infer<typeof labAddressSchema>;

export const labAccountSchema = z.strictObject({ username: z.string(), password: z.string() });
export type LabAccount = z.infer<typeof labAccountSchema>;

/** What a running practice server tells about itself. */
export const runningLabSchema = z.strictObject({
  /** What a test is aimed at when nobody chooses, all of them together. */
  urls: z.array(z.string()),
  /** All that answers, the above among it. */
  addresses: z.array(labAddressSchema),
  accounts: z.array(labAccountSchema),
  /** Where it is asked for its logs, its accounts and its secrets. */
  control: z.string(),
  /** Where its files lie on this computer: `accounts.csv`, and `password` where all have the same one. */
  folder: z.string(),
  /** True when it keeps something back until it is asked to reveal it. */
  hasSecrets: z.boolean(),
});
export type RunningLabFacts = z.infer<typeof runningLabSchema>;

/** What a practice server kept back. */
export const labSecretSchema = z.strictObject({ label: z.string(), text: z.string() });
export type LabSecret = z.infer<typeof labSecretSchema>;

/** `NO_SUCH_LAB`, whose hint lists the names there are. */
export function noSuchLab(name: string, known: readonly string[]): HoldfastError {
  return new HoldfastError({
    code: 'NO_SUCH_LAB',
    message: name === '' ? 'No practice server was named.' : `There is no practice server called ${quoted(name)}.`,
    hint: known.length > 0 ? `There is: ${known.join(', ')}.` : 'None could be listed. See the log file.',
  });
}
