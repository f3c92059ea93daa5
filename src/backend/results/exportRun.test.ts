import { describe, expect, it } from 'vitest';
import { fileSafe } from '#core/base/text.ts';
import { newRunId } from '#backend/services/runs/runId.ts';

describe('names of files and runs', () => {
  it.each([
    ['Friday, before / after', 'friday-before-after'],
    ['../../etc/passwd', 'etc-passwd'],
    ['¿Aguantará?', 'aguantará'],
    ['***', 'run'],
    ['x'.repeat(200), 'x'.repeat(60)],
  ])('%s becomes %s', (name, expected) => expect(fileSafe(name)).toBe(expected));

  it('run ids sort by time and differ', () => {
    const earlier = newRunId(new Date('2026-11-21T09:30:15Z'));
    expect(earlier).toMatch(/^20261121-093015-[0-9a-f]{6}$/);
    expect(newRunId(new Date('2026-11-21T09:30:16Z')) > earlier).toBe(true);
    expect(new Set(Array.from({ length: 100 }, () => newRunId(new Date(0)))).size).toBe(100);
  });
});
