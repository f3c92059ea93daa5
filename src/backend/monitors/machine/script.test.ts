import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MACHINE_SCRIPT } from '#core/monitors/machine/script.ts';
import { temporaryDirectory } from '#backend/testing/temporaryDirectory.ts';

const ID = 'ab'.repeat(32);

/** What the script answers on a machine with one container. */
async function answers(...questions: readonly string[]): Promise<string> {
  const root = temporaryDirectory();
  const group = join(root, 'docker', ID);
  await mkdir(group, { recursive: true });
  await writeFile(join(root, 'cgroup.controllers'), 'cpu memory\n');
  await writeFile(join(group, 'cpu.stat'), 'usage_usec 1500000\nuser_usec 1000000\n');
  await writeFile(join(group, 'memory.current'), '4096\n');
  const script = MACHINE_SCRIPT.replaceAll('/sys/fs/cgroup', root);
  return execFileSync('sh', ['-c', script], { input: questions.map((question) => `${question}\n`).join(''), encoding: 'utf8' });
}

describe('containers of a machine', () => {
  it('are read once they were looked for', async () => {
    expect(await answers('p', 'r')).toContain(`\ncontainer ${ID} 1500000 4096\n`);
  });

  it('are left alone where nobody wants to know of them', async () => {
    const text = await answers('l', 'r');
    expect(text).toContain('MemTotal');
    expect(text).not.toContain('container');
  });
});
