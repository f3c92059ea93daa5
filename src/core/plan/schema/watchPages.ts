import { z } from 'zod';
import { nameSchema } from './text.ts';
import { hostSchema, httpUrlSchema } from './url.ts';

/** What a visitor comes with: nothing of the page, or what an earlier visit has left in the browser. */
export const VISIT_CACHES = ['empty', 'filled'] as const;
export const VISIT_DEVICES = ['desktop', 'phone'] as const;
/** The lines by which DevTools slows a browser down, by their names there. */
export const VISIT_LINES = ['none', 'fast 4G', 'slow 4G', '3G'] as const;
export type VisitLine = (typeof VISIT_LINES)[number];

export const ENTER_PATH_OR_ADDRESS = 'Enter a path that begins with /, or a full address.';

/** A path at the first target, where it is no whole address. */
const pathSchema = z
  .string()
  .max(2_048)
  .regex(/^\/(?!\/)\S*$/, ENTER_PATH_OR_ADDRESS);

/** Begins what is a selector and not the text on a button or link. */
export const CSS_CLICK = 'css=';

/** What is clicked or entered into: the text on it, or `css=` and a selector. */
const placeSchema = z.string().trim().min(1).max(200);

const MOST_FIELDS = 20;

/** What a visitor does once the step before is seen: opens another address, or enters something, clicks, or both. A form without a click is sent by Enter. */
export const watchStepSchema = z
  .strictObject({
    /** What tables and criteria call it. */
    name: nameSchema,
    url: z.union([pathSchema, httpUrlSchema]).optional(),
    /** Fields by the text beside them, or by `css=` and a selector. Values may hold `{{feed.column}}` and variables. */
    fill: z
      .record(placeSchema, z.string().max(2_000))
      .refine((fields) => Object.keys(fields).length <= MOST_FIELDS, `A step fills in at most ${MOST_FIELDS} fields.`)
      .optional(),
    click: placeSchema.optional(),
    /** What the page is called by then. Under another title, the step has failed. */
    title: z.string().trim().min(1).max(200).optional(),
    /** The path of the page by then, without its query. */
    path: pathSchema.optional(),
  })
  .refine(
    ({ url, fill, click }) => (url === undefined) !== (fill === undefined && click === undefined),
    'A step either opens a url, or fills in fields and clicks.',
  );
export type WatchStep = z.output<typeof watchStepSchema>;

/** A journey has so many steps after its first page: a longer one is seen too seldom. */
export const MOST_WATCH_STEPS = 10;

/** A page that a real browser visits again and again while the load runs, to see what a visitor sees; with `steps`, the beginning of a journey. */
export const watchPageSchema = z
  .strictObject({
    /** What tables and criteria call it; left out, it goes by its path. */
    name: nameSchema.optional(),
    url: z.union([pathSchema, httpUrlSchema]).default('/'),
    cache: z.enum(VISIT_CACHES).default('empty'),
    device: z.enum(VISIT_DEVICES).default('desktop'),
    line: z.enum(VISIT_LINES).default('none'),
    /** What is clicked once the page is usable, to time the next paint: the text of a button or link, or `css=` and a selector. */
    click: placeSchema.optional(),
    /** What the same visitor does from there, step by step. */
    steps: z.array(watchStepSchema).min(1).max(MOST_WATCH_STEPS).optional(),
    /** Hosts, with or without a port, that the page may load from beside its own and the targets. */
    otherHosts: z.array(hostSchema).max(20).optional(),
  })
  .refine(({ click, steps }) => click === undefined || steps === undefined, 'In a journey, a click is a step of “steps”.');
export type WatchPage = z.output<typeof watchPageSchema>;

/** One browser visits one page after the other: with more of them each is seen too seldom. */
export const MOST_WATCH_PAGES = 5;
export const watchPagesSchema = z.array(watchPageSchema).max(MOST_WATCH_PAGES);
