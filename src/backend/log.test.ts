import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HoldfastError } from '#core/base/errors.ts';
import { openLog } from './log.ts';
import { createRedaction } from './redaction.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';

const directory = temporaryDirectory();

describe('the log', () => {
  const redaction = createRedaction();
  redaction.add('planted-secret');
  const log = openLog(directory, redaction);
  mkdirSync(dirname(log.file), { recursive: true });

  it('contains no secret in any field or encoding', () => {
    log.info('hello', { header: 'planted-secret', deep: { encoded: Buffer.from('planted-secret').toString('base64') } });
    log.failure('oh', new Error('failed with planted-secret'));
    log.failure('oh', new HoldfastError({ code: 'X', message: 'planted-secret', hint: '' }));
    const text = readFileSync(log.file, 'utf8');
    expect(text.trim().split('\n')).toHaveLength(3);
    expect(text).not.toContain('planted');
    expect(text).not.toContain(Buffer.from('planted-secret').toString('base64').slice(0, 18));
  });

  it('starts a new file above the maximum size', () => {
    writeFileSync(log.file, 'x'.repeat(6 * 1024 * 1024));
    log.info('after');
    expect(readFileSync(log.file, 'utf8').length).toBeLessThan(1_000);
    expect(readFileSync(log.file.replace('.log', '.1.log'), 'utf8').replaceAll('x', '')).toBe('');
  });

  it('never throws if it cannot be written', () => {
    expect(() => openLog('/no/such/directory', redaction).info('lost')).not.toThrow();
  });
});
