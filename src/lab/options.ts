import { parseArgs } from 'node:util';
import { HoldfastError } from '#core/errors.ts';
import { DEFAULT_LAB_OPTIONS, type LabOptions } from './lab.ts';

const MAX_SHARDS = 64;
const MAX_SERVICE_MS = 60_000;

/** Flags of a practice server as a person writes them; undefined where none was written. */
export interface LabFlags {
  readonly shards?: string | undefined;
  readonly port?: string | undefined;
  readonly 'access-log'?: string | undefined;
  readonly 'service-ms'?: string | undefined;
}

/** Reads the flags. Throws `BAD_OPTION` that names every flag that cannot be used. */
export function readLabFlags(flags: LabFlags): LabOptions {
  const problems: string[] = [];
  const whole = (name: keyof LabFlags, low: number, high: number): number | undefined => {
    const text = flags[name];
    if (text === undefined) return undefined;
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= low && value <= high) return value;
    problems.push(`--${name} takes a whole number from ${low} to ${high}, not ${JSON.stringify(text)}.`);
    return undefined;
  };
  const options = {
    shards: whole('shards', 1, MAX_SHARDS) ?? DEFAULT_LAB_OPTIONS.shards,
    port: whole('port', 1, 65_535) ?? DEFAULT_LAB_OPTIONS.port,
    accessLogFile: flags['access-log'] ?? DEFAULT_LAB_OPTIONS.accessLogFile,
    serviceMs: whole('service-ms', 0, MAX_SERVICE_MS) ?? DEFAULT_LAB_OPTIONS.serviceMs,
  };
  if (problems.length > 0)
    throw new HoldfastError({
      code: 'BAD_OPTION',
      message: 'The practice server was started with options it cannot use.',
      hint: problems.join('\n'),
    });
  return options;
}

/** Reads `NAME --flag value …`. Throws `BAD_OPTION`. */
export function readLabArguments(argv: readonly string[]): { name: string; options: LabOptions } {
  const text = { type: 'string' } as const;
  let parsed;
  try {
    parsed = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: { shards: text, port: text, 'access-log': text, 'service-ms': text },
    });
  } catch (cause) {
    throw new HoldfastError(
      {
        code: 'BAD_OPTION',
        message: cause instanceof Error ? cause.message : String(cause),
        hint: 'A practice server takes its name, --shards N, --port P, --access-log FILE and --service-ms N.',
      },
      { cause },
    );
  }
  const [name = '', ...others] = parsed.positionals;
  if (others.length > 0)
    throw new HoldfastError({ code: 'BAD_OPTION', message: 'Only one practice server can be started at a time.', hint: 'Name one.' });
  return { name, options: readLabFlags(parsed.values) };
}
