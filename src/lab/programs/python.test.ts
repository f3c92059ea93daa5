import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { whyNot } from '../testing/needs.ts';
import { testSurroundings } from '../testing/surroundings.ts';
import { missingPython, pythonWith } from './python.ts';

const reason = await whyNot(await missingPython(process.env));

describe.skipIf(reason !== null)(reason ?? 'pythonWith', () => {
  it('reports missing packages with the failed command, and leaves no partial environment', async () => {
    const cacheDirectory = await mkdtemp(join(tmpdir(), 'holdfast-python-'));
    onTestFinished(() => rm(cacheDirectory, { recursive: true }));
    const reportedTexts: string[] = [];
    // pip is configured to find nothing, so that the test does not use the network.
    const environment = { ...process.env, PIP_NO_INDEX: '1', PIP_FIND_LINKS: '' };
    const surroundings = testSurroundings({ cacheDirectory, environment, onProgress: (text) => void reportedTexts.push(text) });
    await expect(pythonWith(['holdfast-practice-nothing==1.0'], surroundings)).rejects.toMatchObject({
      code: 'PYTHON_PACKAGES',
      hint: expect.stringMatching(/-m pip install .*holdfast-practice-nothing==1\.0[\s\S]*No matching distribution/),
    });
    expect(reportedTexts).toEqual([expect.stringContaining('private Python environment'), expect.stringContaining('from PyPI')]);
    expect(await readdir(join(cacheDirectory, 'python'))).toEqual([]);
  });
});

it('missingPython: reports how to install Python', async () => {
  expect(await missingPython({ PATH: '/nonexistent' }).then((missing) => missing.every(({ install }) => install.includes('install')))).toBe(
    true,
  );
});
