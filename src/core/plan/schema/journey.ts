import { z } from 'zod';

/** What a journey remembers of answers, makes up, and reads from files; docs/journeys.md tells it with examples. */

const MAX_LIST = 10_000;

export const valueNameSchema = z
  .string()
  .max(60)
  .regex(/^[A-Za-z_][\w-]*$/, 'A name begins with a letter and contains only letters, digits, _ and -.');

/** Of several matches; `all` makes a list, for `forEach`. */
const WHICH = ['first', 'last', 'random', 'all'] as const;
const which = z.enum(WHICH).default('first');
/** With `which: all`: nothing found is an empty list, and no failure. */
const mayBeEmpty = z.boolean().optional();
/** Of a single value: what is taken where nothing is found. */
const otherwise = z.string().max(1_000).optional();
/** It is a link: what is taken is where it leads, seen from the address of the answer, as path and query. One that leads to another server is none. */
const address = z.boolean().optional();

/** Name of a value or a list: what is in it is not taken. Of a list that grew, this takes what was not there before. */
const unlike = valueNameSchema.optional();

const LOGIN_FORM_PARTS = ['action', 'username', 'password', 'others'] as const;
export type LoginFormPart = (typeof LOGIN_FORM_PARTS)[number];

const formCaptureSchema = z.strictObject({
  from: z.literal('form'),
  as: valueNameSchema,
  field: z.string().min(1).max(200),
  /** Of radio buttons, boxes and lists. */
  choose: z.enum(['random', 'first', 'last']).default('random'),
  /** Choices with one of these words are taken wherever they are offered. */
  labels: z.array(z.string().min(1).max(300)).min(1).max(200).optional(),
  /** Entered into text fields that are empty. */
  text: z.string().max(10_000).optional(),
});
export type FormCapture = z.output<typeof formCaptureSchema>;

/** A value taken out of a good answer. One that finds nothing fails the request and ends the journey. */
export const captureSchema = z.discriminatedUnion('from', [
  z.strictObject({
    from: z.literal('body'),
    as: valueNameSchema,
    /** Source of a JavaScript regular expression. */
    pattern: z.string().min(1).max(1_000),
    flags: z.string().max(6).default(''),
    /** Of its groups; left out, the first one, or the whole match where it has none. */
    group: z.int().min(0).max(99).optional(),
    which,
    mayBeEmpty,
    unlike,
    otherwise,
    address,
    /** The text is HTML: `&amp;` and the like are turned back. */
    html: z.boolean().default(false),
  }),
  z.strictObject({
    from: z.literal('json'),
    as: valueNameSchema,
    path: z.string().min(1).max(500),
    /** The value as JSON, for `{{name|raw}}` in `json`: a text keeps its quotes, and a list is one value. */
    typed: z.literal(true).optional(),
    which,
    mayBeEmpty,
    unlike,
    otherwise,
    address,
  }),
  z.strictObject({
    from: z.literal('between'),
    as: valueNameSchema,
    after: z.string().min(1).max(1_000),
    before: z.string().min(1).max(1_000),
    which,
    mayBeEmpty,
    unlike,
    otherwise,
    address,
    html: z.boolean().default(false),
  }),
  /** `pattern` takes a part of the header's value. */
  z.strictObject({
    from: z.literal('header'),
    as: valueNameSchema,
    name: z.string().min(1).max(100),
    pattern: z.string().max(1_000).optional(),
    otherwise,
    address,
  }),
  z.strictObject({ from: z.literal('cookie'), as: valueNameSchema, name: z.string().min(1).max(200) }),
  /** The first form of the page with one field for a password: where it leads, the names of its fields, or all other fields as they are sent. */
  /**
   * The fields of a form of the page as one text (`a=1&b=2`), for a body: hidden ones as they are, and of choices one that the page offers. The form is the first one with a
   * field of that name; `*` is any text.
   */
  formCaptureSchema,
  z.strictObject({ from: z.literal('loginForm'), as: valueNameSchema, part: z.enum(LOGIN_FORM_PARTS) }),
]);
export type Capture = z.output<typeof captureSchema>;

/** How long a made-up value lasts. */
const per = z.enum(['user', 'journey', 'request']).default('journey');

/** Values that are made up. They follow from the plan's seed, the same for any number of threads. */
export const variableSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('uuid'), per }),
  z.strictObject({ kind: z.literal('integer'), from: z.int(), to: z.int(), per }),
  z.strictObject({
    kind: z.literal('item'),
    of: z
      .array(z.union([z.string(), z.number()]))
      .min(1)
      .max(MAX_LIST),
    per,
  }),
  /** The number of the user, from `from` on; after `to` it begins again. Of arrivals, each has the next. */
  z.strictObject({ kind: z.literal('number'), from: z.int().min(0).default(1), to: z.int().min(0).optional() }),
  /** The instant at which the request is made. */
  z.strictObject({ kind: z.literal('timestamp'), unit: z.enum(['seconds', 'milliseconds', 'iso']).default('milliseconds') }),
]);
export type Variable = z.output<typeof variableSchema>;
