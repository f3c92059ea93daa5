import type { GivenOptions } from '#core/base/lab/listing.ts';
import { findLab } from '#lab/registry.ts';
import { testSurroundings } from '#lab/testing/surroundings.ts';
import { startReferencePage } from './referencePage.ts';

/** A site with pages that is running. */
export interface RunningSubject {
  /** The pages, each with a title for the table. */
  readonly pages: readonly { readonly title: string; readonly url: string }[];
  close(): Promise<void>;
}

export interface Subject {
  readonly id: string;
  /** Whether the site is also measured over HTTP/2. */
  readonly http2: boolean;
  start(): Promise<RunningSubject>;
}

export const SUBJECTS: readonly Subject[] = [
  { id: 'reference', http2: true, start: reference },
  { id: 'school', http2: false, start: () => practice('school-site', { 'service-ms': 40 }, [['school: start page', '/']]) },
  {
    id: 'contest',
    http2: false,
    start: () =>
      practice('contest', { scoreboard: true, shards: 1 }, [
        ['contest: login', '/'],
        ['contest: scoreboard', 'scoreboard'],
      ]),
  },
];

async function reference(): Promise<RunningSubject> {
  const { url, close } = await startReferencePage();
  return { pages: [{ title: 'reference page', url }], close };
}

async function practice(name: string, options: GivenOptions, pages: readonly (readonly [string, string])[]): Promise<RunningSubject> {
  const lab = await findLab(name).start(options, testSurroundings());
  const main = lab.urls[0] ?? '';
  const board = lab.addresses.find(({ label }) => label.startsWith('Scoreboard'))?.url ?? main;
  return {
    pages: pages.map(([title, path]) => ({ title, url: path === 'scoreboard' ? board : new URL(path, main).href })),
    close: () => lab.stop(),
  };
}

/** Returns a page of a site that is already running on this computer. @throws if its address is not a loopback address. */
export function runningPage(text: string): Subject {
  const url = new URL(text);
  if (!/^(127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/.test(url.hostname)) throw new Error(`${text} is not on this computer.`);
  return {
    id: url.host,
    http2: false,
    start: () => Promise.resolve({ pages: [{ title: `${url.host}${url.pathname}`, url: url.href }], close: () => Promise.resolve() }),
  };
}
