import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sweepOwnFolders } from '#engine/ownFolder.ts';
import { runningLabSchema } from '#core/base/lab/listing.ts';
import { labEntry } from '#tools/testing/threads.ts';
import { schoolSiteLab } from '../school-site/lab.ts';
import { descendantsOf, filterAlive } from '../testing/processes.ts';
import { ask } from '../testing/requests.ts';
import { whyNot } from '../testing/needs.ts';

const reason = process.platform === 'linux' ? await whyNot(await schoolSiteLab.missing(process.env)) : 'it needs /proc';
const entry = fileURLToPath(labEntry);
const makeProgram = (pid: number): string => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');

describe.skipIf(reason !== null)(`a practice server that is killed with its watchdog${reason === null ? '' : `: ${reason}`}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'orphans-'));
  let pids: readonly number[] = [];
  afterEach(() => {
    for (const pid of filterAlive(pids)) process.kill(pid, 'SIGKILL');
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });

  it('is ended by the next start, including nginx', async () => {
    vi.stubEnv('TMPDIR', folder);
    const child = spawn(process.execPath, [entry, 'school-site', '{}'], { stdio: ['pipe', 'pipe', 'ignore'] });
    const [line] = await once(createInterface(child.stdout), 'line');
    const { urls } = runningLabSchema.parse(JSON.parse(String(line)));
    pids = await descendantsOf(child.pid ?? 0);
    const watchdog = pids.find((pid) => makeProgram(pid).includes('--watchdog')) ?? 0;
    expect(watchdog).toBeGreaterThan(0);
    for (const pid of [watchdog, child.pid ?? 0]) process.kill(pid, 'SIGKILL');
    await once(child, 'exit');
    // nginx still runs, because the processes that would end it were killed.
    expect(filterAlive(pids).map(makeProgram).join('\n')).toContain('nginx');
    expect(readdirSync(folder)).toHaveLength(1);
    const bystander = spawn('sleep', ['60'], { cwd: tmpdir() });
    await sweepOwnFolders();
    await expect.poll(() => filterAlive(pids), { timeout: 10_000 }).toEqual([]);
    for (const url of urls) expect(await ask(url)).toMatchObject({ status: 0 });
    expect(readdirSync(folder)).toEqual([]);
    expect(bystander.exitCode).toBeNull();
    bystander.kill();
  });
});
