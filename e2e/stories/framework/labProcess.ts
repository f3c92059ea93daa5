import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { HoldfastError } from '#core/base/errors.ts';
import { runningLabSchema, type GivenOptions, type RunningLabFacts } from '#core/base/lab/listing.ts';
import { readLog, type LoggedRequest } from '#lab/readLog.ts';
import { type LoggedStreams, readStreamLog } from '#lab/streamLog.ts';
import { labEntry } from '#tools/testing/threads.ts';

const entry = fileURLToPath(labEntry);
const problemSchema = z.object({ problem: z.object({ code: z.string(), message: z.string(), hint: z.string() }) });
const POLL_MS = 50;
const MAX_SETTLING_MS = 10_000;

type Wanted = (line: LoggedRequest) => boolean;

/** A practice server that runs in a separate process. */
export interface LabProcess extends RunningLabFacts {
  /** Returns the address whose label begins with this text. */
  address(label: string): string;
  /** Returns the lines that a server has logged so far. */
  lines(server: string, wanted?: Wanted): Promise<LoggedRequest[]>;
  /** Waits until there are `count` lines, for at most ten seconds, and returns them. */
  linesWhen(count: number, server: string, wanted?: Wanted): Promise<LoggedRequest[]>;
  /** Returns the log of a server that pushes data: its events and its listeners. */
  streams(server: string): Promise<LoggedStreams>;
  act(action: string): Promise<unknown>;
  /** Ends the practice server with all its processes. The logs can still be read afterwards. */
  stop(): Promise<void>;
}

/** Starts a practice server that writes its logs to the folder `logs`. If the practice server cannot be started, throws its error. */
export async function startLabProcess(name: string, options: GivenOptions, logs: string): Promise<LabProcess> {
  const child = spawn(process.execPath, [entry, name, JSON.stringify({ ...options, logs })], { stdio: ['pipe', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  const facts = await readFacts(createInterface({ input: child.stdout }));
  const lines = async (server: string, wanted: Wanted = () => true): Promise<LoggedRequest[]> =>
    (await readLog(join(logs, `${server}.log`))).filter(wanted);
  return {
    ...facts,
    address: (label) => facts.addresses.find((one) => one.label.startsWith(label))?.url ?? '',
    lines,
    async linesWhen(count, server, wanted) {
      const until = Date.now() + MAX_SETTLING_MS;
      let foundRequests = await lines(server, wanted);
      while (foundRequests.length < count && Date.now() < until) {
        await sleep(POLL_MS);
        foundRequests = await lines(server, wanted);
      }
      return foundRequests;
    },
    streams: (server) => readStreamLog(join(logs, `${server}.log`)),
    act: async (action) => (await fetch(new URL(`actions/${action}`, facts.control), { method: 'POST' })).json(),
    async stop() {
      child.stdin.end();
      await closed;
    },
  };
}

async function readFacts(lines: AsyncIterable<string>): Promise<RunningLabFacts> {
  for await (const line of lines) {
    const value: unknown = JSON.parse(line);
    const problem = problemSchema.safeParse(value);
    if (problem.success) throw new HoldfastError(problem.data.problem);
    const facts = runningLabSchema.safeParse(value);
    if (facts.success) return facts.data;
  }
  throw new Error('The practice server ended before it said where it is.');
}
