import { z } from 'zod';
import { HoldfastError } from '../errors.ts';
import { quote } from '../text.ts';

const optionShape = {
  /** One line, used as the label of a field. */
  label: z.string().min(1),
  help: z.string().default(''),
  /** True for an option that makes the server misbehave on purpose. */
  fault: z.boolean().default(false),
};

export const labOptionSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('number'),
    ...optionShape,
    /** Default value; null if the practice server chooses it, see `unset`. */
    default: z.number().nullable(),
    /** Text shown for null, such as "random" or "off". */
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
  /** A path on this machine. Only the command line offers this option. */
  z.strictObject({ kind: z.literal('path'), ...optionShape, default: z.null() }),
  /** A text option for programs in the checkout. Neither screens nor lists show it. */
  z.strictObject({ kind: z.literal('hidden'), ...optionShape, default: z.null() }),
]);
export type LabOption = z.output<typeof labOptionSchema>;

/** A requirement that this machine lacks. */
export const missingSchema = z.strictObject({
  what: z.string(),
  why: z.string(),
  /** Command that installs it. */
  install: z.string(),
  /** False if the practice server also runs without it, with fewer features. */
  needed: z.boolean(),
});
export type Missing = z.infer<typeof missingSchema>;

/**
 * Description of a practice server before it starts, listed by the command line and used for the app's form. It is data only, so that all
 * user interfaces show the same options.
 */
export const labListingSchema = z.strictObject({
  name: z.string(),
  title: z.string(),
  story: z.string(),
  /** Options by the name of their flag, without its dashes. */
  options: z.record(z.string(), labOptionSchema),
  missing: z.array(missingSchema),
});
export type LabListing = z.infer<typeof labListingSchema>;

/** Options as given by a person or a program; texts are converted to the option's kind. */
export const givenOptionsSchema = z.record(z.string().max(60), z.union([z.string().max(1_000), z.number(), z.boolean(), z.null()]));
export type GivenOptions = z.infer<typeof givenOptionsSchema>;

export const labAddressSchema = z.strictObject({ label: z.string(), url: z.string(), help: z.string().default('') });
export type LabAddress = z.infer<typeof labAddressSchema>;

export const labAccountSchema = z.strictObject({ username: z.string(), password: z.string() });
export type LabAccount = z.infer<typeof labAccountSchema>;

/** State of a running practice server. */
export const runningLabSchema = z.strictObject({
  /** Addresses that a test targets by default, all of them together. */
  urls: z.array(z.string()),
  /** All addresses that respond, including `urls`. */
  addresses: z.array(labAddressSchema),
  accounts: z.array(labAccountSchema),
  /** Address for its logs, accounts and secrets. */
  control: z.string(),
  /** Folder of its files on this computer: `accounts.csv`, and `password` if all accounts share one. */
  folder: z.string(),
  /** True if the practice server has secrets that it shows only when asked to reveal them. */
  hasSecrets: z.boolean(),
});
export type RunningLabFacts = z.infer<typeof runningLabSchema>;

export const labSecretSchema = z.strictObject({ label: z.string(), text: z.string() });
export type LabSecret = z.infer<typeof labSecretSchema>;

export function unknownLabError(name: string, labNames: readonly string[]): HoldfastError {
  return new HoldfastError({
    code: 'NO_SUCH_LAB',
    message: name === '' ? 'No practice server was named.' : `There is no practice server called ${quote(name)}.`,
    hint: labNames.length > 0 ? `There is: ${labNames.join(', ')}.` : 'None could be listed. See the log file.',
  });
}
