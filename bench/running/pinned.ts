export interface Command {
  readonly program: string;
  readonly parameters: readonly string[];
  /** Variables that are added to the environment of this process. */
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Returns the command pinned to one core by `taskset`, which replaces itself with the command. If the core is null, the command is not
 * pinned.
 */
export function pinCommand({ program, parameters }: Command, core: number | null): { program: string; parameters: string[] } {
  return core === null
    ? { program, parameters: [...parameters] }
    : { program: 'taskset', parameters: ['-c', String(core), program, ...parameters] };
}
