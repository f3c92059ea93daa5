import { utilityProcess, type UtilityProcess } from 'electron';
import type { Problem } from '#core/base/errors.ts';
import { visibleText } from '#core/base/text.ts';
import { fromBackendSchema, type Relayed, type ToBackend } from './messages.ts';

/** Returns a function that decides whether the backend may be restarted: at most `maxRestarts` times within any `windowMs`. */
export function createRestartLimit(maxRestarts: number, windowMs: number): (nowMs: number) => boolean {
  const starts: number[] = [];
  return (nowMs) => {
    while (starts[0] !== undefined && nowMs - starts[0] >= windowMs) starts.shift();
    if (starts.length >= maxRestarts) return false;
    starts.push(nowMs);
    return true;
  };
}

const MAX_RESTARTS = 3;
const RESTART_WINDOW_MS = 60_000;
const MAX_CLOSE_MS = 8_000;
const MAX_WAITING_FRAMES = 1_000;

export interface BackendListener {
  onFrame(relayed: Relayed): void;
  onRunning(count: number): void;
  /** Called if the backend will not be restarted any more. */
  onFailure(problem: Problem): void;
}

export interface BackendHost {
  send(relayed: Relayed): void;
  /** Ends the backend cleanly: active runs are stopped, and their results are stored. */
  close(): Promise<void>;
}

/** Runs a backend process with the arguments `args`. If it ends unexpectedly, it is restarted, up to a limit. */
export function hostBackend(entry: string, args: readonly string[], listener: BackendListener): BackendHost {
  const mayRestart = createRestartLimit(MAX_RESTARTS, RESTART_WINDOW_MS);
  let child: UtilityProcess | undefined;
  let ready = false;
  let over = false;
  let lastOutput = '';
  let connection: string | undefined;
  let waiting: ToBackend[] = [];

  const start = (): void => {
    const startedProcess = utilityProcess.fork(entry, [...args], { serviceName: 'Holdfast backend', stdio: 'pipe' });
    child = startedProcess;
    ready = false;
    startedProcess.stdout?.setEncoding('utf8').on('data', (text: string) => process.stdout.write(visibleText(text)));
    startedProcess.stderr?.setEncoding('utf8').on('data', (text: string) => {
      process.stderr.write(visibleText(text));
      lastOutput = (lastOutput + text).slice(-2_000);
    });
    startedProcess.on('message', (message: unknown) => receiveMessage(message));
    startedProcess.on('exit', (code) => {
      if (child === startedProcess) onExit(code);
    });
  };

  const receiveMessage = (message: unknown): void => {
    const parsed = fromBackendSchema.safeParse(message);
    if (!parsed.success) return;
    switch (parsed.data.type) {
      case 'frame':
        return listener.onFrame(parsed.data);
      case 'running':
        return listener.onRunning(parsed.data.count);
      case 'failed':
        over = true;
        return listener.onFailure(parsed.data.problem);
      case 'ready':
        ready = true;
        for (const message of waiting.splice(0)) child?.postMessage(message);
        return undefined;
      default:
        return parsed.data satisfies never;
    }
  };

  const onExit = (code: number): void => {
    child = undefined;
    waiting = [];
    listener.onRunning(0);
    if (connection !== undefined) listener.onFrame({ type: 'frame', connection, frame: null });
    connection = undefined;
    if (over) return;
    if (mayRestart(Date.now())) return start();
    over = true;
    listener.onFailure(restartsExhausted(code, lastOutput));
  };

  start();
  return {
    send(relayed) {
      connection = relayed.connection;
      if (ready) child?.postMessage(relayed);
      else if (waiting.length < MAX_WAITING_FRAMES) waiting.push(relayed);
    },
    close() {
      over = true;
      const ending = child;
      if (!ending) return Promise.resolve();
      return new Promise((resolve) => {
        const timer = setTimeout(() => ending.kill(), MAX_CLOSE_MS);
        ending.once('exit', () => {
          clearTimeout(timer);
          resolve();
        });
        const farewell: ToBackend = { type: 'close' };
        ending.postMessage(farewell);
      });
    },
  };
}

function restartsExhausted(code: number, lastOutput: string): Problem {
  const words = lastOutput.trim().split('\n').slice(-6).join('\n');
  return {
    code: 'BACKEND_LOST',
    message: `The part of Holdfast that runs the tests ended ${MAX_RESTARTS + 1} times within a minute (status ${code}).`,
    hint: `Everything measured until then is stored. Start Holdfast again. If the error comes back, report it with this last output:\n${words || '(none)'}`,
  };
}
