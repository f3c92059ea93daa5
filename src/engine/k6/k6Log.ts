import { z } from 'zod';

const lineSchema = z.object({ level: z.string(), msg: z.string(), error: z.string().optional() });

/** So many different lines of k6's log are told; a script may write one for each request. */
const MOST_TOLD = 10;

/** Keeps of k6's log what a person should see. */
export class K6Log {
  private readonly told = new Set<string>();
  private error: string | null = null;

  /** A warning or an error that was not told yet, in words; null for everything else. */
  take(line: string): string | null {
    const { level, text } = wordsOf(line);
    if (level === 'error' || level === 'fatal') this.error = text;
    if (!['warning', 'error', 'fatal'].includes(level) || this.told.size >= MOST_TOLD || this.told.has(text)) return null;
    this.told.add(text);
    return text;
  }

  /** The last error; null when there was none. */
  get lastError(): string | null {
    return this.error;
  }
}

function wordsOf(line: string): { readonly level: string; readonly text: string } {
  let value: unknown = null;
  try {
    value = JSON.parse(line);
  } catch {
    // Not of its log: what a program writes that ends for want of something.
  }
  const parsed = lineSchema.safeParse(value);
  if (!parsed.success) return { level: 'error', text: line.slice(0, 500) };
  const { level, msg, error } = parsed.data;
  return { level, text: (error === undefined ? msg : `${msg}: ${error}`).slice(0, 500) };
}
