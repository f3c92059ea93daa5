import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { PATH_LIMITS, pathReadingSchema } from '#core/machines/checks/path/schema.ts';
import { hasSshServer } from '../testing/sshServer.ts';

const MEGABITS = 8;
/**
 * Rate of the payload alone: 1,448 of the 1,514 bytes of a full packet. Acknowledgements, of 66 bytes for two or more packets, share the
 * same loopback.
 */
const PAYLOAD_MEGABITS = MEGABITS * (1_448 / (1_514 + 16));
const MAX_DEVIATION_SHARE = 0.05;
/** Maximum number of measurements. They are repeated because a busy machine leaves the line idle or handles packets in bursts. */
const MAX_ATTEMPTS = 6;

const schema = z.strictObject({ down: pathReadingSchema, up: pathReadingSchema });

async function measureNarrowLine(): Promise<z.infer<typeof schema>> {
  const child = join(import.meta.dirname, '../testing/narrowLine.ts');
  const args = ['--net', process.execPath, child, String(MEGABITS * 1_000_000)];
  const { stdout } = await promisify(execFile)('unshare', args, { timeout: 60_000 });
  return schema.parse(JSON.parse(stdout));
}

it.skipIf(!hasSshServer)(
  'measureSshPath measures the bandwidth of a narrow line over SSH, both ways, within its limits',
  { timeout: 240_000 },
  async () => {
    const reported: { down: number[]; up: number[] } = { down: [], up: [] };
    const isReported = (found: readonly number[]): boolean =>
      found.some((megabits) => Math.abs(megabits / PAYLOAD_MEGABITS - 1) < MAX_DEVIATION_SHARE);
    for (let attempt = 0; attempt < MAX_ATTEMPTS && !(isReported(reported.down) && isReported(reported.up)); attempt += 1) {
      const readings = await measureNarrowLine();
      for (const way of ['down', 'up'] as const) {
        const { bytes, seconds, megabits, failure } = readings[way];
        expect(failure).toBeNull();
        expect(seconds).toBeLessThanOrEqual(PATH_LIMITS.seconds);
        expect(bytes).toBeLessThanOrEqual(PATH_LIMITS.bytes);
        reported[way].push(megabits ?? Number.NaN);
      }
    }
    expect(reported, `${PAYLOAD_MEGABITS} Mbit/s of contents`).toSatisfy(
      ({ down, up }: typeof reported) => isReported(down) && isReported(up),
    );
  },
);
