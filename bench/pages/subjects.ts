import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GivenOptions } from '#core/base/lab/listing.ts';
import { findLab } from '#lab/registry.ts';
import { testSurroundings } from '#lab/testing/surroundings.ts';
import { dokuWiki } from '../sites/dokuWiki.ts';
import { mediaWiki } from '../sites/mediaWiki.ts';
import type { Site } from '../sites/site.ts';
import { wordpress } from '../sites/wordpress.ts';
import { startReferencePage } from './referencePage.ts';

/** A running site with pages. */
export interface RunningSubject {
  /** By title in the table. */
  readonly pages: readonly { readonly title: string; readonly url: string }[];
  close(): Promise<void>;
}

export interface Subject {
  readonly id: string;
  /** Required files, and how to install them. */
  readonly needs: Site['needs'] | null;
  /** Whether it is also measured over HTTP/2. */
  readonly http2: boolean;
  start(): Promise<RunningSubject>;
}

export const SUBJECTS: readonly Subject[] = [
  { id: 'reference', needs: null, http2: true, start: reference },
  { id: 'school', needs: null, http2: false, start: () => practice('school-site', { 'service-ms': 40 }, [['school: start page', '/']]) },
  {
    id: 'contest',
    needs: null,
    http2: false,
    start: () =>
      practice('contest', { scoreboard: true, shards: 1 }, [
        ['contest: login', '/'],
        ['contest: scoreboard', 'scoreboard'],
      ]),
  },
  site(wordpress, [
    ['WordPress: start page', '/'],
    ['WordPress: a post', '/?p=1'],
  ]),
  site(mediaWiki, [['MediaWiki: main page', '/index.php?title=Main_Page']]),
  site(dokuWiki, [['DokuWiki: start page', '/doku.php?id=start']]),
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

function site({ id, needs, start }: Site, pages: readonly (readonly [string, string])[]): Subject {
  return {
    id,
    needs,
    http2: false,
    start: async () => {
      const folder = await mkdtemp(join(tmpdir(), 'holdfast-pages-'));
      const running = await start(folder);
      return {
        pages: pages.map(([title, path]) => ({ title, url: new URL(path, running.url).href })),
        close: async () => {
          await running.close();
          await rm(folder, { recursive: true, force: true });
        },
      };
    },
  };
}
