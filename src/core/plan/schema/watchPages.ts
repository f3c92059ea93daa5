import { z } from 'zod';
import { nameSchema, hostSchema, httpUrlSchema } from './url.ts';

/** Browser cache of a visitor: empty, or filled by an earlier visit. */
export const VISIT_CACHES = ['empty', 'filled'] as const;
export const VISIT_DEVICES = ['desktop', 'phone'] as const;
/** Network profiles of DevTools, by the names that DevTools gives them. */
export const VISIT_LINES = ['none', 'fast 4G', 'slow 4G', '3G'] as const;
export type VisitLine = (typeof VISIT_LINES)[number];

export const ENTER_PATH_OR_ADDRESS = 'Enter a path that begins with /, or a full address.';

/** A path at the first target. */
const pathSchema = z
  .string()
  .max(2_048)
  .regex(/^\/(?!\/)\S*$/, ENTER_PATH_OR_ADDRESS);

/** Prefix of a CSS selector, instead of the text on a button or link. */
export const CSS_CLICK = 'css=';

/** An element to click or fill: its text, or `css=` and a selector. */
const placeSchema = z.string().trim().min(1).max(200);

const MAX_FIELDS = 20;

/**
 * An action that follows once the previous step is visible: opens an address, or fills fields, clicks, or does both. A form without a click
 * is submitted with Enter.
 */
export const watchStepSchema = z
  .strictObject({
    name: nameSchema,
    url: z.union([pathSchema, httpUrlSchema]).optional(),
    /** Fields by label, or by `css=` and a selector. Values may contain `{{feed.column}}` and variables. */
    fill: z
      .record(placeSchema, z.string().max(2_000))
      .refine((fields) => Object.keys(fields).length <= MAX_FIELDS, `A step fills in at most ${MAX_FIELDS} fields.`)
      .optional(),
    click: placeSchema.optional(),
    /** Expected title of the page. Another title fails the step. */
    title: z.string().trim().min(1).max(200).optional(),
    /** Expected path of the page, without its query. */
    path: pathSchema.optional(),
  })
  .refine(
    ({ url, fill, click }) => (url === undefined) !== (fill === undefined && click === undefined),
    'A step either opens a url, or fills in fields and clicks.',
  );
export type WatchStep = z.output<typeof watchStepSchema>;

/** Maximum number of steps after the first page. Longer journeys complete too few visits. */
export const MAX_WATCH_STEPS = 10;

/** A page that a real browser visits repeatedly during the load. With `steps`, it is the start of a browser journey. */
export const watchPageSchema = z
  .strictObject({
    /** Name in tables and criteria. Default: the path of the page. */
    name: nameSchema.optional(),
    url: z.union([pathSchema, httpUrlSchema]).default('/'),
    cache: z.enum(VISIT_CACHES).default('empty'),
    device: z.enum(VISIT_DEVICES).default('desktop'),
    line: z.enum(VISIT_LINES).default('none'),
    /**
     * Element to click once the page is usable, which measures the time to the next paint: the text of a button or link, or `css=` and a
     * selector.
     */
    click: placeSchema.optional(),
    /** Further steps of the same visitor. */
    steps: z.array(watchStepSchema).min(1).max(MAX_WATCH_STEPS).optional(),
    /** Additional hosts, with or without a port, from which the page may load. */
    otherHosts: z.array(hostSchema).max(20).optional(),
  })
  .refine(({ click, steps }) => click === undefined || steps === undefined, 'In a journey, a click is a step of “steps”.');
export type WatchPage = z.output<typeof watchPageSchema>;

/** Maximum number of watched pages. One browser visits all of them, so more would get too few visits. */
export const MAX_WATCH_PAGES = 5;
export const watchPagesSchema = z.array(watchPageSchema).max(MAX_WATCH_PAGES);

/** A number that is read periodically during the load, such as connections of a database or waiting jobs. */
export const watchSchema = z.strictObject({
  name: nameSchema,
  /** Address that returns a number, or JSON with the number. */
  url: httpUrlSchema,
  /** JSON path: `$.connections`. */
  path: z.string().min(1).max(500).default('$'),
  everySeconds: z.number().min(1).max(3_600).default(5),
  /** Upper limit of the number, such as the maximum connections of a database. */
  limit: z.number().positive().optional(),
  /** The step whose successful responses each increase the number by one, such as stored rows. */
  counts: nameSchema.optional(),
});
export type WatchedNumber = z.output<typeof watchSchema>;
