import { z } from 'zod';

/** Captures and variables of a journey; for examples see docs/journeys.md. */

const MAX_LIST = 10_000;

export const valueNameSchema = z
  .string()
  .max(60)
  .regex(/^[A-Za-z_][\w-]*$/, 'A name begins with a letter and contains only letters, digits, _ and -.');

/** Which of several matches; `all` gives a list for `forEach`. */
const MATCH_CHOICES = ['first', 'last', 'random', 'all'] as const;
const matchChoice = z.enum(MATCH_CHOICES).default('first');
/** With `which: all`: no match gives an empty list instead of a failure. */
const mayBeEmpty = z.boolean().optional();
/** Fallback of a single value without a match. */
const otherwise = z.string().max(1_000).optional();
/** The value is a link: captures its path and query, resolved against the response's address. Links to other servers do not match. */
const address = z.boolean().optional();

/** Name of a value or list to exclude. From a list that grew, this captures only new items. */
const excludedName = valueNameSchema.optional();

const LOGIN_FORM_PARTS = ['action', 'username', 'password', 'others'] as const;
export type LoginFormPart = (typeof LOGIN_FORM_PARTS)[number];

const formCaptureSchema = z.strictObject({
  from: z.literal('form'),
  as: valueNameSchema,
  field: z.string().min(1).max(200),
  /** Choice of radio buttons, check boxes and lists. */
  choose: z.enum(['random', 'first', 'last']).default('random'),
  /** Choices with one of these labels are preferred. */
  labels: z.array(z.string().min(1).max(300)).min(1).max(200).optional(),
  /** Text for empty text fields. */
  text: z.string().max(10_000).optional(),
});
export type FormCapture = z.output<typeof formCaptureSchema>;

/** A value from a successful response. Without a match, the request fails and the journey ends. */
export const captureSchema = z.discriminatedUnion('from', [
  z.strictObject({
    from: z.literal('body'),
    as: valueNameSchema,
    /** Source of a JavaScript regular expression. */
    pattern: z.string().min(1).max(1_000),
    flags: z.string().max(6).default(''),
    /** Group to capture; default: the first, or the whole match without groups. */
    group: z.int().min(0).max(99).optional(),
    which: matchChoice,
    mayBeEmpty,
    unlike: excludedName,
    otherwise,
    address,
    /** The text is HTML: entities such as `&amp;` are decoded. */
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
  /** `pattern` captures a part of the header's value. */
  z.strictObject({
    from: z.literal('header'),
    as: valueNameSchema,
    name: z.string().min(1).max(100),
    pattern: z.string().max(1_000).optional(),
    otherwise,
    address,
  }),
  z.strictObject({ from: z.literal('cookie'), as: valueNameSchema, name: z.string().min(1).max(200) }),
  /** The first form of the page with one password field: its action, its field names, or its other fields as they are sent. */
  /**
   * Fields of a form as one text (`a=1&b=2`) for a body: hidden ones unchanged, and one offered option of each choice. The first form with a
   * field of that name is used; `*` matches any text.
   */
  formCaptureSchema,
  z.strictObject({ from: z.literal('loginForm'), as: valueNameSchema, part: z.enum(LOGIN_FORM_PARTS) }),
]);
export type Capture = z.output<typeof captureSchema>;

/** Lifetime of a generated value. */
const lifetime = z.enum(['user', 'journey', 'request']).default('journey');

/** Generated values. They depend only on the plan's seed, for any number of threads. */
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
  /** Number of the user, starting at `from`; wraps after `to`. Each arrival gets the next. */
  z.strictObject({ kind: z.literal('number'), from: z.int().min(0).default(1), to: z.int().min(0).optional() }),
  /** Time of the request. */
  z.strictObject({ kind: z.literal('timestamp'), unit: z.enum(['seconds', 'milliseconds', 'iso']).default('milliseconds') }),
]);
export type Variable = z.output<typeof variableSchema>;
