/** What a baseline is of: a preset, or a plan by its name, at a target. */
export interface BaselineOf {
  /** Id of the preset, or name of the plan. */
  readonly question: string;
  readonly isPreset: boolean;
  /** Address of the first target. */
  readonly target: string;
}

interface Asked {
  /** null: the plan is nobody's preset. */
  readonly preset: string | null;
  /** As the plan has it: its runs may be called something else. Asked only of what is nobody's preset. */
  readonly planName: () => string;
  readonly target: string;
}

/** What a plan, or a run of it, has its baseline by. */
export function baselineOf({ preset, planName, target }: Asked): BaselineOf {
  return { question: preset ?? planName(), isPreset: preset !== null, target };
}
