import { z } from 'zod';

/** Maximum length of a list of values. Examples of captures and variables are in docs/journeys.md. */

const MAX_LIST = 10_000;

export const valueNameSchema = z
  .string()
  .max(60)
  .regex(/^[A-Za-z_][\w-]*$/, 'A name begins with a letter and contains only letters, digits, _ and -.');

/** Which of several matches is captured; `all` gives a list for `forEach`. */
const MATCH_CHOICES = ['first', 'last', 'random', 'all'] as const;
const matchChoice = z.enum(MATCH_CHOICES).default('first');
/** Used with `which: all`: if nothing matches, the list is empty and the step does not fail. */
const mayBeEmpty = z.boolean().optional();
/** Value that is used if nothing matches. */
const otherwise = z.string().max(1_000).optional();
/**
 * Whether the value is a link. If it is, its path and query are captured, resolved against the response's address. Links to other servers
 * do not match.
 */
const address = z.boolean().optional();

/** Name of a value or list to exclude. If a list has grown, this captures only its new items. */
const excludedName = valueNameSchema.optional();

const LOGIN_FORM_PARTS = ['action', 'username', 'password', 'others'] as const;
export type LoginFormPart = (typeof LOGIN_FORM_PARTS)[number];

const formCaptureSchema = z.strictObject({
  from: z.literal('form'),
  as: valueNameSchema,
  field: z.string().min(1).max(200),
  /** How an option of radio buttons, check boxes and lists is chosen. */
  choose: z.enum(['random', 'first', 'last']).default('random'),
  /** Choices with one of these labels are preferred. */
  labels: z.array(z.string().min(1).max(300)).min(1).max(200).optional(),
  /** Text for text fields that are empty. */
  text: z.string().max(10_000).optional(),
});
export type FormCapture = z.output<typeof formCaptureSchema>;

/** A value from a successful response. If nothing matches, the request fails and the journey ends. */
export const captureSchema = z.discriminatedUnion('from', [
  z.strictObject({
    from: z.literal('body'),
    as: valueNameSchema,
    /** Source of a JavaScript regular expression. */
    pattern: z.string().min(1).max(1_000),
    flags: z.string().max(6).default(''),
    /** Group to capture. Default: the first group, or the whole match if there are no groups. */
    group: z.int().min(0).max(99).optional(),
    which: matchChoice,
    mayBeEmpty,
    unlike: excludedName,
    otherwise,
    address,
    /** Whether the text is HTML, so that entities such as `&amp;` are decoded. */
    html: z.boolean().default(false),
  }),
  z.strictObject({
    from: z.literal('json'),
    as: valueNameSchema,
    path: z.string().min(1).max(500),
    /** Captures the value as JSON, for `{{name|raw}}` in `json`: texts keep their quotes, and a list is one value. */
    typed: z.literal(true).optional(),
    which: matchChoice,
    mayBeEmpty,
    unlike: excludedName,
    otherwise,
    address,
  }),
  z.strictObject({
    from: z.literal('between'),
    as: valueNameSchema,
    after: z.string().min(1).max(1_000),
    before: z.string().min(1).max(1_000),
    which: matchChoice,
    mayBeEmpty,
    unlike: excludedName,
    otherwise,
    address,
    html: z.boolean().default(false),
  }),
  /** The value of a header, or the part of it that `pattern` captures. */
  z.strictObject({
    from: z.literal('header'),
    as: valueNameSchema,
    name: z.string().min(1).max(100),
    pattern: z.string().max(1_000).optional(),
    otherwise,
    address,
  }),
  z.strictObject({ from: z.literal('cookie'), as: valueNameSchema, name: z.string().min(1).max(200) }),
  /**
   * Fields of a form as one text (`a=1&b=2`) for a body: hidden fields unchanged, and one offered option of each choice. The first form
   * with a field of that name is used; `*` matches any text.
   */
  formCaptureSchema,
  /** Parts of the first form of the page with one password field: its action, its field names, or its other fields as they are sent. */
  z.strictObject({ from: z.literal('loginForm'), as: valueNameSchema, part: z.enum(LOGIN_FORM_PARTS) }),
]);
export type Capture = z.output<typeof captureSchema>;

/** Lifetime of a generated value. */
const lifetime = z.enum(['user', 'journey', 'request']).default('journey');

/** Generated values. Except for timestamps, they depend only on the plan and its seed, not on the number of threads. */
export const variableSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('uuid'), per: lifetime }),
  z.strictObject({ kind: z.literal('integer'), from: z.int(), to: z.int(), per: lifetime }),
  z.strictObject({
    kind: z.literal('item'),
    of: z
      .array(z.union([z.string(), z.number()]))
      .min(1)
      .max(MAX_LIST),
    per: lifetime,
  }),
  /** Consecutive number of the user, starting at `from` and starting over after `to`. Each arrival gets the next number. */
  z.strictObject({ kind: z.literal('number'), from: z.int().min(0).default(1), to: z.int().min(0).optional() }),
  /** Time of the request. */
  z.strictObject({ kind: z.literal('timestamp'), unit: z.enum(['seconds', 'milliseconds', 'iso']).default('milliseconds') }),
]);
export type Variable = z.output<typeof variableSchema>;
