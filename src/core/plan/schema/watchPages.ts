import { z } from 'zod';
import { nameSchema } from './text.ts';
import { httpUrlSchema } from './url.ts';

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

/** A page that a real browser visits again and again while the load runs, to see what a visitor sees. */
export const watchPageSchema = z.strictObject({
  /** What tables and criteria call it; left out, it goes by its path. */
  name: nameSchema.optional(),
  url: z.union([pathSchema, httpUrlSchema]).default('/'),
  cache: z.enum(VISIT_CACHES).default('empty'),
  device: z.enum(VISIT_DEVICES).default('desktop'),
  line: z.enum(VISIT_LINES).default('none'),
  /** What is clicked once the page is usable, to time the next paint: the text of a button or link, or `css=` and a selector. */
  click: z.string().trim().min(1).max(200).optional(),
  /** Hosts, with or without a port, that the page may load from beside its own and the targets. */
  otherHosts: z.array(z.string().min(1).max(260)).max(20).optional(),
});
export type WatchPage = z.output<typeof watchPageSchema>;

/** One browser visits one page after the other: with more of them each is seen too seldom. */
export const MOST_WATCH_PAGES = 5;
export const watchPagesSchema = z.array(watchPageSchema).max(MOST_WATCH_PAGES);
