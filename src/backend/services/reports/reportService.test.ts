import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { HoldfastError } from '#core/base/errors.ts';
import { openLog } from '#backend/log.ts';
import { createRedaction } from '#backend/redaction.ts';
import { BROWSER_VARIABLE } from '#backend/browser/findBrowser.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { LoadLock } from '../loadLock.ts';
import { createReportService } from './reportService.ts';

type Parts = Parameters<typeof createReportService>[0];

const rejectCall = (): never => {
  throw new Error('nothing is read');
};

describe('createReportService', () => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'logs'), { recursive: true });
  let isGoing = false;
  beforeEach(() => {
    isGoing = false;
  });

  function service(changes: Partial<Parts>): ReturnType<typeof createReportService> {
    const lock = new LoadLock();
    lock.register('anyRun', () =>
      isGoing ? new HoldfastError({ code: 'RUN_GOING', message: 'A run is going.', hint: 'Wait for it.' }) : null,
    );
    return createReportService({ log: openLog(directory, createRedaction()), report: rejectCall, lock, ...changes });
  }

  /** Returns the stages of a PDF request and how the request ended. */
  async function printReport({ streams }: ReturnType<typeof createReportService>): Promise<{ stages: string[]; ended: unknown }> {
    const stages: string[] = [];
    const ended = await new Promise((resolve) => {
      streams['reports.pdf']({ of: { runId: 'run' }, paper: 'A4' }, { item: ({ stage }) => void stages.push(stage), end: resolve });
    });
    return { stages, ended };
  }

  it('prints nothing during a load', async () => {
    const { calls, streams } = service({});
    isGoing = true;
    expect(() => calls['reports.mayPrint']({})).toThrow(expect.objectContaining({ code: 'PDF_WAITS' }));
    expect(await printReport({ calls, streams })).toEqual({ stages: [], ended: expect.objectContaining({ code: 'PDF_WAITS' }) });
    isGoing = false;
    expect(calls['reports.mayPrint']({})).toBeUndefined();
  });

  it('starts no browser if a load began while the report was read', async () => {
    // Names a program that exists but that this test must not start.
    vi.stubEnv(BROWSER_VARIABLE, process.execPath);
    onTestFinished(() => void vi.unstubAllEnvs());
    const reports = service({
      report: () => {
        isGoing = true;
        return Promise.resolve({ html: '<p>', name: 'report' });
      },
    });
    const { stages, ended } = await printReport(reports);
    expect([stages, ended]).toEqual([['reading'], expect.objectContaining({ code: 'PDF_WAITS' })]);
  });
});
