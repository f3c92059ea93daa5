import { appendFile, readFile } from 'node:fs/promises';
import { codeOf, HoldfastError } from '#core/base/errors.ts';
import { readRecord, type RecordLine, type RowRecord } from '#core/work/populate/record.ts';

/** Beside the feed, so the list of accounts and its record stay together. */
export function getRecordFile(feedFile: string): string {
  return `${feedFile}.made.jsonl`;
}

/** Reads what an earlier populate has recorded for a target; empty without a record. Throws `RECORD_UNREADABLE`. */
export async function loadRecord(file: string, target: string): Promise<Map<string, RowRecord>> {
  try {
    return readRecord(await readFile(file, 'utf8'), target);
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return new Map();
    throw recordProblem('RECORD_UNREADABLE', `${file} cannot be read`, cause);
  }
}

/** Appends rows to a file that only its owner may read. */
export class RecordWriter {
  private readonly file: string;
  private last: Promise<void> = Promise.resolve();
  private problem: HoldfastError | null = null;

  constructor(file: string) {
    this.file = file;
  }

  /** Throws `RECORD_NOT_WRITABLE` before anything is created. */
  async open(): Promise<void> {
    await this.append('');
  }

  note(line: RecordLine): void {
    this.last = this.last
      .then(() => this.append(`${JSON.stringify(line)}\n`))
      .catch((thrown: unknown) => {
        this.problem ??= thrown instanceof HoldfastError ? thrown : recordProblem('RECORD_NOT_WRITABLE', this.file, thrown);
      });
  }

  /** Why the record is incomplete, or null. */
  get failure(): HoldfastError | null {
    return this.problem;
  }

  /** Resolves when everything is written. */
  close(): Promise<void> {
    return this.last;
  }

  private async append(text: string): Promise<void> {
    try {
      await appendFile(this.file, text, { mode: 0o600 });
    } catch (cause) {
      throw recordProblem('RECORD_NOT_WRITABLE', `${this.file} cannot be written`, cause);
    }
  }
}

function recordProblem(code: string, what: string, cause: unknown): HoldfastError {
  const why = codeOf(cause) ?? String(cause);
  return new HoldfastError(
    {
      code,
      message: `${what} (${why}).`,
      hint: 'Holdfast records there what it creates, to continue or remove it later. Check the folder, its permissions and free space.',
    },
    { cause },
  );
}
