import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HoldfastError } from '#core/errors.ts';
import { openLog } from '#backend/log.ts';
import { createRedaction } from '#backend/redaction.ts';
import { temporaryDirectory } from '#backend/testing/temporaryDirectory.ts';
import { createReportService } from './reportService.ts';

describe('the service of reports', () => {
  const directory = temporaryDirectory();

  it('lets nothing be printed while a load goes, wherever it is printed', async () => {
    mkdirSync(join(directory, 'logs'), { recursive: true });
    let isGoing = true;
    const unused = () => {
      throw new Error('nothing is read');
    };
    const { calls, streams } = createReportService({
      log: openLog(directory, createRedaction()),
      runResult: unused,
      spread: unused,
      seriesResult: unused,
      studyResult: unused,
      mayWork() {
        if (isGoing) throw new HoldfastError({ code: 'RUN_GOING', message: 'A run is going.', hint: 'Wait for it.' });
      },
    });
    expect(() => calls['reports.mayPrint']({})).toThrow(expect.objectContaining({ code: 'PDF_WAITS' }));
    const ended = await new Promise((resolve) => {
      streams['reports.pdf']({ of: { runId: 'run' }, paper: 'A4' }, { item: unused, end: resolve });
    });
    expect(ended).toMatchObject({ code: 'PDF_WAITS' });
    isGoing = false;
    expect(calls['reports.mayPrint']({})).toEqual({});
  });
});
