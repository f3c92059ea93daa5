import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { ensureBuild } from '../launch/build.mjs';
import { root } from '../testing/processes.ts';
import { NOTICES, packageName } from './notices.ts';

beforeAll(() => ensureBuild(root), 120_000);

it('every bundled package is in the notices with its licence', async () => {
  const notices = await readFile(join(root, NOTICES), 'utf8');
  const files = [
    join('agent', 'holdfast-agent.mjs'),
    join('node', 'loadWorker.mjs'),
    join('node', 'resultThread.mjs'),
    ...(await readdir(join(root, 'dist', 'electron'))).map((file) => join('electron', file)),
  ];
  const built = await Promise.all(files.map((file) => readFile(join(root, 'dist', file), 'utf8')));
  // The bundler marks the start of each module. The minified page has no such marks, so only packages that can be recognized in it are
  // checked.
  const bundled = built.flatMap((text) =>
    [...text.matchAll(/^\s*\/\/ (?:#region )?(\S*node_modules\/\S+)$/gm)].flatMap(([, id]) => packageName(`/${id}`)),
  );
  expect(bundled).toContain('node_modules/zod');
  for (const path of new Set([...bundled, 'node_modules/react-dom', 'node_modules/scheduler'])) {
    const name = path.replace(/^.*node_modules\//, '');
    expect(notices).toMatch(new RegExp(`^${name} \\d[^,\\n]*, licence: \\S`, 'm'));
  }
  expect(notices).toContain('Copyright (c) Meta Platforms');
  expect(notices).toContain('SIL OPEN FONT LICENSE Version 1.1');
  expect(notices).not.toContain('licence: unknown');
});

it.each([
  ['/a/b/node_modules/zod/v4/index.js', ['node_modules/zod']],
  ['/a/node_modules/@tanstack/query-core/build/x.js?v=1', ['node_modules/@tanstack/query-core']],
  ['/a/node_modules/b/node_modules/c/x.js', ['node_modules/b/node_modules/c']],
  ['/a/src/core/x.ts', []],
])('packageName returns the package of %s', (id, paths) => expect(packageName(id)).toEqual(paths));
