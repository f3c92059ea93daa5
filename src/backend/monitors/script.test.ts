import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MACHINE_SCRIPT } from '#core/machines/monitors/machine/script.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';

const ID = 'ab'.repeat(32);

/** Control groups of one container: in version 2, and below in version 1. */
const NEW = {
  'cgroup.controllers': 'cpu memory\n',
  [`docker/${ID}/cpu.stat`]: 'usage_usec 1500000\nuser_usec 1000000\n',
  [`docker/${ID}/memory.current`]: '4096\n',
};
const OLD = {
  [`cpu,cpuacct/system.slice/docker-${ID}.scope/cpuacct.usage`]: '2500000999\n',
  [`memory/system.slice/docker-${ID}.scope/memory.usage_in_bytes`]: '8192\n',
};

/** Returns what the script prints on a machine with these files below /sys/fs/cgroup. */
async function responses(files: Readonly<Record<string, string>>, ...questions: readonly string[]): Promise<string> {
  const root = temporaryDirectory();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const script = MACHINE_SCRIPT.replaceAll('/sys/fs/cgroup', root);
  return execFileSync('sh', ['-c', script], { input: questions.map((question) => `${question}\n`).join(''), encoding: 'utf8' });
}

describe('the containers of a machine', () => {
  it('are read after a search has found them', async () => {
    expect(await responses(NEW, 'p', 'r')).toContain(`\ncontainer ${ID} 1500000 4096\n`);
  });

  it('are read from version 1 control groups, and only once if both versions are mounted', async () => {
    const line = `\ncontainer docker-${ID}.scope 2500000 8192\n`;
    expect(await responses(OLD, 'p', 'r')).toContain(line);
    const text = await responses({ ...NEW, ...OLD }, 'p', 'r');
    expect(text.match(/^container /gm)).toHaveLength(1);
    expect(text).toContain(line);
  });

  it('are not read unless the plan asks for containers', async () => {
    const text = await responses({ ...NEW, ...OLD }, 'l', 'r');
    expect(text).toContain('MemTotal');
    expect(text).not.toContain('container');
  });
});
