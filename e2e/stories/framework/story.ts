import type { Dice } from './dice.ts';
import type { Figure } from './figure.ts';
import type { Need } from './needs.ts';
import type { Scene } from './scene.ts';

/** What a story is about: running and measuring, checks and monitors of hosts, or conclusions from figures. */
export type Owner = 'measure' | 'hosts' | 'conclusions';

interface Head {
  /** Folder and name of the story, such as `contest/redirects`. */
  readonly id: string;
  /** The observation, in one sentence. */
  readonly statement: string;
  readonly owner: Owner;
  /** Usual duration of the story in seconds, including the start of its servers. */
  readonly usualSeconds: number;
  readonly needs: readonly Need[];
}

/** A story in the form in which it is written. */
export interface StoryText<Drawn> extends Head {
  /** Draws the parameters of the story. They are determined by the seed. */
  draw(dice: Dice): Drawn;
  /**
   * Returns shell commands that set up a private network. Default: the story runs in this machine's network. `hidden` returns the actual
   * value for a value that the app sees.
   */
  readonly network?: (drawn: Drawn, hidden: (reportedValue: number) => number) => string;
  /** Starts servers and loads, and compares the app's values with predictions and logs. */
  play(scene: Scene, drawn: Drawn): Promise<readonly Figure[]>;
}

/** A story that can be played. The type of its parameters is hidden. */
export interface Story extends Head {
  prepare(dice: Dice): {
    readonly parameters: unknown;
    readonly network: ((hidden: (reportedValue: number) => number) => string) | null;
    play(scene: Scene): Promise<readonly Figure[]>;
  };
}

export function story<Drawn>(text: StoryText<Drawn>): Story {
  const { draw, network, play, ...head } = text;
  return {
    ...head,
    prepare(dice) {
      const drawn = draw(dice);
      return { parameters: drawn, network: network ? (hidden) => network(drawn, hidden) : null, play: (scene) => play(scene, drawn) };
    },
  };
}
