import { randomBytes } from 'node:crypto';

/** A name for a run that sorts by time, can be read aloud, and is different in every process: `20261121-093015-3fa2c1`. */
export function newRunId(now: Date): string {
  const [day = '', time = ''] = now.toISOString().split('T');
  return `${day.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}-${randomBytes(3).toString('hex')}`;
}
