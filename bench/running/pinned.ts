export interface Command {
  readonly program: string;
  readonly parameters: readonly string[];
  /** Variables that are added to the environment of this process. */
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Returns the command bound to one core by `taskset`, which replaces itself with the command. With a core of null, the command is not
 * bound.
 */
export function pinCommand({ program, parameters }: Command, core: number | null): { program: string; parameters: string[] } {
  return core === null
    ? { program, parameters: [...parameters] }
    : { program: 'taskset', parameters: ['-c', String(core), program, ...parameters] };
}
