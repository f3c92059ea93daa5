import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

export interface BenchOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  readonly json: string | null;
}

/** --rounds N --seconds N --connections N --json FILE */
export function benchOptions(defaults: Omit<BenchOptions, 'json'>): BenchOptions {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ options: { rounds: text, seconds: text, connections: text, json: text } });
  return {
    rounds: Number(values.rounds ?? defaults.rounds),
    seconds: Number(values.seconds ?? defaults.seconds),
    connections: Number(values.connections ?? defaults.connections),
    json: values.json ?? null,
  };
}

/** Prints the table, writes the JSON where it is wanted, and fails the process when the requirement is missed. */
export async function report(table: string, passed: boolean, data: object, json: string | null): Promise<void> {
  console.log(table);
  if (json !== null) await writeFile(json, `${JSON.stringify({ passed, ...data }, null, 2)}\n`);
  if (!passed) process.exitCode = 1;
}
