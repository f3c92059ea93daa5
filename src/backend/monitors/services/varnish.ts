import { execFile } from 'node:child_process';
import { HoldfastError } from '#core/base/errors.ts';
import type { MonitorOf } from '#core/plan/schema/monitors.ts';
import { parseVarnish, VARNISH_CATALOGUE } from '#core/machines/monitors/services/proxies.ts';
import type { CommandResult } from '#backend/remote/ssh/connection.ts';
import { plainText } from '#backend/remote/ssh/problems.ts';
import { shellQuoted } from '#backend/remote/host/clock.ts';
import { childEnvironment } from '#engine/childEnvironment.ts';
import { type MonitorWay, type OpenMonitor, createPolledSource, RESPONSE_TIMEOUT_MS, unexpectedProtocol } from '../source.ts';

const PROGRAM = 'varnishstat';
const MAX_BYTES = 4_000_000;

/** Runs `varnishstat -j` on this computer or on the host, because Varnish keeps its counters only in shared memory. */
export const openVarnish: OpenMonitor<MonitorOf<'varnish'>> = ({ instance, limit }, way) =>
  createPolledSource(VARNISH_CATALOGUE, async () => {
    const place = way.connection?.label ?? 'this computer';
    const args = ['-j', ...(instance === undefined ? [] : ['-n', instance])];
    const { code, out, error } = await run(way, args);
    if (code !== 0) throw cannotRun(place, error || out, code);
    const reading = parseVarnish(out, limit);
    if (reading === null) throw unexpectedProtocol('varnishstat', place, 'Run `varnishstat -j` there to see why.');
    return reading;
  });

function run(way: MonitorWay, args: readonly string[]): Promise<CommandResult> {
  if (way.connection !== null)
    return way.connection.run(`PATH="$PATH:/usr/local/bin:/usr/sbin" ${[PROGRAM, ...args].map(shellQuoted).join(' ')}`, {
      limitBytes: MAX_BYTES,
      limitSeconds: RESPONSE_TIMEOUT_MS / 1_000,
    });
  return new Promise((resolve) => {
    execFile(PROGRAM, args, { timeout: RESPONSE_TIMEOUT_MS, maxBuffer: MAX_BYTES, env: childEnvironment() }, (failure, out, error) =>
      resolve({
        code: failure === null ? 0 : typeof failure.code === 'number' ? failure.code : null,
        out,
        error: error || (failure?.message ?? ''),
      }),
    );
  });
}

function cannotRun(place: string, errorOutput: string, code: number | null): HoldfastError {
  const isMissing = code === 127 || /ENOENT|not found/.test(errorOutput);
  return new HoldfastError({
    code: 'MONITOR_COMMAND',
    message: isMissing ? `No varnishstat on ${place}.` : `varnishstat on ${place} failed: ${plainText(errorOutput)}`,
    hint: isMissing
      ? 'It comes with Varnish: name the host that runs Varnish. In a container, it must run inside.'
      : 'Name the Varnish instance (“instance”, its -n). The user must be able to read its memory: it must be in the group varnish or root.',
  });
}
