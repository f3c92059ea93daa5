import { z } from 'zod';
import { hostSchema } from './url.ts';

/** Kinds of resources that a browser loads with a page. */
export const RESOURCE_KINDS = ['css', 'script', 'image', 'icon', 'font'] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

/** Number of connections that browsers open to one host. */
const USUAL_CONNECTIONS = 6;

/** Loading of a page's resources; for an example see docs/journeys.md. */
export const resourcesSchema = z.strictObject({
  kinds: z
    .array(z.enum(RESOURCE_KINDS))
    .min(1)
    .max(RESOURCE_KINDS.length)
    .default([...RESOURCE_KINDS]),
  /** Parallel over several connections, or serial over that of the page. */
  how: z.enum(['parallel', 'serial']).default('parallel'),
  /** Links to load: those of a browser, or all `link` and `img` tags as in FunkLoad. */
  reads: z.enum(['browser', 'tags']).default('browser'),
  /** Connections per user and host, including that of the page; for `parallel`. */
  connections: z.int().min(1).max(32).default(USUAL_CONNECTIONS),
  /** Additional hosts to load resources from; resources on other hosts are only counted. */
  otherHosts: z.array(hostSchema).max(50).default([]),
});
export type Resources = z.output<typeof resourcesSchema>;

/** Words for names of figures: “home › images”. */
export const RESOURCE_WORDS: Readonly<Record<ResourceKind, string>> = {
  css: 'style sheets',
  script: 'scripts',
  image: 'images',
  icon: 'icons',
  font: 'fonts',
};
