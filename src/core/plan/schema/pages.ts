import { z } from 'zod';
import { hostSchema } from './url.ts';

/** What a page links to and a browser fetches with it. */
export const RESOURCE_KINDS = ['css', 'script', 'image', 'icon', 'font'] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

/** As browsers open them to one host. */
const USUAL_CONNECTIONS = 6;

/** How what a page links to is fetched with it; docs/journeys.md tells it with an example. */
export const resourcesSchema = z.strictObject({
  kinds: z
    .array(z.enum(RESOURCE_KINDS))
    .min(1)
    .max(RESOURCE_KINDS.length)
    .default([...RESOURCE_KINDS]),
  /** Over several connections at the same time, or one after the other over that of the page. */
  how: z.enum(['parallel', 'serial']).default('parallel'),
  /** Which links count: those that a browser follows, or whatever the tags `link` and `img` name, as FunkLoad does. */
  reads: z.enum(['browser', 'tags']).default('browser'),
  /** Of each user to each host, that of the page included; for `parallel`. */
  connections: z.int().min(1).max(32).default(USUAL_CONNECTIONS),
  /** Hosts beside the target's that are asked too; what lies on others is only counted. */
  otherHosts: z.array(hostSchema).max(50).default([]),
});
export type Resources = z.output<typeof resourcesSchema>;

/** For names of figures: “home › images”. */
export const RESOURCE_WORDS: Readonly<Record<ResourceKind, string>> = {
  css: 'style sheets',
  script: 'scripts',
  image: 'images',
  icon: 'icons',
  font: 'fonts',
};
