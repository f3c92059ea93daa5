// This file is loaded first in each thread of the backend (--import). It reports what only the thread itself can measure.
import { openSync, readSync } from 'node:fs';
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads';
import { THREAD_CHANNEL, type ThreadReport } from './reports.ts';

const CHECK_INTERVAL_MS = 20;
const REPORT_INTERVAL_MS = 500;
/** Built-in prototypes, and their original numbers of members. */
const PROTOTYPES = { Object: Object.prototype, Array: Array.prototype, String: String.prototype, Function: Function.prototype };
const ORIGINAL_KEY_COUNTS = new Map(Object.entries(PROTOTYPES).map(([name, prototype]) => [name, Reflect.ownKeys(prototype).length]));

const channel = new BroadcastChannel(THREAD_CHANNEL);
channel.unref();
const waitedMs = waitClock();
let lastMs = performance.now();
let lastWaitedMs = waitedMs();
let reportedMs = lastMs;
let stallMs = 0;
let blockedMs = 0;
let starvedMs = 0;
let lastWorkedMs = workedMs();
const problems: string[] = [];

/** Returns the processor time of this thread. */
function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Returns a clock of the time for which a thread could have run but had no processor, as the kernel counts it. */
function waitClock(): () => number {
  try {
    const file = openSync('/proc/thread-self/schedstat', 'r');
    const buffer = Buffer.alloc(100);
    return () => Number(buffer.toString('latin1', 0, readSync(file, buffer, 0, 100, 0)).split(' ')[1] ?? 0) / 1_000_000;
  } catch {
    return () => 0;
  }
}

function changedPrototypes(): string[] {
  return Object.entries(PROTOTYPES).flatMap(([name, prototype]) => {
    const enumerable = Object.keys(prototype);
    if (enumerable.length > 0) return [`${name}.prototype has ${enumerable.slice(0, 5).join(', ')}`];
    return Reflect.ownKeys(prototype).length > (ORIGINAL_KEY_COUNTS.get(name) ?? 0) ? [`${name}.prototype has a new member`] : [];
  });
}

function notify(): void {
  const report: ThreadReport = {
    thread: threadId,
    isMain: isMainThread,
    stallMs,
    blockedMs,
    hungerMs: starvedMs,
    spoilt: changedPrototypes(),
    problems: problems.splice(0),
  };
  channel.postMessage(JSON.stringify(report));
  stallMs = 0;
  blockedMs = 0;
  starvedMs = 0;
}

setInterval(() => {
  const nowMs = performance.now();
  const nowWaitedMs = waitedMs();
  const waited = nowWaitedMs - lastWaitedMs;
  const nowWorkedMs = workedMs();
  const worked = nowWorkedMs - lastWorkedMs;
  const late = nowMs - lastMs - CHECK_INTERVAL_MS;
  stallMs = Math.max(stallMs, Math.min(late, worked));
  blockedMs = Math.max(blockedMs, late - waited - worked);
  lastWorkedMs = nowWorkedMs;
  starvedMs = Math.max(starvedMs, waited);
  lastMs = nowMs;
  lastWaitedMs = nowWaitedMs;
  if (nowMs - reportedMs < REPORT_INTERVAL_MS) return;
  reportedMs = nowMs;
  notify();
}, CHECK_INTERVAL_MS).unref();

process.on('uncaughtExceptionMonitor', (error) => {
  problems.push(error.stack ?? error.message);
  notify();
});
process.on('unhandledRejection', (reason) => {
  problems.push(`unhandled: ${reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)}`);
  notify();
});
process.on('warning', ({ name, message }) => {
  if (name === 'MaxListenersExceededWarning') problems.push(`${name}: ${message}`);
});
