import { availableParallelism } from 'node:os';
import { sharesMachine } from '#engine/sharesMachine.ts';
import type { Check } from './check.ts';

interface Sharing {
  readonly shares: boolean;
  readonly cores: number;
}

export const sharedMachine: Check<Sharing> = {
  id: 'sharedMachine',
  about: 'Where the target runs',
  appliesTo: ({ isAgreed }) => isAgreed,
  probe: async ({ plan }) => ({ shares: await sharesMachine(plan), cores: availableParallelism() }),
  judge({ shares, cores }, { targetHosts }) {
    const hosts = targetHosts.join(', ');
    if (!shares)
      return {
        level: 'ok',
        title: 'The target runs on another machine',
        evidence: hosts,
        matters: 'The load does not take cores away from it.',
        remedy: null,
      };
    return {
      level: 'info',
      title: 'The target runs on this computer',
      evidence: hosts,
      matters: `Load and target share ${cores === 1 ? 'one core' : `${cores} cores`}, so each slows the other down. The figures say what this computer does with both, not what the server would do alone.`,
      remedy: { text: 'For figures that count, send the load from a second computer.', command: null, undo: null, risk: '' },
    };
  },
};
