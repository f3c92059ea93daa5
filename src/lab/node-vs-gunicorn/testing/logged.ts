import { expect } from 'vitest';
import type { RunningLab } from '#lab/lab.ts';
import { pythonWith } from '#lab/programs/python.ts';
import { readLog, type LoggedRequest } from '#lab/readLog.ts';
import { whyNot } from '#lab/testing/needs.ts';
import { testSurroundings } from '#lab/testing/surroundings.ts';
import { REQUIREMENTS } from '../gunicorn.ts';
import { nodeVsGunicornLab } from '../lab.ts';

export const surroundings = testSurroundings();

/** The reason why this machine cannot run the practice server, or null. */
export const lackReason = await whyNot(await nodeVsGunicornLab.missing(process.env), () => pythonWith(REQUIREMENTS, surroundings));

/** Options for a quick test: 200 ms per request, and nginx waits 2 s. */
export const QUICK = { scale: 25, 'proxy-timeout-ms': 50_000 };

export const addressOf = (lab: RunningLab, label: string): string =>
  lab.addresses.find((address) => address.label.startsWith(label))?.url ?? '';

export const getLog = async (lab: RunningLab, server: string): Promise<LoggedRequest[]> => readLog(lab.logs[server] ?? '');

/** Returns the log lines for a path once there are this many of them. */
export async function waitForLogLines(lab: RunningLab, server: string, path: string, count: number): Promise<LoggedRequest[]> {
  const linesOfPath = async (): Promise<LoggedRequest[]> => (await getLog(lab, server)).filter((line) => line.path.endsWith(path));
  await expect.poll(linesOfPath, { timeout: 30_000 }).toHaveLength(count);
  return linesOfPath();
}
