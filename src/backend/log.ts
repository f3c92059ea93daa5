import { appendFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { HoldfastError } from '#core/base/errors.ts';
import { OWNER_ONLY } from './dataDirectory.ts';
import type { Redaction } from './redaction.ts';

/** Size above which the log file is renamed. One earlier file is kept. */
const MAX_LOG_BYTES = 5 * 1024 * 1024;

export interface Log {
  readonly file: string;
  info(message: string, facts?: Readonly<Record<string, unknown>>): void;
  warn(message: string, facts?: Readonly<Record<string, unknown>>): void;
  /** Logs a {@link HoldfastError} by its code, and any other error with its stack. */
  failure(message: string, thrown: unknown): void;
}

/** Opens the log `logs/holdfast.log`. Each line is redacted JSON. Several processes may write to it. Never throws. */
export function openLog(dataDirectory: string, redaction: Redaction): Log {
  const file = join(dataDirectory, 'logs', 'holdfast.log');
  const write = (line: string): void => {
    try {
      setAsideWhenLarge(file);
      appendFileSync(file, line, { mode: OWNER_ONLY.file });
    } catch {
      // Ignored, because important messages reach the user in other ways if the disk is full or read-only.
    }
  };
  const logger = pino({ base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }, { write });
  return {
    file,
    info: (message, facts = {}) => logger.info(redaction.value(facts), redaction.sentence(message)),
    warn: (message, facts = {}) => logger.warn(redaction.value(facts), redaction.sentence(message)),
    failure(message, thrown) {
      if (thrown instanceof HoldfastError) {
        const { code } = thrown;
        return logger.warn({ code, problem: redaction.sentence(thrown.message), cause: redaction.value(getCause(thrown)) }, message);
      }
      logger.error({ stack: redaction.text(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)) }, message);
    },
  };
}

function getCause({ cause }: HoldfastError): string | undefined {
  return cause instanceof Error ? cause.message : undefined;
}

function setAsideWhenLarge(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > MAX_LOG_BYTES) renameSync(file, file.replace(/\.log$/, '.1.log'));
}
