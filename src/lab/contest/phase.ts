/** A contestant's phase of the contest, as CMS distinguishes it. */
export type Phase = 'running' | 'future' | 'ended' | 'unstarted' | 'hidden';

/** The phases by the name in the practice server's option. */
export const PHASES = {
  running: 'it is running',
  future: 'it has not started',
  ended: 'it has ended',
  'own-start': 'each contestant starts with a button',
  'late-half': 'every second contestant starts tomorrow',
  hidden: 'it is running, and hidden accounts are refused: all of them',
} as const;

const RUNNING = 'The contest is running.';

const WORDS: Readonly<Record<Phase, readonly string[]>> = {
  running: [RUNNING],
  future: ['The contest has not started.', 'The contest will start tomorrow at 9:00:00 AM.'],
  ended: ['The contest has already ended.'],
  hidden: [RUNNING],
  unstarted: [RUNNING, 'By clicking on the button below you can start your time frame.'],
};

/** The phases of all contestants. */
export class Phases {
  private readonly option: string;
  private readonly started = new Set<string>();

  /** `option`: a name of {@link PHASES}. */
  constructor(option: string) {
    this.option = option;
  }

  of(username: string): Phase {
    switch (this.option) {
      case 'own-start':
        return this.started.has(username) ? 'running' : 'unstarted';
      case 'late-half':
        return Number(/\d+$/.exec(username)?.[0] ?? 0) % 2 === 0 ? 'future' : 'running';
      case 'future':
      case 'ended':
      case 'hidden':
        return this.option;
      default:
        return 'running';
    }
  }

  wordsFor(username: string): readonly string[] {
    return WORDS[this.of(username)];
  }

  /** Handles the start button of a contestant. */
  start(username: string): void {
    this.started.add(username);
  }

  /** Returns whether the tasks are shown. */
  showsTasks(username: string): boolean {
    return ['running', 'ended'].includes(this.of(username));
  }
}
