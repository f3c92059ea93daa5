import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { labServerSchema, type LabServer } from '#contract/api.ts';
import { problemSchema } from '#contract/rpc/frames.ts';
import type { CallHandlers } from '#contract/rpc/server.ts';
import { HoldfastError } from '#core/errors.ts';
import type { Log } from '#backend/log.ts';
import { endChild, startChild, type SpeakingChild } from './childLine.ts';

const READY_WITHIN_MS = 30_000;
const END_WITHIN_MS = 5_000;

const listedSchema = z.array(labServerSchema.pick({ name: true, title: true, story: true }));
const readySchema = z.union([
  z.object({ urls: z.array(z.string()), accounts: labServerSchema.shape.accounts }),
  z.object({ problem: problemSchema }),
]);

type Listed = z.infer<typeof listedSchema>[number];
type Status = Pick<LabServer, 'state' | 'urls' | 'accounts' | 'problem'>;

interface Running {
  status: Status;
  child: SpeakingChild['process'] | null;
}

const STOPPED: Status = { state: 'stopped', urls: [], accounts: [], problem: null };

export interface LabService {
  readonly calls: Pick<CallHandlers, 'lab.list' | 'lab.start' | 'lab.stop'>;
  close(): Promise<void>;
}

/** Practice servers, each in a child process that ends with this one. */
export function createLabService(labEntry: URL, log: Log): LabService {
  const entry = fileURLToPath(labEntry);
  const running = new Map<string, Running>();
  let listed: Promise<Listed[]> | undefined;

  async function readList(): Promise<Listed[]> {
    const { firstLine, process: child } = startChild(entry, ['--list'], READY_WITHIN_MS);
    try {
      return listedSchema.parse(JSON.parse(await firstLine));
    } finally {
      await endChild(child, END_WITHIN_MS);
    }
  }
  async function all(): Promise<Listed[]> {
    listed ??= readList();
    try {
      return await listed;
    } catch (thrown) {
      listed = undefined;
      log.failure('the practice servers could not be listed', thrown);
      return [];
    }
  }
  async function find(name: string): Promise<Listed> {
    const labs = await all();
    const lab = labs.find((candidate) => candidate.name === name);
    if (lab) return lab;
    throw new HoldfastError({
      code: 'NO_SUCH_LAB',
      message: `There is no practice server called ${JSON.stringify(name)}.`,
      hint: labs.length > 0 ? `There is: ${labs.map((known) => known.name).join(', ')}.` : 'None could be listed: see the log file.',
    });
  }
  const show = (lab: Listed): LabServer => ({ ...lab, ...(running.get(lab.name)?.status ?? STOPPED) });

  async function begin(name: string): Promise<void> {
    const { firstLine, process: child } = startChild(entry, [name], READY_WITHIN_MS);
    const server: Running = { status: { ...STOPPED, state: 'starting' }, child };
    running.set(name, server);
    const fail = (problem: string): void => {
      server.status = { ...STOPPED, state: 'failed', problem };
      server.child = null;
    };
    try {
      const ready = readySchema.parse(JSON.parse(await firstLine));
      if ('problem' in ready) throw new HoldfastError(ready.problem);
      server.status = { state: 'running', urls: ready.urls, accounts: ready.accounts, problem: null };
      child.once('exit', () => {
        if (server.child !== null) fail('It ended by itself. Start it again.');
      });
    } catch (thrown) {
      log.failure(`the practice server ${name} did not start`, thrown);
      fail(thrown instanceof HoldfastError ? `${thrown.message} ${thrown.hint}` : String(thrown));
      await endChild(child, END_WITHIN_MS);
    }
  }
  async function end(name: string): Promise<void> {
    const server = running.get(name);
    running.delete(name);
    const child = server?.child;
    if (!server || !child) return;
    server.child = null;
    await endChild(child, END_WITHIN_MS);
  }

  return {
    calls: {
      'lab.list': async () => (await all()).map(show),
      'lab.start': async ({ name }) => {
        const lab = await find(name);
        const state = running.get(name)?.status.state;
        if (state !== 'running' && state !== 'starting') await begin(name);
        return show(lab);
      },
      'lab.stop': async ({ name }) => {
        const lab = await find(name);
        await end(name);
        return show(lab);
      },
    },
    async close() {
      await Promise.all([...running.keys()].map(end));
    },
  };
}
