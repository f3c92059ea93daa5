import { describe, expect, it } from 'vitest';
import { K6Log } from './k6Process.ts';

const line = (level: string, msg: string, error?: string): string =>
  JSON.stringify({ level, msg, time: '2026-03-01T12:00:00Z', ...(error === undefined ? {} : { error }) });

describe('K6Log', () => {
  it('reports each warning once, and no line of a lower level', () => {
    const log = new K6Log();
    expect(log.take(line('info', 'hello'))).toBeNull();
    expect(log.take(line('warning', 'Request Failed', 'dial: connection refused'))).toBe('Request Failed: dial: connection refused');
    expect(log.take(line('warning', 'Request Failed', 'dial: connection refused'))).toBeNull();
    expect(log.lastError).toBeNull();
  });

  it('reports at most 10 warnings', () => {
    const log = new K6Log();
    const reported = Array.from({ length: 100 }, (_, index) => log.take(line('warning', `warning ${index}`))).filter(
      (text) => text !== null,
    );
    expect(reported).toHaveLength(10);
  });

  it('keeps the last error, also one that is not JSON', () => {
    const log = new K6Log();
    log.take(line('error', 'first'));
    log.take('panic: out of memory');
    expect(log.lastError).toBe('panic: out of memory');
  });
});
