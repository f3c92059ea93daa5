import type { Dice } from './dice.ts';
import type { Figure } from './figure.ts';
import type { Need } from './needs.ts';
import type { Scene } from './scene.ts';

/** What a story is about: running and measuring, checks and monitors of hosts, or what is concluded from the figures. */
export type Owner = 'measure' | 'hosts' | 'conclusions';

interface Head {
  /** Folder and name, `contest/redirects`. */
  readonly id: string;
  /** What was said or seen once, in a sentence. */
  readonly statement: string;
  readonly owner: Owner;
  /** How long it usually takes, start of its servers included. */
  readonly usualSeconds: number;
  readonly needs: readonly Need[];
}

/** As it is written. */
export interface StoryText<Drawn> extends Head {
  /** Parameters within the ranges that stand here; the same seed draws the same. */
  draw(dice: Dice): Drawn;
  /**
   * Left out, it plays on this machine's own network; else in one of its own, made by these shell commands. `hidden` is what is set up in place
   * of a number that the story was told.
   */
  readonly network?: (drawn: Drawn, hidden: (told: number) => number) => string;
  /** Starts servers and loads, and compares what the app says with what was predicted and what the servers logged. */
  play(scene: Scene, drawn: Drawn): Promise<readonly Figure[]>;
}

/** Can be played. What it draws is its own affair: here it is tied to what is done with it. */
export interface Story extends Head {
  prepare(dice: Dice): {
    readonly parameters: unknown;
    readonly network: ((hidden: (told: number) => number) => string) | null;
    play(scene: Scene): Promise<readonly Figure[]>;
  };
}

export function story<Drawn>(text: StoryText<Drawn>): Story {
  const { draw, network, play, ...head } = text;
  return {
    ...head,
    prepare(dice) {
      const drawn = draw(dice);
      return {
        parameters: drawn,
        network: network ? (hidden) => network(drawn, hidden) : null,
        play: (scene) => play(scene, drawn),
      };
    },
  };
}
