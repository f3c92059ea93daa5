import { mkdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLog } from '#backend/log.ts';
import { createRedaction } from '#backend/redaction.ts';
import { testOptions } from '#backend/testing/options.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { LabService } from './labService.ts';

describe('practice servers', () => {
  const directory = temporaryDirectory();
  let service: LabService;
  beforeEach(() => {
    mkdirSync(join(directory, 'logs'), { recursive: true });
    service = new LabService(testOptions(directory).labEntry, openLog(directory, createRedaction()));
  });
  afterEach(async () => {
    await service.close();
    rmSync(directory, { recursive: true, force: true });
  });

  it('are listed and started, respond, and are stopped', async () => {
    const [first] = await service.calls['lab.list']({});
    expect(first).toMatchObject({ state: 'stopped', urls: [] });
    const name = first?.name ?? '';
    const running = await service.calls['lab.start']({ name, options: {} });
    expect(running).toMatchObject({ state: 'running', problem: null });
    const [url = ''] = running.urls;
    expect((await fetch(url)).status).toBe(200);
    expect(running.accounts.length).toBeGreaterThan(0);
    expect(await service.calls['lab.start']({ name, options: {} })).toEqual(running);
    expect(await service.calls['lab.stop']({ name })).toMatchObject({ state: 'stopped', urls: [] });
    await expect(fetch(url)).rejects.toThrow();
  });

  it('accept options from a screen, but no paths', async () => {
    const running = await service.calls['lab.start']({ name: 'contest', options: { shards: 3 } });
    expect(running.urls).toHaveLength(3);
    expect(running.addresses.map(({ url }) => url)).toEqual(running.urls);
    expect(await service.calls['lab.reveal']({ name: 'contest' })).toEqual([]);
    // A request with the same options leaves the server running; other options restart it.
    expect(await service.calls['lab.start']({ name: 'contest', options: { shards: 3 } })).toEqual(running);
    const other = await service.calls['lab.start']({ name: 'contest', options: { 'one-password': true } });
    expect(other.urls).toHaveLength(2);
    const folder = other.folder ?? '';
    expect(await readFile(join(folder, 'accounts.csv'), 'utf8')).toMatch(/^username,password\ncontestant1,practice\n/);
    expect(await readFile(join(folder, 'password'), 'utf8')).toBe('practice\n');
    await service.calls['lab.stop']({ name: 'contest' });
    await expect(service.calls['lab.reveal']({ name: 'contest' })).rejects.toMatchObject({ code: 'LAB_STOPPED' });
    const path = service.calls['lab.start']({ name: 'contest', options: { logs: directory } });
    await expect(path).rejects.toMatchObject({ code: 'BAD_OPTION' });
    const wrong = await service.calls['lab.start']({ name: 'contest', options: { shards: 1_000 } });
    expect(wrong).toMatchObject({ state: 'failed', problem: expect.stringContaining('--shards') });
  });

  it('lists the available names for an unknown name', async () => {
    await expect(service.calls['lab.start']({ name: 'none', options: {} })).rejects.toMatchObject({ code: 'NO_SUCH_LAB' });
  });
});
